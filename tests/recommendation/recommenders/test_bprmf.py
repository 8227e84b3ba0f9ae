"""BPRMF: its steps follow the gradient, and its loss falls."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.bpr import (
    Pace,
    RankingFactors,
    climb,
    draw,
    preference,
    rated,
    unrated,
)
from cranfield.recommendation.recommenders import bprmf
from cranfield.recommendation.recommenders.bprmf import BPRMF
from learnable import everyone, grouped, mean_rank


def test_a_step_goes_along_the_gradient_of_the_criterion() -> None:
    generator = np.random.default_rng(2)
    users, items = generator.normal(size=(1, 5)), generator.normal(size=(2, 5))
    biases, decays = np.array([0.3, -0.1]), np.array([0.1, 0.2, 0.3])

    def criterion(flat: np.ndarray) -> float:
        a, b, c = flat[:15].reshape(3, 5)
        penalty = decays @ np.array([a @ a, b @ b, c @ c]) + 0.4 * flat[15:] @ flat[15:]
        return float(-np.log1p(np.exp(-(flat[15] - flat[16] + a @ (b - c)))) - penalty / 2)

    start = np.concatenate([users.ravel(), items.ravel(), biases])
    bump = 1e-6 * np.eye(17)
    gradient = np.array([(criterion(start + b) - criterion(start - b)) / 2e-6 for b in bump])
    triples = np.array([[0, 0, 1]], np.int32)
    climb(triples, RankingFactors(users, items, biases), Pace(1e-3, 0.1, 0.2, 0.3, 0.4))
    moved = np.concatenate([users.ravel(), items.ravel(), biases]) - start
    np.testing.assert_allclose(moved, 1e-3 * gradient, rtol=1e-5)


def test_a_step_without_an_unrated_item_changes_nothing() -> None:
    users, items, biases = np.ones((1, 3)), np.ones((2, 3)), np.zeros(2)
    triples = np.array([[0, 1, -1]], np.int32)
    climb(triples, RankingFactors(users, items, biases), Pace(0.1, 0.1, 0.1, 0.1, 0.1))
    assert users.sum() == 3
    assert items.sum() == 6
    assert not biases.any()


@pytest.mark.parametrize("size", [1, 3, 4, 9])
def test_the_preference_is_an_inner_product(size: int) -> None:
    x, y, z = np.random.default_rng(0).normal(size=(3, size))
    assert preference(x, y, z, np.empty(size)) == pytest.approx(float(x @ (y - z)))


def test_steps_are_the_same_however_many_are_drawn_at_a_time() -> None:
    train, _ = grouped(8, 10)
    side, known = by_user(train), np.arange(10, dtype=np.int32)
    users = np.arange(8, dtype=np.int32)
    whole, parts = np.empty((20, 3), np.int32), np.empty((20, 3), np.int32)
    draw(np.uint64(5), 0, users, side, known, whole)
    for start, stop in ((0, 7), (7, 8), (8, 20)):
        draw(np.uint64(5), start, users, side, known, parts[start:stop])
    assert whole.tolist() == parts.tolist()
    rated_ = train.matrix().toarray() > 0
    assert rated_[whole[:, 0], whole[:, 1]].all()
    assert not rated_[whole[:, 0], whole[:, 2]].any()


def test_drawn_items_are_unrated_and_all_of_them_come_up() -> None:
    train, _ = grouped(8, 10)
    side, known = by_user(train), np.arange(10, dtype=np.int32)
    for user in range(8):
        own = set(train.items[train.users == user].tolist())
        drawn = {
            unrated(np.uint64(5), np.uint64(c), user, side, known) for c in range(0, 9000, 100)
        }
        assert drawn == set(range(10)) - own
        start, stop = side.offsets[user], side.offsets[user + 1]
        assert {i for i in range(10) if rated(side.places, start, stop, i)} == own


def test_a_user_with_every_item_has_no_unrated_one() -> None:
    train, _ = grouped(8, 10)
    own = train.items[train.users == 3]
    assert unrated(np.uint64(5), np.uint64(0), 3, by_user(train), own) == -1


def test_threads_and_the_size_of_parts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    train, _ = grouped()

    def predicted(threads: str, steps: int) -> list[list[float]]:
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        monkeypatch.setattr(bprmf, "_STEPS", steps)
        fitted = BPRMF(factors=4, epochs=3).fit(train, Seeds(1))
        predictions: list[list[float]] = fitted.predict(everyone(train)).tolist()
        return predictions

    alone = predicted("1", 1 << 14)
    assert predicted("3", 7) == alone
    assert predicted("2", 1000) == alone


def test_the_loss_falls_with_epochs() -> None:
    train, _ = grouped()
    rated_ = train.matrix().toarray() > 0

    def loss(epochs: int) -> float:
        x = BPRMF(factors=8, epochs=epochs).fit(train, Seeds(1)).predict(everyone(train))
        margins = [np.subtract.outer(x[u, rated_[u]], x[u, ~rated_[u]]).ravel() for u in range(60)]
        return float(np.mean(np.log1p(np.exp(-np.concatenate(margins)))))

    assert np.log(2) > loss(3) > loss(20) > loss(60)


def test_it_beats_popularity_where_tastes_differ() -> None:
    train, held = grouped()
    popular = np.tile(train.item_counts.astype(float), (60, 1))
    learned = BPRMF(factors=8, epochs=40).fit(train, Seeds(1)).predict(everyone(train))
    assert mean_rank(learned, train, held) < 0.7 * mean_rank(popular, train, held)
