"""Cells: which of them are ranked together, and what lenient scores are."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from cranfield.workbench.execution.systems.conditions import RankingCondition
from experiment_cases import experiment_of
from hit_cases import POPULARITY, Ranking, hits_of

HITS = hits_of([Ranking((5.0, None, 3.0, 4.0)), Ranking((None, 4.5))])
JUDGED: Any = SimpleNamespace(collection=SimpleNamespace(positives=POPULARITY, has_catalogue=True))
UNFIT = "nDCG(gain=table(gains={1: 0, 5: 1}))@3"
"""A gain that says nothing of a rating of 3, 4 or 4.5."""


def cell_of(*metrics: str, lenient: bool = False, **changes: Any) -> RankingCondition:
    chosen = tuple(parse("metric", each) for each in metrics)
    return RankingCondition(experiment=experiment_of(**changes), metrics=chosen, lenient=lenient)


def test_a_metric_that_cannot_be_computed_spoils_no_other() -> None:
    made = cell_of("P@3", UNFIT, "AP", lenient=True).measure(HITS, JUDGED)
    alone = measure(HITS, cell_of("P@3", "AP").metrics, popularity=POPULARITY, ties="ranked")
    assert np.isnan(made[1]).all()
    assert made[[0, 2]].tolist() == alone.tolist()
    assert made[0].tolist() == pytest.approx([1 / 3, 1 / 3])


def test_else_it_is_an_error() -> None:
    with pytest.raises(CranfieldError):
        cell_of("P@3", UNFIT).measure(HITS, JUDGED)


def test_expected_ties_are_measured_as_such() -> None:
    tied = hits_of([Ranking((5.0, None), ties=(2,))])
    ranked = cell_of("RR").measure(tied, JUDGED)
    expected = cell_of("RR", ties="expected").measure(tied, JUDGED)
    assert ranked.tolist() == [[1.0]]
    assert expected.tolist() == [[pytest.approx((1 + 1 / 2) / 2)]]


@pytest.mark.parametrize(
    ("changes", "together"),
    [
        ({"relevance": 3}, True), ({"targets": "test-items"}, True), ({"seed": 2}, False),
        ({"ties": "random"}, False), ({"unscored": "popularity"}, False),
    ],
)  # fmt: skip
def test_only_cells_that_order_items_alike_are_ranked_in_one_pass(
    changes: dict[str, Any], together: bool
) -> None:
    one, other = cell_of("P@3"), cell_of("AP", **changes)
    assert (one.ranking_choice(50) == other.ranking_choice(50)) is together


def test_lists_are_kept_as_deep_as_they_are_looked_at() -> None:
    cell = cell_of("P@3")
    depths = [replace(cell, list_depth=n).ranking_choice(50).depth for n in (0, 1, 9, None)]
    assert depths == [1, 1, 9, 50]
