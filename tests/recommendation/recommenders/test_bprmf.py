"""BPRMF: its steps follow the gradient, and its loss falls."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.bpr import (
    Deal,
    Pace,
    RankingFactors,
    Triples,
    by_block,
    climb,
    draw_others,
    draw_ratings,
    mark,
    preference,
    rated,
)
from cranfield.recommendation.recommenders import bprmf
from cranfield.recommendation.recommenders.bprmf import BPRMF
from learnable import everyone, grouped, mean_rank


def dealt(train: Ratings, parts: int = 1) -> Deal:
    """Users and items dealt out in turn."""
    users, items = (np.arange(n, dtype=np.int32) for n in (train.n_users, train.n_items))
    order = np.argsort(items % parts, kind="stable").astype(np.int32)
    starts = offsets_of(np.bincount(items % parts))
    return Deal(users % parts, items % parts, order, starts)


def drawn(train: Ratings, deal: Deal, start: int, stop: int) -> Triples:
    """Steps of users drawn alike."""
    triples = np.empty((stop - start, 3), np.int32)
    draw_ratings(np.uint64(5), start, everyone(train), by_user(train), triples)
    draw_others(np.uint64(5), start, mark(by_user(train)), deal, triples)
    return triples


def several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few steps be worth several parts."""
    monkeypatch.setattr(bprmf, "_BLOCK", 8)
    monkeypatch.setattr(bprmf, "_OF_EACH", 4)


def test_a_step_goes_along_the_gradient_of_the_criterion() -> None:
    generator = np.random.default_rng(2)
    users, items = (generator.normal(size=(n, 5)).astype(np.float32) for n in (1, 2))
    biases, decays = np.array([0.3, -0.1], np.float32), np.array([0.1, 0.2, 0.3])

    def criterion(flat: np.ndarray) -> float:
        a, b, c = flat[:15].reshape(3, 5)
        penalty = decays @ np.array([a @ a, b @ b, c @ c]) + 0.4 * flat[15:] @ flat[15:]
        return float(-np.log1p(np.exp(-(flat[15] - flat[16] + a @ (b - c)))) - penalty / 2)

    start = np.concatenate([users.ravel(), items.ravel(), biases]).astype(np.float64)
    bump = 1e-6 * np.eye(17)
    gradient = np.array([(criterion(start + b) - criterion(start - b)) / 2e-6 for b in bump])
    triples = np.array([[0, 0, 1]], np.int32)
    climb(triples, RankingFactors(users, items, biases), Pace(1e-3, 0.1, 0.2, 0.3, 0.4))
    moved = np.concatenate([users.ravel(), items.ravel(), biases]) - start
    np.testing.assert_allclose(moved, 1e-3 * gradient, rtol=1e-3, atol=2e-7)


def test_a_step_without_an_unrated_item_changes_nothing() -> None:
    users, items, biases = (np.ones(n, np.float32) for n in ((1, 3), (2, 3), 2))
    triples = np.array([[0, 1, -1]], np.int32)
    climb(triples, RankingFactors(users, items, biases), Pace(0.1, 0.1, 0.1, 0.1, 0.1))
    assert users.sum() == 3
    assert items.sum() == 6
    assert biases.sum() == 2


@pytest.mark.parametrize("size", [1, 3, 4, 50])
def test_the_preference_is_an_inner_product(size: int) -> None:
    x, y, z = np.random.default_rng(0).normal(size=(3, size)).astype(np.float32)
    assert preference(x, y, z) == pytest.approx(float(x @ (y - z)), rel=1e-4, abs=1e-5)


def test_steps_are_the_same_however_many_are_drawn_at_a_time() -> None:
    train, _ = grouped(8, 10)
    whole = drawn(train, dealt(train), 0, 20)
    parts = [drawn(train, dealt(train), *part) for part in ((0, 7), (7, 8), (8, 20))]
    assert whole.tolist() == np.concatenate(parts).tolist()
    given = train.matrix().toarray() > 0
    assert given[whole[:, 0], whole[:, 1]].all()
    assert not given[whole[:, 0], whole[:, 2]].any()


