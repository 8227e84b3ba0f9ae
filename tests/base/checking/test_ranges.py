"""Ranges over which parameters are tuned: how they are spelled, checked, drawn from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.checking.ranges import Choice, Range, is_tuned
from cranfield.base.decisions import declared_range
from cranfield.base.errors import CranfieldError
from cranfield.base.options import contract, from_table, option, parameter, parse, to_table
from cranfield.base.options import spell_fully as fully


@contract("spice", tunable=True)
class Spice(Protocol):
    """What goes into a stew."""


@option("spice", "salt")
@dataclass(frozen=True, kw_only=True)
class Salt(Spice):
    """Salt."""

    grams: float = parameter(3.0, "How much.", above=0, tune="0.1..30, log")


@option("spice", "bay-leaf")
@dataclass(frozen=True, kw_only=True)
class BayLeaf(Spice):
    """Leaves."""

    leaves: int = parameter(1, "How many.", at_least=1)


@contract("stew", tunable=True)
class Stew(Protocol):
    """What is cooked long."""


@option("stew", "ragout")
@dataclass(frozen=True, kw_only=True)
class Ragout(Stew):
    """A stew with everything that can be tuned."""

    hours: int = parameter(3, "How long.", at_least=1, tune="1..12")
    heat: float = parameter(90.0, "Degrees.", above=0, below=250)
    lid: bool = parameter(True, "Whether it has a lid.", tune="[true, false]")
    served: Literal["hot", "cold"] = parameter("hot", "How it is served.")
    spice: Spice = parameter("salt", "What goes in.", tune="salt(tune), bay-leaf")
    water: float | None = parameter(None, "Litres; by default enough.", at_least=0)


SALT: Any = Salt
LEAF: Any = BayLeaf
"""As type checkers do not know them: parameters may be ranges."""


def ragout(text: str) -> Any:
    return parse("stew", text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ragout(hours=tune(2..10))", {"hours": Range(2, 10)}),
        ("ragout(heat=tune(60..200))", {"heat": Range(60, 200)}),
        ("ragout(heat=tune(60.0..200, log))", {"heat": Range(60.0, 200, log=True)}),
        ("ragout(heat=tune(1e-05..0.5))", {"heat": Range(1e-5, 0.5)}),
        ("ragout(hours=tune([2, 5]))", {"hours": Choice((2, 5))}),
        ("ragout(served=tune([hot, cold]))", {"served": Choice(("hot", "cold"))}),
        ("ragout(water=tune([none, 1.5]))", {"water": Choice((None, 1.5))}),
        (
            "ragout(spice=tune(salt(grams=tune(1..5)), bay-leaf(leaves=tune([1, 2]))))",
            {"spice": Choice((SALT(grams=Range(1, 5)), LEAF(leaves=Choice((1, 2)))))},
        ),
        ("ragout(spice=salt(grams=tune(1.0..5)))", {"spice": SALT(grams=Range(1.0, 5))}),
    ],
)  # fmt: skip
def test_a_range_is_part_of_the_spelling(text: str, values: dict[str, Any]) -> None:
    made = ragout(text)
    assert made == Ragout(**values)
    assert str(made) == text
    assert ragout(fully(made)) == made
    assert from_table("stew", to_table(made)) == made


def test_numbers_are_whole_if_both_ends_are() -> None:
    assert Range(1, 5).whole
    assert not Range(1.0, 5).whole
    assert Range(1, 5) != Range(1.0, 5.0)
    assert ragout("ragout(hours=tune(1.0..5.0))").hours.whole  # hours are whole anyway
    assert ragout("ragout(heat=tune(1..5))").heat.whole
    assert str(ragout("ragout(heat=tune(1.0..5))")) == "ragout(heat=tune(1.0..5))"


def test_the_word_alone_takes_the_declared_range() -> None:
    assert ragout("ragout(hours=tune)") == ragout("ragout(hours=tune(1..12))")
    assert str(ragout("ragout(hours=tune(1..12))")) == "ragout(hours=tune)"
    assert "hours=tune(1..12)" in fully(ragout("ragout(hours=tune)"))
    assert from_table("stew", {"name": "ragout", "hours": "tune"}).hours == Range(1, 12)
    assert Ragout(hours=" Tune ").hours == Range(1, 12)  # type: ignore[arg-type]


def test_tune_in_place_of_parameters_takes_all_declared_ranges() -> None:
    made = ragout("ragout(tune, heat=70)")
    spices = Choice((SALT(grams=Range(0.1, 30, log=True)), BayLeaf()))
    assert made == Ragout(
        hours=Range(1, 12), lid=Choice((True, False)), spice=spices, heat=70  # type: ignore[arg-type]
    )  # fmt: skip
    assert str(made) == "ragout(tune, heat=70)"
    assert ragout(str(made)) == made
    assert str(ragout("ragout(tune, hours=2)")) == "ragout(hours=2, lid=tune, spice=tune)"
    assert declared_range(Ragout, "spice") == spices
    assert declared_range(Ragout, "heat") is None


WRONG = {
    "ragout(hours=tune(0..5))": "hours: 0 is not a whole number of at least 1.",
    "ragout(hours=tune(1.5..5))": "hours: 1.5 is not a whole number of at least 1.",
    "ragout(hours=tune(5..5))": '"tune(5..5)" is not a range: the first number',
    "ragout(heat=tune(10..250))": "heat: 250 is not a number above 0 and below 250.",
    "ragout(heat=tune(a..5))": '"tune(a..5)" is not a range such as tune(10..500)',
    "ragout(heat=tune(1..5, lgo))": '"tune(1..5, lgo)" is not a range such as',
    "ragout(heat=tune(1..5, log, log))": "is not a range such as",
    "ragout(heat=tune(1..inf))": "heat: inf is not a finite number",
    "ragout(heat=tune(low=1))": '"tune(low=1)" is not a range such as',
    "ragout(heat=tune([]))": '"tune()" is not a list of values, each of them once.',
    "ragout(hours=tune([2, 2.0]))": "is not a list of values, each of them once.",
    "ragout(hours=tune([2, 0]))": "hours: 0 is not a whole number of at least 1.",
    "ragout(hours=tune([2, tune(3..4)]))": "is not a list of values: a range is no value.",
    "ragout(heat=tune)": '"tune" is not enough, as no range is declared. Give one, such as tune(',
    "ragout(water=tune(0..5, log))": "is not a range by orders of magnitude: it must begin above 0",
    "ragout(served=tune([hot, cool]))": '"cool" is not one of hot, cold.',
    "ragout(served=tune(1..2))": "served: 1 is not one of hot, cold.",
    "ragout(spice=tune(pepper))": 'no spice is called "pepper"',
    "ragout(spice=tune(1..2))": 'no spice is called "1"',
    "bay-leaf(tune)": "bay-leaf declares nothing to tune. Give ranges, as in k=tune(10..500).",
    "ragout(tune, hours=2, hours=3)": '"hours" only once',
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_range_is_refused_in_words(text: str) -> None:
    with pytest.raises(CranfieldError, match=re.escape(WRONG[text])):
        parse("spice" if text.startswith("bay") else "stew", text)


def test_options_of_other_decisions_take_no_range() -> None:
    @contract("cup")
    class Cup(Protocol):
        """What is drunk from."""

    @option("cup", "mug")
    @dataclass(frozen=True, kw_only=True)
    class Mug(Cup):
        """A mug."""

        litres: float = parameter(0.3, "How much is in it.")

    with pytest.raises(CranfieldError, match=r"mug, litres: tune\(1\.\.2\) is not a number"):
        parse("cup", "mug(litres=tune(1..2))")
    with pytest.raises(TypeError, match="glass, litres: parameters of a cup are not tuned"):

        @option("cup", "glass")
        @dataclass(frozen=True, kw_only=True)
        class Glass(Cup):
            """A glass."""

            litres: float = parameter(0.2, "How much is in it.", tune="0.1..1")


def test_a_declared_range_is_checked_with_the_declaration() -> None:
    with pytest.raises(CranfieldError, match="hours: 0 is not a whole number of at least 1"):

        @option("stew", "gulash")
        @dataclass(frozen=True, kw_only=True)
        class Goulash(Stew):
            """A stew whose range begins too low."""

            hours: int = parameter(3, "How long.", at_least=1, tune="0..12")


def test_what_replaces_a_range_is_a_value_again() -> None:
    assert replace(ragout("ragout(hours=tune)"), hours=4) == Ragout(hours=4)


def test_only_ranges_ask_to_tune() -> None:
    assert all(map(is_tuned, ("tune", "Tune", "tune(1..2)", Range(1, 2), Choice((1, 2)))))
    assert not any(map(is_tuned, ("tuned", "tune(", "tuner()", 3, None, ["tune"])))


# Drawing

FLOATS = st.floats(1e-6, 1e6)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    numbers = st.integers(1, 10**6) if draw(st.booleans()) else FLOATS
    low, high = sorted(draw(st.lists(numbers, min_size=2, max_size=2, unique=True)))
    return Range(low, high, log=draw(st.booleans()))


@given(ranges(), st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True))
def test_what_is_drawn_lies_in_the_range_and_in_order(over: Range, one: float, two: float) -> None:
    low, high = over.at(min(one, two)), over.at(max(one, two))
    assert over.low <= low <= high <= over.high
    assert isinstance(low, int) == over.whole


@given(ranges(), st.integers(2, 12))
def test_levels_go_from_end_to_end(over: Range, count: int) -> None:
    found = over.levels(count)
    assert (found[0], found[-1]) == (over.low, over.high)
    assert 2 <= len(found) <= count
    assert all(one < two for one, two in pairwise(found))
    assert over.low <= over.middle <= over.high


def test_whole_numbers_are_equally_likely() -> None:
    shares = [(step + 0.5) / 1000 for step in range(1000)]
    drawn = [Range(1, 10).at(share) for share in shares]
    assert {value: drawn.count(value) for value in range(1, 11)} == dict.fromkeys(range(1, 11), 100)


def test_equal_ratios_are_equally_likely_by_orders_of_magnitude() -> None:
    shares = [(step + 0.5) / 300 for step in range(300)]
    drawn = [Range(0.01, 10.0, log=True).at(share) for share in shares]
    assert [sum(low <= each < low * 10 for each in drawn) for low in (0.01, 0.1, 1)] == [100] * 3


def test_ends_of_a_range_are_known() -> None:
    assert [Range(1, 5).end_of(value) for value in (1, 3, 5, None)] == ["lowest", "", "highest", ""]
    assert Range(0.5, 2).end_of(2.0) == "highest"


@st.composite
def tuned(draw: st.DrawFn) -> Ragout:
    def perhaps(range_: st.SearchStrategy[Any], value: st.SearchStrategy[Any]) -> Any:
        return draw(range_ | value)

    heats = FLOATS.filter(lambda value: value < 250)
    spice = st.builds(Salt, grams=ranges() | FLOATS) | st.builds(
        BayLeaf, leaves=st.lists(st.integers(1, 9), min_size=1, unique=True).map(as_choice)
    )
    return Ragout(
        hours=perhaps(ranges().filter(lambda each: each.whole), st.integers(1, 9)),
        heat=perhaps(st.lists(heats, min_size=1, unique=True).map(as_choice), heats),
        lid=perhaps(st.just(Choice((False, True))), st.booleans()),
        served=perhaps(st.just(Choice(("cold", "hot"))), st.sampled_from(["hot", "cold"])),
        spice=perhaps(
            st.lists(spice, min_size=1, max_size=3).map(lambda each: as_choice(distinct(each))),
            spice,
        ),
        water=perhaps(ranges(), st.none() | FLOATS),
    )


def as_choice(values: Any) -> Choice:
    return Choice(tuple(values))


def distinct(values: list[Any]) -> Iterator[Any]:
    return (each for number, each in enumerate(values) if each not in values[:number])


@given(tuned())
def test_every_spelling_with_ranges_reads_back(made: Ragout) -> None:
    for text in (str(made), fully(made)):
        assert ragout(text) == made
        assert str(ragout(text)) == str(made)
    assert from_table("stew", to_table(made)) == made
    assert hash(ragout(str(made))) == hash(made)
