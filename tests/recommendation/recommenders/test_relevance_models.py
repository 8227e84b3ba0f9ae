from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.relevance_models  # noqa: F401
from cranfield.base.errors import CranfieldError
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import (
    cosine_neighbours,
    predictions,
    share_models,
    table_of,
    training,
    training_sets,
)
from suites import only_compiled, tries

LAMBDAS = st.sampled_from([0.5, 0.05, 0.999])


@given(training_sets(), st.integers(1, 7), LAMBDAS)
@settings(deadline=None, max_examples=tries(60))
def test_rm1_weighs_neighbours_by_the_likelihood_of_the_profile(
    train: Ratings, k: int, share: float
) -> None:
    table = table_of(train)
    models = share_models(table, share)
    wanted = np.full(table.shape, np.nan)
    for u, near in enumerate(cosine_neighbours(table, k)):
        profile = np.flatnonzero(table[u])
        weights = {v: exp(sum(log(models[v, j]) for j in profile)) for v in near}
        for i in np.flatnonzero(table.any(axis=0)):
            if near:
                scale = sum(weights.values())
                wanted[u, i] = sum(weights[v] * models[v, i] for v in near) / scale
    found = predictions(f"RM1(k={k}, smoothing=jm(lambda={share}))", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.parametrize("prior", ["collection", "uniform"])
@given(train=training_sets(items=20), k=st.integers(1, 7), share=LAMBDAS)
@settings(deadline=None, max_examples=tries(60))
def test_rm2_multiplies_over_the_items_of_the_profile(
    prior: str, train: Ratings, k: int, share: float
) -> None:
    table = table_of(train)
    models = share_models(table, share)
    rated = table.any(axis=0)
    collection = table.sum(axis=0) / table.sum()
    p = collection if prior == "collection" else rated / rated.sum()
    wanted = np.full(table.shape, np.nan)
    for u, near in enumerate(cosine_neighbours(table, k)):
        for i in np.flatnonzero(rated):
            if near:
                factors = [
                    sum(models[v, i] * models[v, j] / (len(near) * p[i]) for v in near)
                    for j in np.flatnonzero(table[u])
                ]
                wanted[u, i] = log(p[i]) + sum(map(log, factors))
    found = predictions(f"RM2(k={k}, smoothing=jm(lambda={share}), prior={prior})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


@only_compiled
def test_rm2_survives_profiles_whose_likelihood_is_below_the_smallest_float() -> None:
    generator = np.random.default_rng(0)
    table = generator.integers(1, 6, (4, 3000)).astype(float)
    found = predictions("RM2", training(table.tolist()))
    assert np.isfinite(found).all()
    assert found.max() < log(5e-324) * 5


def test_rm1_survives_profiles_whose_likelihood_is_below_the_smallest_float() -> None:
    generator = np.random.default_rng(0)
    table = generator.integers(1, 6, (4, 3000)).astype(float)
    assert predictions("RM1", training(table.tolist())).sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["RM1", "RM2"])
def test_ratings_of_zero_or_below_are_refused(name: str) -> None:
    with pytest.raises(CranfieldError, match=f"{name} needs ratings above 0"):
        predictions(name, training([[4, -1], [3, 2]]))
