"""Parameters: the fields of an option, as declared and as users write them."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any, cast, get_type_hints

from cranfield.base.values import Bounds


@dataclass(frozen=True)
class Parameter:
    """What a user may know of one parameter of an option."""

    name: str
    type: Any
    default: object
    text: str
    bounds: Bounds
    aliases: tuple[str, ...]

    @property
    def required(self) -> bool:
        """Whether the parameter must be given."""
        return self.default is dataclasses.MISSING


def parameter(
    default: Any = dataclasses.MISSING,
    text: str = "",
    *,
    above: float | None = None,
    below: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    aliases: tuple[str, ...] = (),
) -> Any:
    """A field of an option: its default, what it means, and the values it can take."""
    bounds = Bounds(above=above, below=below, at_least=at_least, at_most=at_most)
    metadata = {"text": text, "bounds": bounds, "aliases": aliases}
    return dataclasses.field(default=default, metadata=metadata)


def parameters(cls: type) -> tuple[Parameter, ...]:
    """The parameters of an option, in the order of their declaration."""
    return _parameters(cast(Any, cls))


@functools.cache
def _parameters(cls: Any) -> tuple[Parameter, ...]:
    hints = get_type_hints(cls)
    return tuple(
        Parameter(
            field.name,
            hints[field.name],
            _default(field),
            field.metadata.get("text", ""),
            field.metadata.get("bounds", Bounds()),
            field.metadata.get("aliases", ()),
        )
        for field in dataclasses.fields(cls)
        if field.init
    )


def _default(field: dataclasses.Field[Any]) -> object:
    if field.default_factory is dataclasses.MISSING:
        return field.default
    return field.default_factory()


def fold(name: str) -> str:
    """A name without what users type differently: case, hyphens, underscores, blanks."""
    return "".join(c for c in name.casefold() if c not in "-_ ")


def written(field: str) -> str:
    """A field's name as users write it: ``as_`` is written ``as``."""
    return field.rstrip("_")
