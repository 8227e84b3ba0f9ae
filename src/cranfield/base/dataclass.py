"""Dataclasses that load fast: a command loads some three hundred of them.

`dataclasses.dataclass` writes and compiles six methods for each frozen class. Here only
``__init__`` is written, and all classes share the others, so that a command starts a tenth
of a second earlier. Classes of others may inherit from these by `dataclasses.dataclass`.
"""

from __future__ import annotations

import dataclasses
from functools import cache, partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, repr=True, kw_only=False):  # noqa: A002
        """`dataclasses.dataclass`, by the parameters that are in use."""
        if cls is None:
            return partial(dataclass, frozen=frozen, eq=eq, repr=repr, kw_only=kw_only)
        inherits = dataclasses.is_dataclass(cls)
        if inherits or not frozen:
            return dataclasses.dataclass(cls, frozen=frozen, eq=eq, repr=repr, kw_only=kw_only)
        shared = {"__setattr__": _set_first, "__delattr__": _refuse_to_delete}
        if eq:
            shared |= {"__eq__": _equal, "__hash__": _hash}
        if repr:
            shared["__repr__"] = _repr
        own = {name for name, value in vars(cls).items() if value is not None}
        dataclasses.dataclass(cls, eq=False, repr=False, kw_only=kw_only)
        for name in shared.keys() - own:
            setattr(cls, name, shared[name])
        # As others see it: what inherits from a frozen class has to be frozen.
        parameters = cls.__dataclass_params__
        parameters.frozen, parameters.eq, parameters.repr = True, eq, repr
        return cls


@cache
def _compared(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.compare)


@cache
def _shown(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.repr)


def _values(instance: Any) -> tuple[Any, ...]:
    return tuple(getattr(instance, name) for name in _compared(instance.__class__))


def _equal(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


@recursive_repr()
def _repr(self: Any) -> str:
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in _shown(self.__class__))
    return f"{type(self).__qualname__}({values})"


def _set_first(self: Any, name: str, value: object) -> None:
    """What ``__init__`` sets; whatever is set later, or is no field, is refused.

    Plain classes that inherit from a dataclass may have more attributes, as is usual.
    """
    cls = type(self)
    if name in cls.__dataclass_fields__:
        refused = name in vars(self)
    else:
        refused = "__dataclass_fields__" in vars(cls)
    if refused:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if name in type(self).__dataclass_fields__ or "__dataclass_fields__" in vars(type(self)):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)
