"""WRMF against its normal equations."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.wrmf import MF, WRMF
from learnable import everyone, grouped, with_strangers

SOLVERS: tuple[Literal["cg"], Literal["exact"]] = ("cg", "exact")


def objective(option: WRMF, train: Ratings, model: FactorPredictor) -> float:
    ratings = train.matrix().toarray()
    confidence = 1 + float(option.alpha) * ratings
    errors = (ratings > 0) - model.users @ model.items
    penalty = (model.users**2).sum() + (model.items**2).sum()
    return float((confidence * errors**2).sum() + float(option.regularisation) * penalty)


@pytest.mark.parametrize("preference", ["one", "rating"])
@pytest.mark.parametrize("factors", [1, 4, 7])
def test_user_factors_solve_the_normal_equations(
    factors: int, preference: Literal["one", "rating"]
) -> None:
    train, _ = grouped()
    option = WRMF(
        factors=factors,
        regularisation=2.0,
        alpha=3.0,
        iterations=2,
        preference=preference,
        solver="exact",
    )
    model = option.fit(train, Seeds(1))
    y = model.items.T
    for user, row in enumerate(train.matrix().toarray()):
        confidence = np.diag(1 + 3.0 * row)
        left = y.T @ confidence @ y + 2.0 * np.eye(factors)
        right = y.T @ confidence @ (row > 0 if preference == "one" else row)
        np.testing.assert_allclose(model.users[user], np.linalg.solve(left, right), rtol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_objective_falls_with_iterations(solver: Literal["cg", "exact"]) -> None:
    train, _ = grouped()
    options = [
        WRMF(factors=6, regularisation=1.0, alpha=1.0, iterations=n, solver=solver)
        for n in (1, 2, 5, 20)
    ]
    values = [objective(option, train, option.fit(train, Seeds(1))) for option in options]
    assert values == sorted(values, reverse=True)
    assert values[0] > 1.001 * values[-1]


@pytest.mark.parametrize("preference", ["one", "rating"])
def test_conjugate_gradients_end_where_exact_solutions_do(
    preference: Literal["one", "rating"],
) -> None:
    train, _ = grouped()
    near, exact = (
        WRMF(
            factors=4, regularisation=5.0, iterations=200, preference=preference, solver=solver
        ).fit(train, Seeds(1))
        for solver in SOLVERS
    )
    found, expected = (model.predict(everyone(train)) for model in (near, exact))
    np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())


@pytest.mark.parametrize("solver", SOLVERS)
def test_threads_change_no_bit(
    solver: Literal["cg", "exact"], monkeypatch: pytest.MonkeyPatch
) -> None:
    train, _ = grouped(300, 200)
    option = WRMF(factors=9, regularisation=1.0, iterations=2, solver=solver)

    def fitted(threads: str) -> FactorPredictor:
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        return option.fit(train, Seeds(1))

    alone = fitted("1")
    for threads in ("2", "5"):
        together = fitted(threads)
        np.testing.assert_array_equal(together.users, alone.users)
        np.testing.assert_array_equal(together.items, alone.items)


def test_preferences_that_are_ratings_tell_liked_items_from_disliked_ones() -> None:
    users, items = np.divmod(np.arange(72), 6)
    train = Ratings.from_triples(users + 1, items + 1, np.where(items % 2, 5.0, 1.0))
    options = MF(factors=2, preference="rating"), MF(factors=2)
    rated, ones = (option.fit(train, Seeds(1)).predict(everyone(train)) for option in options)
    assert (rated[:, 1::2] > 4 * rated[:, ::2]).all()
    assert (ones[:, 1::2] < 1.2 * ones[:, ::2]).all()


def test_predictions_are_inner_products() -> None:
    train, _ = grouped()
    model = WRMF(factors=5).fit(train, Seeds(1))
    np.testing.assert_allclose(model.predict(everyone(train)), model.users @ model.items)


def test_mf_has_the_parameters_that_canamares2020_prints() -> None:
    assert parse("recommender", "MF") == MF(
        factors=50, regularisation=1.0, alpha=0.1, iterations=20
    )
    train, _ = grouped()
    same = WRMF(factors=50, regularisation=1.0, alpha=0.1, iterations=20)
    left, right = (o.fit(train, Seeds(1)).predict(everyone(train)) for o in (MF(), same))
    np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("factor", [0.25, 2.0, 20.0])
def test_by_default_factors_do_not_depend_on_the_scale_of_ratings(factor: float) -> None:
    train, _ = grouped()
    scaled = replace(train, values=factor * train.values)
    left, right = (WRMF(factors=3).fit(each, Seeds(1)) for each in (train, scaled))
    np.testing.assert_allclose(left.users, right.users, rtol=1e-6)


@pytest.mark.parametrize(
    ("values", "binarised", "regularisation", "alpha"),
    [
        ([5, 4, 1, 4, 4], False, 60.0, 1.0),
        ([1, 1, 1, 1, 1], False, 0.45 * 5 / 2, 20.0),
        ([7, 7, 7, 7, 7], False, 0.45 * 5 / 2, 20 / 7),
        ([5, 4, 1, 4, 4], True, 0.45 * 5 / 2, 20.0),
        ([10, 20, 80, 100, 80], False, 60.0, 0.05),
    ],
)
def test_confidence_follows_the_median_rating_and_lambda_the_length_of_profiles(
    values: list[float], binarised: bool, regularisation: float, alpha: float
) -> None:
    train = Ratings.from_triples([1, 1, 1, 2, 2], [1, 2, 3, 1, 3], values)
    made = WRMF(factors=2, binarised=binarised).resolve(with_strangers(train))
    assert made.regularisation == pytest.approx(regularisation)
    assert made.alpha == pytest.approx(alpha)
    left, right = (
        option.fit(train, Seeds(1)) for option in (WRMF(factors=2, binarised=binarised), made)
    )
    np.testing.assert_array_equal(left.users, right.users)


def test_what_is_given_stays_and_mf_leaves_nothing_open() -> None:
    train, _ = grouped()
    assert WRMF(alpha=0).resolve(train) == WRMF(alpha=0, regularisation=60)
    assert WRMF(regularisation=3).resolve(train) == WRMF(alpha=1, regularisation=3)
    assert MF().resolve(train) == MF()
