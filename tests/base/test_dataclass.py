"""Dataclasses that load fast behave as those of the standard library."""

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from functools import cached_property
from typing import Any

import pytest

from cranfield.base.dataclass import dataclass

Way = Callable[..., Any]


def make(way: Way, **given: bool) -> Any:
    @way(frozen=True, **given)
    class Setting:
        """Three values and what follows from them."""

        depth: int
        name: str = "AP"
        found: list[int] = field(default_factory=list, compare=False, repr=False)

        def __post_init__(self) -> None:
            if self.depth < 1:
                raise ValueError(self.depth)

        @cached_property
        def doubled(self) -> int:
            return 2 * self.depth

    return Setting


@pytest.fixture(
    params=[{}, {"kw_only": True}, {"eq": False}, {"eq": False, "repr": False}], ids=str
)
def both(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    return make(dataclass, **request.param), make(dataclasses.dataclass, **request.param)


def test_shown_and_compared_alike(both: tuple[Any, Any]) -> None:
    ours, theirs = both
    for cls in both:
        assert cls(depth=3).doubled == 6
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert ours.__match_args__ == theirs.__match_args__
    assert repr(ours.__dataclass_params__) == repr(theirs.__dataclass_params__)
    shown = [repr(cls(depth=3, found=[1])).split(" object at ")[0] for cls in both]
    assert shown[0] == shown[1]
    for other in ({"depth": 3}, {"depth": 3, "found": [1]}, {"depth": 4}):
        same = [cls(depth=3) == cls(**other) for cls in both]
        hashes = [hash(cls(depth=3)) == hash(cls(**other)) for cls in both]
        assert same[0] == same[1]
        assert hashes[0] == hashes[1]
    assert ours(depth=3) != theirs(depth=3)


def test_parameters_of_constructor(both: tuple[Any, Any]) -> None:
    for cls in both:
        with pytest.raises(TypeError, match="depth"):
            cls()
        with pytest.raises(ValueError, match="0"):
            cls(depth=0)
        assert replace(cls(depth=3), depth=4).depth == 4
        assert [each.name for each in fields(cls)] == ["depth", "name", "found"]


@pytest.mark.parametrize("name", ["depth", "found", "other"])
def test_instances_stay_as_they_are(both: tuple[Any, Any], name: str) -> None:
    for cls in both:
        instance = cls(depth=3)
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(instance, name, 4)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(instance, name)
        assert vars(instance) == {"depth": 3, "name": "AP", "found": []}


def test_methods_of_the_class_are_kept() -> None:
    @dataclass(frozen=True)
    class Named:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Named) and self.name.lower() == other.name.lower()

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return f"<{self.name}>"

    assert Named("a") == Named("A")
    assert hash(Named("a")) == 7
    assert repr(Named("a")) == "<a>"


@pytest.mark.parametrize("way", [dataclass, dataclasses.dataclass])
def test_inheritance(way: Way) -> None:
    parent = make(dataclass)

    @way(frozen=True)
    class Child(parent):  # type: ignore[misc, valid-type]
        shape: str = "flat"

    assert repr(Child(2)).endswith("Child(depth=2, name='AP', shape='flat')")
    assert Child(2) == Child(2) != Child(2, shape="deep")
    assert Child(2) != parent(2)
    with pytest.raises(FrozenInstanceError):
        Child(2).shape = "deep"
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        way(type("Loose", (parent,), {}))


def test_plain_children_may_have_more_attributes() -> None:
    for way in (dataclass, dataclasses.dataclass):
        child = type("Child", (make(way),), {})(3)
        child.more = 5
        assert child.more == 5
        del child.more
        with pytest.raises(FrozenInstanceError):
            child.depth = 4


def test_one_that_holds_itself_is_shown() -> None:
    instance = make(dataclass)(3, name=[])
    instance.name.append(instance)
    assert repr(instance).endswith("Setting(depth=3, name=[...])")


@dataclass(frozen=True)
class Sent:
    """One that a process sends to another."""

    name: str
    size: int = 1


def test_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Sent("a", 2))) == Sent("a", 2)


def test_those_that_change_are_the_usual_ones() -> None:
    @dataclass
    class Count:
        n: int = 0

    count = Count()
    count.n += 1
    assert count == Count(1)
    assert Count.__hash__ is None
