"""Diversity of lists, pair by pair."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.collection.items import facts_of_items
from cranfield.collection.ratings import Ratings
from cranfield.scoring.run_metric import RunFacts
from run_cases import run_of
from suites import tries

TRAIN = Ratings.from_triples([1] * 5, list(range(5)))
VECTORS = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5]), min_size=3, max_size=3), min_size=5, max_size=5
)
LISTS = st.lists(st.lists(st.integers(-1, 4), max_size=5, unique=True), min_size=1, max_size=4)


def value(name: str, lists: list[list[int]], vectors: list[list[float]]) -> float:
    chosen: Any = parse("run-metric", name)
    return float(chosen.of_run(run_of(*lists), RunFacts(facts_of_items(TRAIN, vectors))))


def distance(vectors: list[list[float]], i: int, j: int) -> float:
    known = i >= 0 and j >= 0 and any(vectors[i]) and any(vectors[j])
    return float(cosine(vectors[i], vectors[j])) if known else 1.0


@settings(deadline=None, max_examples=tries(20))
@given(lists=LISTS, vectors=VECTORS, n=st.integers(1, 6))
def test_diversity_is_the_mean_distance_of_all_pairs_of_a_list(
    lists: list[list[int]], vectors: list[list[float]], n: int
) -> None:
    means = [
        np.mean([distance(vectors, i, j) for i, j in combinations(one[:n], 2)])
        for one in lists
        if len(one[:n]) > 1
    ]
    wanted = float(np.mean(means)) if means else np.nan
    assert value(f"ILD@{n}", lists, vectors) == pytest.approx(wanted, nan_ok=True, abs=1e-12)


@settings(deadline=None, max_examples=tries(20))
@given(lists=LISTS, vectors=VECTORS, factor=st.sampled_from([0.001, 40.0]))
def test_the_length_of_vectors_does_not_matter(
    lists: list[list[int]], vectors: list[list[float]], factor: float
) -> None:
    longer = (np.array(vectors) * factor).tolist()
    assert value("ILD", lists, longer) == pytest.approx(value("ILD", lists, vectors), nan_ok=True)


def test_copies_differ_by_nothing_and_opposites_by_two() -> None:
    vectors = [[1.0, 2.0, 0.0]] * 4 + [[-1.0, -2.0, 0.0]]
    assert value("ILD", [[0, 1, 2, 3]], vectors) == pytest.approx(0, abs=1e-12)
    assert value("ILD", [[3, 4]], vectors) == pytest.approx(2)
