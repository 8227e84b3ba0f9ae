"""Exposure against its textbook definitions and SciPy, on lists made up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import entropy, pearsonr, spearmanr

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


def attention(lists: list[list[int]], n: int, discount: str) -> np.ndarray:
    """The discounted exposure of each item, list by list."""
    weigh = {"logarithmic": lambda k: 1 / np.log2(k + 1), "geometric": lambda k: 0.5 ** (k - 1)}
    found = np.zeros(ITEMS)
    for one in lists:
        for rank, item in enumerate(one[:n], start=1):
            if item >= 0:
                found[item] += weigh[discount](rank)
    return found


@SOME
@given(lists=LISTS, n=st.integers(1, 7), discount=st.sampled_from(["logarithmic", "geometric"]))
def test_exposure_can_be_discounted_by_rank(lists: list[list[int]], n: int, discount: str) -> None:
    given_to = attention(lists, n, discount)
    assume(given_to.any())
    by_pairs = np.abs(given_to[:, None] - given_to).sum() / (2 * ITEMS * given_to.sum())
    spelled = f"(discount={discount})@{n}"
    assert value(f"Gini{spelled}", lists, [1] * ITEMS) == pytest.approx(by_pairs)
    assert value(f"Entropy{spelled}", lists, [1] * ITEMS) == pytest.approx(
        entropy(given_to, base=2), abs=1e-12
    )


@SOME
@given(lists=LISTS, n=st.integers(1, 7))
def test_entropy_is_that_of_scipy(lists: list[list[int]], n: int) -> None:
    counts = shown(lists, n)
    assume(counts.any())
    bits = value(f"Entropy@{n}", lists, [1] * ITEMS)
    assert bits == pytest.approx(entropy(counts, base=2), abs=1e-12)
    assert value(f"Entropy(as=warprec)@{n}", lists, [1] * ITEMS) == pytest.approx(
        entropy(counts), abs=1e-12
    )


def test_lists_of_different_lengths_weigh_alike_in_elliot() -> None:
    """Item 0 is half of the first list and all of the second: w = 3/4 and 1/4."""
    lists = [[0, 1], [0]]
    bits = [np.log2(3 / 2), np.log2(3)]
    assert value("Entropy", lists, [1] * ITEMS) == pytest.approx(2 / 3 * bits[0] + 1 / 3 * bits[1])
    weighed = 3 / 4 * bits[0] + 1 / 4 * bits[1]
    assert value("Entropy(as=elliot)", lists, [1] * ITEMS) == pytest.approx(weighed)


def test_one_item_with_all_places_is_one_where_tools_divide_by_one_less() -> None:
    lists = [[3], [3]]
    assert value("Gini", lists, [1] * ITEMS) == pytest.approx(1 - 1 / ITEMS)
    assert value("Gini(as=warprec)", lists, [1] * ITEMS) == pytest.approx(1)
    assert value("Gini(as=elliot)", lists, [1] * ITEMS) == pytest.approx(0)


def test_equal_exposure_has_no_inequality_and_the_most_entropy() -> None:
    everything = [list(range(ITEMS))]
    assert value("Gini", everything, [1] * ITEMS) == pytest.approx(0)
    assert value("Entropy", everything, [1] * ITEMS) == pytest.approx(np.log2(ITEMS))
    assert np.isnan(value("Entropy", [[-1]], [1] * ITEMS))
