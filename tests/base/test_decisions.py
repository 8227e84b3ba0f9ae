"""A class of decisions checks what it is given, by its declarations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any, Literal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.salads import Dressing, Oil
from cranfield.base.decisions import (
    Table,
    decisions,
    declared,
    default_of,
    is_decisions,
    parameter,
    parameters,
)
from cranfield.base.errors import (
    BadDecisions,
    BadParameter,
    CranfieldError,
    MissingParameter,
    OptionError,
    UnknownParameter,
)


@decisions("bread")
@dataclass(frozen=True, kw_only=True)
class Bread:
    slices: int = parameter(2, "How many slices.", at_least=1)
    toasted: Literal["no", "lightly", "well"] = parameter("no", "How it is toasted.")


def doubled(given: Any) -> int:
    if not isinstance(given, int):
        raise OptionError("it is not countable.").within("inner")
    return given * 2


@decisions("lunch", listed=True, renamed={"drink": "it is now drinks."})
@dataclass(frozen=True, kw_only=True)
class Lunch:
    guests: int = parameter(text="How many come.", at_least=1)
    dressing: Dressing = parameter("oil(drops=5)", "What goes on the salad.", code="A1")
    course: Literal["one", "three"] = parameter("one", "How much there is.", code="B1")
    bread: Bread = parameter(Bread(), "What goes with it.")
    more: Bread | None = parameter(None, "A second bread.", none="nothing")
    eggs: int = parameter(1, "Pairs of eggs.", read=doubled)
    table: Any = parameter(None, "Where it is served.", flag="place")
    named: Mapping[str, Any] = parameter(Table(), "Who sits where.")


def test_what_is_given_becomes_what_is_declared() -> None:
    made = Lunch(guests=2.0, dressing="oil(drops=7)", bread={"slices": 3}, more="nothing")  # type: ignore[arg-type]
    assert made.guests == 2
    assert isinstance(made.guests, int)
    assert made.dressing == Oil(drops=7)
    assert made.bread == Bread(slices=3)
    assert made.more is None
    assert Lunch(guests=1).dressing == Oil(drops=5) == default_of(Lunch, "dressing")


def test_a_reader_makes_the_value_and_its_problems_have_their_path() -> None:
    assert Lunch(guests=1, eggs=3).eggs == 6
    with pytest.raises(OptionError) as caught:
        Lunch(guests=1, eggs="many")  # type: ignore[arg-type]
    assert caught.value.problems == (("eggs.inner", "it is not countable."),)


def test_what_replaces_a_decision_is_checked_too() -> None:
    made = Lunch(guests=1)
    assert replace(made, course="three").course == "three"
    with pytest.raises(BadParameter, match=r'"thre" is not one of one, three\. Did you mean "thr'):
        replace(made, course="thre")  # type: ignore[arg-type]
    with pytest.raises(FrozenInstanceError):
        made.course = "three"  # type: ignore[misc]


def test_only_what_is_listed_says_how_to_list_it() -> None:
    with pytest.raises(BadParameter, match=r"`cranfield options course` explains them\.$"):
        Lunch(guests=1, course="two")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match=r"is not one of no, lightly, well\.$"):
        Bread(toasted="black")  # type: ignore[arg-type]


def test_all_problems_are_told_at_once_with_their_paths() -> None:
    with pytest.raises(BadDecisions) as caught:
        Lunch(bread={"slices": 0, "toasted": "wel"}, dressing="oyl", gests=3, drink=1)  # type: ignore[call-arg, arg-type]
    told = dict(caught.value.problems)
    assert list(told) == ["bread.slices", "bread.toasted", "dressing", "gests", "drink", "guests"]
    assert told["guests"] == "it must be given: how many come."
    assert told["gests"].startswith('lunch has no decision "gests". Did you mean "guests"?')
    assert told["drink"] == "it is now drinks."
    assert str(caught.value).splitlines()[0] == (
        "lunch, bread.slices: 0 is not a whole number of at least 1."
    )


def test_an_option_says_all_that_is_wrong_with_it_too() -> None:
    with pytest.raises(BadDecisions) as caught:
        Oil(drops=0, share=2, bottle="x")  # type: ignore[call-arg]
    assert [path for path, _ in caught.value.problems] == ["drops", "share", "bottle"]
    with pytest.raises(
        UnknownParameter, match=r'oil has no parameter "drps"\. Did you mean "drops"'
    ):
        Oil(drps=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Oil(3)  # type: ignore[call-arg]


def test_what_is_no_table_is_refused_where_one_is_declared() -> None:
    with pytest.raises(BadParameter, match="bread: 5 is not a table of slices, toasted"):
        Lunch(guests=1, bread=5)  # type: ignore[arg-type]


def test_declarations_tell_all_there_is_to_know() -> None:
    known = {each.path: each for each in declared(Lunch)}
    assert list(known) == [
        "guests", "dressing", "course", "bread.slices", "bread.toasted", "more.slices",
        "more.toasted", "eggs", "table", "named",
    ]  # fmt: skip
    assert known["course"].answers == ("one", "three")
    assert known["bread.toasted"].owner is Bread
    assert known["guests"].required
    assert not known["course"].required
    assert (known["dressing"].code, known["table"].flag) == ("A1", "place")
    assert known["bread.slices"].check(3) == 3
    with pytest.raises(BadParameter):
        known["bread.slices"].check(0)
    assert [each.name for each in parameters(Bread)] == ["slices", "toasted"]
    assert is_decisions(Bread())
    assert not is_decisions(Oil())


def test_metadata_of_others_is_left_alone() -> None:
    @decisions("other")
    @dataclass(frozen=True, kw_only=True)
    class Other:
        size: int = field(default=1, metadata={"unit": "cm", "text": "How long it is."})

    assert [each.text for each in parameters(Other)] == ["How long it is."]


def test_tables_made_in_python_are_equal_to_themselves_alone() -> None:
    frame, other = pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]})
    one = Lunch(guests=1, table=frame, named={"x": frame})
    assert one == Lunch(guests=1, table=frame, named={"x": frame})
    assert hash(one) == hash(Lunch(guests=1, table=frame, named={"x": frame}))
    assert one != Lunch(guests=1, table=other, named={"x": frame})
    assert one != Lunch(guests=1, table=frame, named={"x": other})
    assert one != object()


@given(st.integers(-3, 9), st.sampled_from(["no", "lightly", "well", "so", ""]))
def test_a_choice_exists_only_if_all_its_decisions_are_right(slices: int, toasted: Any) -> None:
    right = slices >= 1 and toasted in ("no", "lightly", "well")
    if right:
        made = Bread(slices=slices, toasted=toasted)
        assert (made.slices, made.toasted) == (slices, toasted)
        assert replace(made) == made
        return
    with pytest.raises(CranfieldError) as caught:
        Bread(slices=slices, toasted=toasted)
    assert len(caught.value.problems) == (slices < 1) + (toasted in ("so", ""))


def test_a_parameter_without_default_is_asked_for() -> None:
    from base.salads import Soup

    with pytest.raises(MissingParameter, match=r"soup needs litres: How much of it\."):
        Soup()
    with pytest.raises(BadDecisions, match=r"lunch, guests: it must be given: how many come\."):
        Lunch()


def test_an_error_knows_where_it_stands() -> None:
    error = OptionError("wrong.")
    assert error.problems == (("", "wrong."),)
    assert error.within("[2]").within("metrics").problems == (("metrics[2]", "wrong."),)
    assert error.within("study").problems == (("study.metrics[2]", "wrong."),)
    assert str(error) == "wrong."


def test_a_parameter_says_which_range_is_worth_trying() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Oven:
        heat: float = parameter(180, "Degrees.", above=0, tune="100..250")
        timer: bool = parameter(False, "Whether it stops by itself.")

    assert [each.tune for each in parameters(Oven)] == ["100..250", ""]
