from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.factors import factors_of
from cranfield.validity.study.one_decision_pairs import Neighbours, neighbours
from design_cases import crossed

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


@settings(deadline=None, max_examples=150)
@given(universes)
def test_neighbours_are_those_of_the_definition(universe: Any) -> None:
    rows, winners, sure = universe
    significant = [winner if certain else 0 for winner, certain in zip(winners, sure, strict=True)]
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.String}
    factors = factors_of(pl.DataFrame(rows, schema=schema, orient="row"))
    found = neighbours(factors, np.array(winners), np.array(significant))
    for place in range(3):
        compared, flipped = by_definition(rows, winners, place)
        turned = by_definition(rows, significant, place)[1]
        assert found[place] == Neighbours(compared, flipped, turned)


def test_a_cross_has_every_pair_of_answers_under_each_combination_of_the_others() -> None:
    factors = factors_of(crossed({"cutoff": [5, 10, 20], "gain": ["binary", "rating"]}))
    # A wins at 5 whatever the gain, B elsewhere
    winners = np.array([1, 1, -1, -1, -1, -1])
    cutoff, gain = neighbours(factors, winners, winners)
    assert cutoff == Neighbours(2 * 3, 2 * 2, 2 * 2)  # pairs 5–10 and 5–20 flip, 10–20 does not
    assert gain == Neighbours(3 * 1, 0, 0)


def test_a_metric_without_gain_is_the_neighbour_of_one_with_any_gain() -> None:
    table = pl.DataFrame({"metric": ["P", "nDCG", "nDCG"], "gain": [None, "binary", "rating"]})
    metric, gain = neighbours(factors_of(table), np.array([1, -1, 1]), np.zeros(3, dtype=int))
    assert metric == Neighbours(2, 1, 0)
    assert gain == Neighbours(1, 1, 0)
