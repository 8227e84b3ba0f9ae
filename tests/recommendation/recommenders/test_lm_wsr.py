from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.lm_wsr  # noqa: F401
from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders.neighbours import profiles
from cranfield.recommendation.recommenders.smoothing import Models
from neighbourhood_cases import (
    Floats,
    nearest,
    predictions,
    share_models,
    table_of,
    training,
    training_sets,
)
from suites import tries

SMOOTHINGS = [
    "jelinek-mercer(lambda=0.9)",
    "jelinek-mercer(lambda=0.1)",
    "dirichlet(mu=3)",
    "absolute-discounting(delta=0.5)",
    "absolute-discounting(delta=2)",
    "additive(gamma=0.5)",
]


def turned(train: Ratings) -> Ratings:
    """The same ratings with users and items exchanged."""
    return training(np.where(table_of(train).T > 0, table_of(train).T, np.nan).tolist())


def smoothed(spelled: str, train: Ratings) -> Models:
    models = parse("smoothing", spelled).smooth(profiles(train), train.n_items)
    assert isinstance(models, Models)
    return models


def weights(spelled: str, train: Ratings) -> list[list[float]]:
    """w(u, v) = Σ_j r_uj·log(p(j|v)/(s·p(j|C))) for users who share an item, else 0."""
    table, models = table_of(train), smoothed(spelled, train)
    seen = np.zeros(table.shape)
    seen[train.users, train.items] = models.seen
    largest = max(models.share[v] for v in range(len(table)) if table[v].any())

    def weight(u: int, v: int) -> float:
        shared = np.flatnonzero((table[u] > 0) & (seen[v] > 0))
        gains = (
            table[u, j] * np.log1p(seen[v, j] / (models.share[v] * models.background[j]))
            for j in shared
        )
        bias = np.log(models.share[v] / largest) if len(shared) else 0.0
        return float(sum(gains) + table[u].sum() * bias)

    return [[weight(u, v) for v in range(len(table))] for u in range(len(table))]


def clear(weights: list[list[float]]) -> bool:
    """Whether no two weights of a row are equal but for rounding, so that k cuts one way."""
    rows = (np.unique(row) for row in weights)
    return all((np.diff(row) > 1e-9).all() for row in rows)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(train=training_sets(), k=st.integers(1, 7))
@settings(deadline=None, max_examples=tries(25))
def test_user_based_sums_likelihood_times_rating(smoothing: str, train: Ratings, k: int) -> None:
    table = table_of(train)
    wanted = np.full(table.shape, np.nan)
    found_weights = weights(smoothing, train)
    assume(clear(found_weights))
    for u, row in enumerate(found_weights):
        near = nearest(row, u, k)
        for i in range(table.shape[1]):
            rated = [v for v in near if table[v, i] > 0]
            if rated:
                wanted[u, i] = sum(near[v] * table[v, i] for v in rated)
    found = predictions(f"LM-WSR-UB(k={k}, smoothing={smoothing})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(train=training_sets(), k=st.integers(1, 7))
@settings(deadline=None, max_examples=tries(25))
def test_item_based_exchanges_users_and_items(smoothing: str, train: Ratings, k: int) -> None:
    table = table_of(train)
    wanted = np.full(table.shape, np.nan)
    found_weights = weights(smoothing, turned(train))
    assume(clear(found_weights))
    for i, row in enumerate(found_weights):
        near = nearest(row, i, k)
        for u in range(table.shape[0]):
            rated = [j for j in near if table[u, j] > 0]
            if rated:
                wanted[u, i] = sum(near[j] * table[u, j] for j in rated)
    found = predictions(f"LM-WSR-IB(k={k}, smoothing={smoothing})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@given(training_sets())
@settings(deadline=None, max_examples=tries(40))
def test_weights_are_log_likelihoods_above_that_of_the_collection(train: Ratings) -> None:
    table, models = table_of(train), share_models(table_of(train), 0.9)
    found = weights("jelinek-mercer(lambda=0.9)", train)
    collection = table.sum(axis=0) / table.sum()
    for u in range(len(table)):
        rated = table[u] > 0
        for v in np.flatnonzero(table.any(axis=1)):
            likelihood = (table[u] * np.log(models[v], where=rated, out=np.zeros(len(rated)))).sum()
            least = (table[u, rated] * np.log(0.9 * collection[rated])).sum()
            assert found[u][v] == pytest.approx(likelihood - least, abs=1e-9)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(train=training_sets())
@settings(deadline=None, max_examples=tries(25))
def test_smoothed_models_sum_to_one(smoothing: str, train: Ratings) -> None:
    models = smoothed(smoothing, train)
    seen = np.bincount(train.users, models.seen, minlength=train.n_users)
    total: Floats = seen + models.share * models.background.sum()
    assert total[train.user_counts > 0] == pytest.approx(1.0)


def test_ratings_of_zero_or_below_are_refused() -> None:
    for name in ("LM-WSR-UB", "LM-WSR-IB"):
        with pytest.raises(CranfieldError, match=f"{name} needs ratings above 0"):
            predictions(name, training([[4, -1], [3, 2]]))
