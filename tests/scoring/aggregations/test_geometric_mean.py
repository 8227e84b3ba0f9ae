"""Geometric means against SciPy, and the fault of rec_eval where it is asked for."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gmean

from cranfield.base.errors import BadParameter
from cranfield.base.options import parse
from cranfield.scoring.coverage import enter
from score_cases import N, scores_of
from suites import tries

ROWS = st.lists(st.sampled_from([0.0, 1.0, 1e-7]) | st.floats(0, 1), min_size=1, max_size=9)
SOME = settings(deadline=None, max_examples=tries(40))


def value(spelling: str, row: list[float | None], metric: str = "P@10") -> float:
    chosen: Any = parse("aggregation", spelling)
    return float(chosen.of_scores(enter(scores_of({"A": row}, metric=metric), 0, 0)))


@SOME
@given(row=ROWS)
def test_the_geometric_mean_is_that_of_scipy_on_raised_scores(row: list[float]) -> None:
    assert value("geometric-mean", [*row]) == pytest.approx(gmean(np.array(row) + 0.01) - 0.01)


@SOME
@given(row=ROWS)
def test_the_floored_geometric_mean_is_that_of_scipy(row: list[float]) -> None:
    wanted = gmean(np.maximum(row, 1e-5))
    assert value("floored-geometric-mean", [*row]) == pytest.approx(wanted)
    for metric in ("P@10", "AP", "nDCG@10", "Recall@5", "ERR", "Bpref", "a name of others (1"):
        found = value("floored-geometric-mean(as=rec_eval)", [*row], metric)
        assert found == pytest.approx(wanted)


def rec_eval(row: list[float]) -> float:
    """A user without a hit gets no value, and its place in a sum of logarithms stays 0."""
    total = 0.0
    for score in row:
        if score > 0:
            total += log(max(score, 1e-5))
    return exp(total / len(row))


@SOME
@given(row=ROWS)
@pytest.mark.parametrize(
    "metric", ["F1", "F1@10", "set_F", "RR", "RR(relevance=4)@10", "MRR@5", "recip_rank"]
)
def test_rec_eval_counts_a_user_without_a_hit_as_perfect_by_f1_and_rr(
    metric: str, row: list[float]
) -> None:
    found = value("floored-geometric-mean(as=rec_eval)", [*row], metric)
    assert found == pytest.approx(rec_eval(row))


def test_the_fault_can_turn_an_order_around() -> None:
    """Who never finds anything comes out perfect."""
    none, some = [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]
    faulty = "floored-geometric-mean(as=rec_eval)"
    assert value(faulty, [*none], "RR") == 1 > value(faulty, [*some], "RR")
    assert value("floored-geometric-mean", [*none], "RR") < value(
        "floored-geometric-mean", [*some], "RR"
    )


def test_a_user_without_a_list_is_one_without_a_hit() -> None:
    assert value("floored-geometric-mean(as=rec_eval)", [0.25, N], "F1") == pytest.approx(0.5)


def test_a_floor_of_ones_own_does_not_go_with_rec_eval() -> None:
    with pytest.raises(BadParameter, match=r"floor: 0\.1 is not 1e-05, the floor of rec_eval"):
        parse("aggregation", "floored-geometric-mean(floor=0.1, as=rec_eval)")
