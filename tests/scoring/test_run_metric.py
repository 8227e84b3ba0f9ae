"""What metrics of lists share: the top of each list, means of lists, and who rated what."""

from __future__ import annotations

from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import MissingFacts
from cranfield.base.options import parse
from cranfield.scoring.run_metric import (
    RunFacts,
    judgments_of,
    mean_defined,
    means_of_lists,
    refuse_missing_facts,
    top,
)
from cranfield.workbench import inventory
from hit_cases import run_of

inventory.load()

LISTS = run_of([0.9, 0.8, 0.7], [], [0.5, 0.4])


@pytest.mark.parametrize(
    ("cutoff", "rows"),
    [(1, [1, 0, 0, 1, 0]), (2, [1, 1, 0, 1, 1]), (3, [1] * 5), (None, [1] * 5)],
)
def test_the_top_of_each_list_is_counted_from_its_first_rank(
    cutoff: int | None, rows: list[int]
) -> None:
    assert top(LISTS, cutoff).astype(int).tolist() == rows


def test_means_of_lists_are_weighted_and_unknown_for_an_empty_list() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    weights = np.array([1.0, 1.0, 2.0, 0.0, 1.0])
    np.testing.assert_allclose(
        means_of_lists(LISTS, values, weights), [(1 + 2 + 2 * 3) / 4, nan, 5.0]
    )


def test_a_list_that_weighs_nothing_has_no_mean() -> None:
    found = means_of_lists(LISTS, np.ones(5), np.array([0.0, 0.0, 0.0, 1.0, 1.0]))
    np.testing.assert_array_equal(found, [nan, nan, 1.0])


def test_the_mean_is_over_lists_that_have_a_value() -> None:
    assert mean_defined(np.array([1.0, nan, 4.0])) == pytest.approx(5 / 2)
    assert isnan(mean_defined(np.array([nan, nan])))
    assert isnan(mean_defined(np.array([])))


def test_a_metric_that_needs_item_vectors_says_how_to_give_them() -> None:
    metrics = [parse("run-metric", "ILD@5")]
    with pytest.raises(MissingFacts, match=r"item vectors.*--item-vectors"):
        refuse_missing_facts(metrics, vectors=None)
    refuse_missing_facts(metrics, vectors=np.zeros((2, 2)))


def test_a_metric_that_needs_judgments_says_so() -> None:
    items: Any = object()
    with pytest.raises(MissingFacts, match="what is judged"):
        judgments_of("some metric", RunFacts(items))
