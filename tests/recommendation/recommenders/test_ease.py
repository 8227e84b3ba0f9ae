"""EASE against its closed form, and against ridge regressions without the item itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.base.errors import TooLarge
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.recommendation.recommenders import ease
from cranfield.recommendation.recommenders.ease import EASE
from learnable import everyone, grouped


@pytest.mark.parametrize("binarised", [True, False])
def test_each_column_is_a_ridge_regression_on_the_other_items(binarised: bool) -> None:
    train, _ = grouped()
    train = replace(train, values=np.ones(len(train))) if binarised else train
    x = train.matrix().toarray()
    model = EASE(regularisation=7.0, binarised=binarised).fit(train, Seeds())
    for j in range(x.shape[1]):
        others = np.delete(x, j, axis=1)
        ridge = np.linalg.solve(
            others.T @ others + 7.0 * np.eye(x.shape[1] - 1), others.T @ x[:, j]
        )
        np.testing.assert_allclose(np.delete(model.weights[:, j], j), ridge, atol=1e-9)
        assert model.weights[j, j] == 0
    np.testing.assert_allclose(model.predict(everyone(train)), x @ model.weights)


def test_binarised_ratings_count_one() -> None:
    train, _ = grouped()
    ones = replace(train, values=np.ones(len(train)))
    left = EASE().fit(train, Seeds()).predict(everyone(train))
    right = EASE(binarised=False).fit(ones, Seeds()).predict(everyone(train))
    np.testing.assert_array_equal(left, right)


def test_a_catalogue_that_memory_cannot_hold_is_refused_before_it_is_tried() -> None:
    train, _ = grouped()
    with pytest.raises(TooLarge, match=r"40 items would take 0\.0 GB .* choose SLIM"):
        EASE(most_items=39).fit(train, Seeds())


def test_what_is_not_free_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    train, _ = grouped()
    monkeypatch.setattr(ease, "free_bytes", lambda: 100_000)
    with pytest.raises(TooLarge, match=r"40 items would take 0\.0 GB of memory, and 0\.0 GB are"):
        EASE().fit(train, Seeds())
    monkeypatch.setattr(ease, "free_bytes", lambda: None)
    EASE().fit(train, Seeds())


def test_beyond_double_precision_single_precision_predicts_almost_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    train, _ = grouped()
    double = EASE(regularisation=7.0).fit(train, Seeds())
    monkeypatch.setattr(ease, "_DOUBLE", 39)
    single = EASE(regularisation=7.0).fit(train, Seeds())
    assert double.weights.dtype == np.float64
    assert single.weights.dtype == np.float32
    np.testing.assert_allclose(single.weights, double.weights, atol=1e-5)
    found, expected = (model.predict(everyone(train)) for model in (single, double))
    np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("name", ["EASE^R", "easer", "EASE"])
def test_it_is_found_by_the_names_in_use(name: str) -> None:
    assert parse("recommender", name) == EASE()