def test_drawn_items_are_unrated_and_of_the_part_of_the_rated_one_and_all_come_up() -> None:
    train, _ = grouped(8, 10)
    deal = dealt(train, 2)
    steps = drawn(train, deal, 0, 20_000)
    given = train.matrix().toarray() > 0
    met = steps[:, 2] >= 0
    assert (deal.item_parts[steps[met, 1]] == deal.item_parts[steps[met, 2]]).all()
    for user in range(8):
        own = given[user]
        mine = steps[met & (steps[:, 0] == user)]
        assert set(mine[:, 1]) <= set(np.flatnonzero(own))
        wanted = {j for j in np.flatnonzero(~own) if own[j % 2 :: 2].any()}
        assert set(mine[:, 2]) == wanted
        side = by_user(train)
        bounds = side.offsets[user], side.offsets[user + 1]
        assert [rated(side.places, *bounds, item) for item in range(10)] == own.tolist()


def test_a_user_with_every_item_has_no_unrated_one() -> None:
    train = Ratings.from_triples(["only"] * 4, ["a", "b", "c", "d"])
    assert (drawn(train, dealt(train), 0, 9)[:, 2] == -1).all()


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_blocks_of_a_stratum_share_neither_users_nor_items(parts: int) -> None:
    train, _ = grouped()
    deal = dealt(train, parts)
    steps = drawn(train, deal, 0, 500)
    ordered, bounds = np.empty_like(steps), np.empty(parts**2 + 1, np.int32)
    by_block(steps, deal, ordered, bounds)
    blocks = [ordered[bounds[b] : bounds[b + 1]] for b in range(parts**2)]
    assert sorted(ordered.tolist()) == sorted(steps.tolist())
    for stratum in range(parts):
        for one, other in combinations(blocks[stratum * parts : (stratum + 1) * parts], 2):
            assert not set(one[:, 0]) & set(other[:, 0])
            assert not set(one[:, 1:].ravel()) & set(other[:, 1:].ravel()) - {-1}
    for block in blocks:  # in the order in which they were drawn
        kept = [step for step in steps.tolist() if step in block.tolist()]
        assert kept == block.tolist()


def test_parts_are_of_equal_size_and_another_deal_comes_with_another_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    several_blocks(monkeypatch)
    train, _ = grouped()
    one, other = (bprmf._deal(train, Seeds(seed), slice(0, len(train))) for seed in (1, 2))
    parts = len(one.starts) - 1
    assert parts > 1
    for codes, size in ((one.user_parts, 60), (one.item_parts, 40)):
        counts = np.bincount(codes, minlength=parts)
        assert counts.sum() == size
        assert counts.max() - counts.min() <= 1
    for part in range(parts):
        members = one.known[one.starts[part] : one.starts[part + 1]]
        assert sorted(members) == np.flatnonzero(one.item_parts == part).tolist()
    assert (one.item_parts != other.item_parts).any()


@pytest.mark.parametrize("draw", ["users", "ratings"])
def test_threads_and_the_size_of_portions_change_nothing(
    draw: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    several_blocks(monkeypatch)
    train, _ = grouped()

    def predicted(threads: str, portion: int) -> list[list[float]]:
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        monkeypatch.setattr(bprmf, "_PORTION", portion)
        option = BPRMF(factors=4, epochs=3, draw=draw)  # type: ignore[arg-type]
        predictions: list[list[float]] = (
            option.fit(train, Seeds(1)).predict(everyone(train)).tolist()
        )
        return predictions

    alone = predicted("1", 1 << 14)
    assert predicted("3", 7) == alone
    assert predicted("2", 1000) == alone


def test_rounds_of_an_epoch_take_all_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(bprmf, "_ROUND", 100)
    monkeypatch.setattr(bprmf, "_climb", lambda steps, *_: taken.append(len(steps.triples)))
    train, _ = grouped()
    BPRMF(factors=2, epochs=2).fit(train, Seeds(1))
    assert sum(taken) == 2 * len(train)
    assert max(taken) == 100


def test_many_blocks_learn_as_well_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    train, held = grouped()
    option = BPRMF(factors=8, epochs=40)
    whole = mean_rank(option.fit(train, Seeds(1)).predict(everyone(train)), train, held)
    several_blocks(monkeypatch)
    parted = mean_rank(option.fit(train, Seeds(1)).predict(everyone(train)), train, held)
    assert parted < whole + 0.02


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
