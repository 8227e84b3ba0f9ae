"""The state of a claim: one of eight, whatever its figures say."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.workbench.reproduction.states import (
    CONTRADICTED,
    EXPLAINED,
    FAILS,
    HOLDS,
    IN_DRAWS,
    STATES,
    THEIRS_ONLY,
    UNTESTED,
    WITH_FAULT,
    Kind,
    Support,
    Verdict,
    counted_kind,
    held_in_draw,
    supports_of,
)

KINDS: tuple[Kind, ...] = ("paper", "stand-in", "authors", "fault")


@st.composite
def supports(draw: st.DrawFn) -> Support:
    tested = draw(st.integers(0, 4))
    panel = draw(st.sampled_from(["", "A", "B instead of C"]))
    return Support(draw(st.sampled_from(KINDS)), panel, draw(st.integers(0, tested)), tested)


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    draws = draw(st.integers(1, 5))
    some = tuple(draw(st.lists(supports(), max_size=5)))
    return Verdict(
        supports=some,
        draws=draws,
        draws_held=draw(st.integers(0, draws)),
        explained=draw(st.booleans()),
    )


def expected(verdict: Verdict) -> str:
    """The same by plain sums."""

    def counts(kind: Kind) -> tuple[int, int]:
        mine = [each for each in verdict.supports if each.kind == kind]
        return sum(each.held for each in mine), sum(each.tested for each in mine)

    (held, tested), (theirs, asked) = counts("paper"), counts("authors")
    faulty, tried = counts("fault")
    if tested + asked == 0:
        return UNTESTED
    if tested == 0:
        ours = True
    elif verdict.draws == 1:
        ours = held == tested
    else:
        ours = verdict.draws_held == verdict.draws
    if ours and theirs == asked:
        return HOLDS
    if tried and faulty == tried:
        return WITH_FAULT
    if theirs < asked:
        return CONTRADICTED
    if verdict.draws > 1 and verdict.draws_held > 0:
        return IN_DRAWS
    if asked:
        return THEIRS_ONLY
    return EXPLAINED if verdict.explained else FAILS


@given(verdicts())
def test_the_state_follows_from_the_counts(verdict: Verdict) -> None:
    assert verdict.kind == expected(verdict)
    assert counted_kind(verdict.state) == verdict.kind
    assert verdict.kind in STATES


@given(verdicts())
def test_what_stands_in_decides_nothing(verdict: Verdict) -> None:
    others = tuple(each for each in verdict.supports if each.kind != "stand-in")
    rest = replace(verdict, supports=others)
    assert rest.state == verdict.state


@given(verdicts())
def test_what_is_said_names_every_data_set(verdict: Verdict) -> None:
    said = verdict.said("T")
    for each in verdict.supports:
        if each.kind != "fault":
            assert each.panel.partition(" instead of ")[0] in said
    assert ("with the fault of T" in said) == bool(verdict.total("fault").tested)
    assert said


@pytest.mark.parametrize(
    ("support", "said"),
    [
        (Support("paper", "A", 3, 3), "holds on A"),
        (Support("paper", "", 3, 3), "holds"),
        (Support("paper", "A", 0, 1), "does not hold on A"),
        (Support("paper", "A", 0, 3), "does not hold on A (3 figures)"),
        (Support("paper", "A", 2, 3), "holds in 2 of 3 figures on A"),
        (Support("stand-in", "B instead of C", 2, 8), "on the stand-in B 2 of 8"),
        (Support("authors", "A", 2, 3), "on the authors' figures A 2 of 3"),
        (Support("authors", "", 2, 3), "on the authors' figures 2 of 3"),
    ],
)
def test_figures_are_told_plainly(support: Support, said: str) -> None:
    assert Verdict(supports=(support,)).said() == said


def test_unknown_rows_say_nothing_and_draws_are_held_by_the_papers_data() -> None:
    rows = pl.DataFrame({"panel": ["A", "A", "B"], "holds": [True, None, False]})
    found = supports_of(rows, "paper", ["B"])
    assert found == [Support("paper", "A", 1, 1), Support("stand-in", "B", 0, 1)]
    assert held_in_draw(found)
    assert not held_in_draw(found[1:])


def test_a_record_has_all_that_decided() -> None:
    made = Verdict(supports=(Support("paper", "A", 1, 2),), draws=3, draws_held=1, decisive=("x",))
    record = made.to_dict()
    assert record["state"] == "holds in 1 of 3 draws"
    assert record["supports"] == [{"kind": "paper", "panel": "A", "held": 1, "tested": 2}]
    assert (record["draws_held"], record["decisive"]) == (1, ["x"])


def test_figures_of_another_paper_are_named() -> None:
    verdict = Verdict(supports=(Support("authors", "A", 1, 2),), authors_of="paper2018")
    assert verdict.said() == "on the authors' figures of paper2018 A 1 of 2"
    assert Verdict(supports=verdict.supports).said() == "on the authors' figures A 1 of 2"


def test_data_sets_are_told_in_one_order_whatever_that_of_rows() -> None:
    rows = pl.DataFrame({"panel": ["B", "A", "B"], "holds": [True, False, True]})
    found = [supports_of(each, "paper") for each in (rows, rows.reverse())]
    assert found[0] == found[1] == [Support("paper", "A", 0, 1), Support("paper", "B", 2, 2)]
