"""SLIM against scikit-learn's non-negative elastic net."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet

from cranfield.base.seeds import Seeds
from cranfield.recommendation.csr import CSR
from cranfield.recommendation.recommenders import slim
from cranfield.recommendation.recommenders.slim import SLIM, Sparse
from learnable import everyone, grouped


def dense(weights: CSR) -> np.ndarray:
    out = np.zeros((weights.size, weights.size))
    for row in range(weights.size):
        part = slice(weights.offsets[row], weights.offsets[row + 1])
        out[row, weights.places[part]] = weights.values[part]
    return out


def fitted(**parameters: Any) -> Sparse:
    return SLIM(tolerance=1e-9, rounds=10_000, **parameters).fit(grouped()[0], Seeds())


@pytest.mark.parametrize(("l1", "l2"), [(0.5, 5.0), (20.0, 1.0), (3.0, 100.0)])
def test_weights_are_those_of_the_non_negative_elastic_net(l1: float, l2: float) -> None:
    a = grouped()[0].matrix().toarray()
    n = len(a)
    weights = dense(fitted(l1=l1, l2=l2).weights)
    for j in range(a.shape[1]):
        others = a.copy()
        others[:, j] = 0
        # scikit-learn divides the squared error by n, and so must its penalties be divided.
        net = ElasticNet(
            alpha=(l1 + l2) / n,
            l1_ratio=l1 / (l1 + l2),
            fit_intercept=False,
            positive=True,
            max_iter=100_000,
            tol=1e-12,
        ).fit(others, a[:, j])
        np.testing.assert_allclose(weights[:, j], net.coef_, atol=1e-6)


def test_no_item_explains_itself_and_no_weight_is_negative() -> None:
    weights = dense(fitted(l1=0.5, l2=5.0).weights)
    assert (np.diag(weights) == 0).all()
    assert (weights >= 0).all()
    assert (weights > 0).any()


def test_predictions_are_ratings_times_weights() -> None:
    train, _ = grouped()
    model = fitted(l1=0.5, l2=5.0)
    expected = train.matrix().toarray() @ dense(model.weights)
    np.testing.assert_allclose(model.predict(everyone(train)), expected)


def test_more_l1_is_sparser() -> None:
    sizes = [len(fitted(l1=l1, l2=5.0).weights.values) for l1 in (0.0, 5.0, 50.0, 5000.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 0


def test_a_cap_on_candidates_caps_the_weights_of_an_item() -> None:
    weights = dense(fitted(l1=0.0, l2=5.0, candidates=3).weights)
    assert ((weights > 0).sum(axis=0) <= 3).all()


def test_a_catalogue_too_large_for_all_products_gets_the_same_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = dense(fitted(l1=0.5, l2=5.0).weights)
    monkeypatch.setattr(slim, "_MOST_IN_GRAM", 39)
    np.testing.assert_allclose(dense(fitted(l1=0.5, l2=5.0).weights), held, atol=1e-8)


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        found.append(dense(fitted(l1=0.5, l2=5.0).weights))
    np.testing.assert_array_equal(found[0], found[1])
