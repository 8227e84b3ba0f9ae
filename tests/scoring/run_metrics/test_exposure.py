"""Exposure against its textbook definitions and SciPy, on lists made up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.collection.items import ItemFacts
from cranfield.scoring.run_metric import RunFacts
from run_cases import run_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))
ITEMS = 6


LISTS = st.lists(
    st.lists(st.integers(-1, ITEMS - 1), max_size=6, unique=True), min_size=1, max_size=7
)
POPULARITY = st.lists(st.integers(0, 9), min_size=ITEMS, max_size=ITEMS)


def value(name: str, lists: list[list[int]], popularity: list[int]) -> float:
    chosen: Any = parse("run-metric", name)
    facts = RunFacts(ItemFacts(np.array(popularity, dtype=np.int64), 9))
    return float(chosen.of_run(run_of(*lists), facts))


def shown(lists: list[list[int]], n: int) -> np.ndarray:
    """How many lists show each item in their top n, the stranger left out."""
    return np.array([sum(item in one[:n] for one in lists) for item in range(ITEMS)], dtype=float)


@SOME
@given(lists=LISTS, n=st.integers(1, 7))
def test_gini_is_half_the_relative_mean_difference(lists: list[list[int]], n: int) -> None:
    """G = Σ_i Σ_j |c_i − c_j| / (2·n²·c̄), over all pairs of items."""
    counts = shown(lists, n)
    assume(counts.any())
    differences = np.abs(counts[:, None] - counts).sum()
    by_pairs = differences / (2 * ITEMS**2 * counts.mean())
    assert value(f"Gini@{n}", lists, [1] * ITEMS) == pytest.approx(by_pairs)


@SOME
@given(lists=LISTS, n=st.integers(1, 7))
def test_catalogue_coverage_counts_the_items_that_are_shown(lists: list[list[int]], n: int) -> None:
    union = {item for one in lists for item in one[:n]} - {-1}
    assert value(f"CatalogueCoverage@{n}", lists, [1] * ITEMS) == len(union) / ITEMS


@SOME
@given(lists=LISTS, n=st.integers(1, 7), popularity=POPULARITY)
def test_correlations_are_those_of_scipy(
    lists: list[list[int]], n: int, popularity: list[int]
) -> None:
    counts = shown(lists, n)
    assume(len(set(counts.tolist())) > 1 and len(set(popularity)) > 1)
    pearson = value(f"PopularityCorrelation@{n}", lists, popularity)
    assert pearson == pytest.approx(pearsonr(counts, popularity).statistic)
    spearman = value(f"PopularityCorrelation(by=ranks)@{n}", lists, popularity)
    assert spearman == pytest.approx(spearmanr(counts, popularity).statistic)


def test_equal_popularity_or_equal_exposure_has_no_correlation() -> None:
    for by in ("counts", "ranks"):
        assert np.isnan(value(f"PopularityCorrelation(by={by})", [[0], [1]], [3] * ITEMS))
        everything = [list(range(ITEMS))]
        assert np.isnan(value(f"PopularityCorrelation(by={by})", everything, list(range(ITEMS))))


def test_a_list_of_strangers_shows_nothing() -> None:
    assert value("CatalogueCoverage", [[-1]], [1] * ITEMS) == 0
    assert np.isnan(value("Gini", [[-1]], [1] * ITEMS))
