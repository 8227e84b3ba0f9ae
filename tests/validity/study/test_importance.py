from __future__ import annotations

from itertools import combinations
from math import inf, nan
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.designs import factors_of
from cranfield.validity.study.importance import (
    OneDecisionPairs,
    importance,
    importance_of_effect,
    one_decision_pairs,
)
from cranfield.validity.study.pair_outcomes import pair_outcomes
from design_cases import crossed, designs_of, duel
from suites import tries

CROSS = crossed({"cutoff": [5, 10, 20], "gain": ["binary", "rating"]})


def test_the_decision_that_explains_most_comes_first() -> None:
    designs = duel(CROSS, lambda row: 0.1 * (row["gain"] == "binary") + 0.001 * row["cutoff"])
    found = importance_of_effect(pair_outcomes(designs, "AB"))
    assert [row.decision for row in found.decisions] == ["gain", "cutoff"]
    # variances: of the gain 0.05², of cut-offs 5, 10, 20 in thousandths 38.9e-6
    gain, cutoff = 0.05**2, np.var([0.005, 0.01, 0.02])
    assert found.decisions[0].share == pytest.approx(gain / (gain + cutoff))
    assert found.explained == pytest.approx(1)
    assert found.interacting == pytest.approx(0, abs=1e-9)


def test_what_only_two_decisions_together_explain_is_their_interaction() -> None:
    square = crossed({"a": ["x", "y"], "b": ["p", "q"]})
    designs = duel(square, lambda row: 0.1 if (row["a"] == "x") == (row["b"] == "p") else -0.1)
    found = importance_of_effect(pair_outcomes(designs, "AB"))
    assert found.explained == pytest.approx(0, abs=1e-12)
    assert found.interacting == pytest.approx(1)
    assert found.interactions[0].share == pytest.approx(1)


def test_interactions_that_no_design_shows_are_unknown() -> None:
    one_at_a_time = CROSS[[0, 1, 2, 4]]
    found = importance(factors_of(one_at_a_time), np.array([1.0, 2.0, 3.0, 5.0]), "effect")
    assert found.interacting is None
    assert [pair.share for pair in found.interactions] == pytest.approx([0])


def test_undefined_and_infinite_outcomes_are_left_out() -> None:
    outcome = np.array([1.0, nan, 2.0, inf, 3.0, 4.0])
    found = importance(factors_of(CROSS), outcome, "effect")
    assert (found.designs, found.left_out) == (4, 2)
    assert importance(factors_of(CROSS), np.full(6, nan), "effect").explained == 0


def test_variation_by_rounding_alone_is_none() -> None:
    found = importance(factors_of(CROSS), 0.3 + np.array([0, 1, 0, 1, 0, 1]) * 1e-16, "effect")
    assert found.explained == 0


def test_designs_without_decisions_have_no_importance() -> None:
    found = importance(factors_of(crossed({"a": [1]}).drop("a")), np.zeros(0), "effect")
    assert found.decisions == ()


def test_pairs_of_designs_that_flip_are_counted_by_decision() -> None:
    designs = duel(CROSS, lambda row: 0.1 if row["cutoff"] == 5 else -0.1)
    rows = {
        row.decision: row.flips
        for row in importance_of_effect(pair_outcomes(designs, "AB")).decisions
    }
    assert rows["cutoff"] is not None
    assert (rows["cutoff"].compared, rows["cutoff"].reversed) == (6, 4)
    assert rows["gain"] is not None
    assert rows["gain"].flipped == 0


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.integers(-5, 5), min_size=6, max_size=6))
def test_shares_add_up_to_what_is_explained_and_never_exceed_all(numbers: list[int]) -> None:
    found = importance(factors_of(CROSS), np.array(numbers, dtype=float), "effect")
    assert sum(row.share for row in found.decisions) == pytest.approx(found.explained, abs=1e-9)
    assert found.explained + (found.interacting or 0) <= 1 + 1e-9
    # two decisions fully crossed leave nothing but their interaction
    if found.spread:
        assert found.explained + (found.interacting or 0) == pytest.approx(1, abs=1e-9)
    assert sorted(found.decisions, key=lambda row: -round(row.share, 12)) == list(found.decisions)


def test_designs_without_a_winner_disagree_with_no_other() -> None:
    table = crossed({"cutoff": [5, 10, 20, 50]})
    designs = designs_of(table, [[0.6, 0.5], [0.4, 0.5], [0.6, 0.5], [np.nan, 0.5]])
    (row,) = importance_of_effect(pair_outcomes(designs, "AB")).decisions
    # three designs make 3·2/2 pairs, and two of them hold the one that B wins
    assert row.flips == OneDecisionPairs(compared=3, flipped=2, reversed=2)


row = st.tuples(
    st.sampled_from([1, 2, 3, None]), st.sampled_from(["x", "y", None]), st.sampled_from(["p", "q"])
)
universes = st.sets(row, min_size=1, max_size=20).flatmap(
    lambda rows: st.tuples(
        st.just(sorted(rows, key=str)),
        st.lists(st.sampled_from([-1, 0, 1]), min_size=len(rows), max_size=len(rows)),
        st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)),
    )
)


def by_definition(rows: list[Any], outcome: list[int], place: int) -> tuple[int, int]:
    """All pairs that differ in one decision alone, and those with opposite outcomes."""
    compared = flipped = 0
    for one, two in combinations(range(len(rows)), 2):
        both = [
            place
            for place in range(3)
            if rows[one][place] is not None and rows[two][place] is not None
        ]
        if [other for other in both if rows[one][other] != rows[two][other]] == [place]:
            compared += 1
            flipped += outcome[one] * outcome[two] == -1
    return compared, flipped


@settings(deadline=None, max_examples=tries(150))
@given(universes)
def test_pairs_that_differ_in_one_decision_are_those_of_the_definition(universe: Any) -> None:
    rows, winners, sure = universe
    significant = [winner if certain else 0 for winner, certain in zip(winners, sure, strict=True)]
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.String}
    factors = factors_of(pl.DataFrame(rows, schema=schema, orient="row"))
    found = one_decision_pairs(factors, np.array(winners), np.array(significant))
    for place in range(3):
        compared, flipped = by_definition(rows, winners, place)
        turned = by_definition(rows, significant, place)[1]
        assert found[place] == OneDecisionPairs(compared, flipped, turned)


def test_a_cross_has_every_pair_of_answers_under_each_combination_of_the_others() -> None:
    factors = factors_of(crossed({"cutoff": [5, 10, 20], "gain": ["binary", "rating"]}))
    # A wins at 5 whatever the gain, B elsewhere
    winners = np.array([1, 1, -1, -1, -1, -1])
    cutoff, gain = one_decision_pairs(factors, winners, winners)
    assert cutoff == OneDecisionPairs(
        2 * 3, 2 * 2, 2 * 2
    )  # pairs 5–10 and 5–20 flip, 10–20 does not
    assert gain == OneDecisionPairs(3 * 1, 0, 0)


def test_a_metric_without_gain_differs_in_one_decision_from_one_with_any_gain() -> None:
    table = pl.DataFrame({"metric": ["P", "nDCG", "nDCG"], "gain": [None, "binary", "rating"]})
    metric, gain = one_decision_pairs(
        factors_of(table), np.array([1, -1, 1]), np.zeros(3, dtype=int)
    )
    assert metric == OneDecisionPairs(2, 1, 0)
    assert gain == OneDecisionPairs(1, 1, 0)
