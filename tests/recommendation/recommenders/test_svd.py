"""SVD: its steps follow the gradient, and its error falls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.base.errors import UnsuitableRatings
from cranfield.base.seeds import Seeds
from cranfield.recommendation.kernels.biased_sgd import BiasedFactors, Rated, pass_over
from cranfield.recommendation.recommenders.svd import SVD
from learnable import everyone, grouped


def test_one_step_is_the_textbook_one() -> None:
    model = BiasedFactors(
        np.array([[1.0, 2.0]]), np.array([[0.5, -1.0]]), np.array([0.2]), np.array([0.3])
    )
    rated = Rated(np.array([0], np.int32), np.array([0], np.int32), np.array([1.0]))
    squared = pass_over(np.array([0]), rated, model, 0.1, 0.01)
    error = 1.0 - (0.2 + 0.3 + 1.0 * 0.5 + 2.0 * -1.0)
    assert squared == pytest.approx(error**2)
    assert model.user_biases[0] == pytest.approx(0.2 + 0.1 * (error - 0.01 * 0.2))
    assert model.item_biases[0] == pytest.approx(0.3 + 0.1 * (error - 0.01 * 0.3))
    assert model.users[0] == pytest.approx(
        [1.0 + 0.1 * (error * 0.5 - 0.01 * 1.0), 2.0 + 0.1 * (error * -1.0 - 0.01 * 2.0)]
    )
    assert model.items[0] == pytest.approx(
        [0.5 + 0.1 * (error * 1.0 - 0.01 * 0.5), -1.0 + 0.1 * (error * 2.0 + 0.01 * 1.0)]
    )


def test_a_step_goes_against_the_gradient_of_the_objective() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=3), generator.normal(size=3)
    value, decay = 4.0, 0.3

    def objective(x: np.ndarray) -> float:
        return float((value - x @ y) ** 2 + decay * x @ x)

    bump = 1e-6 * np.eye(3)
    gradient = np.array([(objective(x + b) - objective(x - b)) / 2e-6 for b in bump])
    model = BiasedFactors(x[None].copy(), y[None].copy(), np.zeros(1), np.zeros(1))
    rated = Rated(np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([value]))
    pass_over(np.array([0]), rated, model, 1e-3, decay)
    np.testing.assert_allclose(model.users[0] - x, -1e-3 / 2 * gradient, rtol=1e-5)


def test_training_error_falls_with_epochs() -> None:
    train, _ = grouped()

    def error(epochs: int) -> float:
        model = SVD(factors=8, epochs=epochs).fit(train, Seeds(1))
        guesses = model.predict(everyone(train))[train.users, train.items]
        return float(np.mean((guesses - train.values) ** 2))

    assert error(1) > error(20) > error(100)
    assert error(100) < 0.2 * np.var(train.values)


def test_without_anything_to_tell_apart_the_mean_is_predicted() -> None:
    train, _ = grouped()
    level = train.take(train.values == 4)
    predictions = (
        SVD(factors=2, regularisation=0.5, epochs=500).fit(level, Seeds()).predict(everyone(level))
    )
    known = np.isfinite(predictions)
    np.testing.assert_allclose(predictions[known], 4.0, atol=0.05)


@pytest.mark.parametrize(("factor", "rate"), [(100.0, 0.01), (1.0, 5.0)])
def test_steps_that_diverge_are_refused_rather_than_predict_nothing(
    factor: float, rate: float
) -> None:
    train, _ = grouped()
    wide = replace(train, values=train.values * factor)
    wanted = f"needs a lower rate for ratings from {factor:g} to {5 * factor:g}"
    with pytest.raises(UnsuitableRatings, match=wanted):
        SVD(rate=rate).fit(wide, Seeds(1))
    slow = SVD(rate=rate / 10_000, epochs=3).fit(wide, Seeds(1)).predict(everyone(wide))
    assert np.isfinite(slow).all()
