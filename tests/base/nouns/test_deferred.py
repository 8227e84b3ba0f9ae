"""Deferred fields: computed when they are first read, and once."""

from __future__ import annotations

import pickle
from dataclasses import asdict, dataclass, replace
from functools import partial

import pytest

from cranfield.base.nouns.deferred import deferred

CALLS: list[float] = []


def computed(value: float) -> float:
    CALLS.append(value)
    return value


@dataclass(frozen=True)
class Noun:
    """A noun with a field that takes a while."""

    name: str
    low: float = deferred()


@pytest.fixture(autouse=True)
def _uncalled() -> None:
    CALLS.clear()


def test_a_field_is_computed_when_it_is_first_read_and_once() -> None:
    noun = Noun("one", partial(computed, 0.5))  # type: ignore[arg-type]
    assert CALLS == []
    assert (noun.low, noun.low) == (0.5, 0.5)
    assert CALLS == [0.5]


def test_a_deferred_field_equals_one_that_is_given() -> None:
    later = Noun("one", partial(computed, 0.5))  # type: ignore[arg-type]
    assert later == Noun("one", 0.5)
    assert hash(later) == hash(Noun("one", 0.5))
    assert asdict(later) == {"name": "one", "low": 0.5}
    assert replace(later, name="two") == Noun("two", 0.5)


def test_it_can_be_pickled_before_it_is_computed() -> None:
    sent = pickle.loads(pickle.dumps(Noun("one", partial(computed, 0.5))))  # type: ignore[arg-type]
    assert CALLS == []
    assert sent.low == 0.5


def test_it_has_no_default() -> None:
    with pytest.raises(TypeError, match="low"):
        Noun("one")
