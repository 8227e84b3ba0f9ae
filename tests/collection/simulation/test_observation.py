"""Observation: how many, which, with what odds, and when."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.base.seeds import Seeds
from cranfield.collection.simulation.complete_block import CompleteBlock
from cranfield.collection.simulation.observation import Observation
from suites import tries

BEGIN, END = 946_684_800, 946_684_800 + 3 * 365 * 86_400


def block(users: int, items: int) -> CompleteBlock:
    """A truth in which user u rates item i with (u + i) mod 5 + 1."""
    ratings = (np.add.outer(np.arange(users), np.arange(items)) % 5 + 1).astype(float)
    user_ids, item_ids = (Ids(pl.Series(np.arange(n), dtype=pl.Int64)) for n in (users, items))
    return CompleteBlock(user_ids, item_ids, ratings)


def observed(
    truth: CompleteBlock,
    counts: list[int],
    *,
    popularity: list[float] | None = None,
    mnar: float = 0.0,
    seed: int = 1,
) -> Observation:
    odds = np.zeros(truth.ratings.shape[1]) if popularity is None else np.array(popularity)
    return Observation(
        truth=truth,
        counts=np.array(counts, dtype=np.int64),
        popularity=odds,
        mnar=mnar,
        seeds=Seeds(seed),
    )


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, list[int]]:
    """Items, and ratings of each user: at least one each, and enough for every item."""
    items = draw(st.integers(1, 8))
    counts = draw(st.lists(st.integers(1, items), min_size=1, max_size=6))
    if sum(counts) < items:
        counts.append(items)
    return items, counts


@settings(deadline=None, max_examples=tries(20))
@given(size=sizes(), seed=st.integers(0, 99), mnar=st.sampled_from([0.0, 3.0, 20.0]))
def test_users_rate_as_many_as_they_are_to_and_every_item_is_rated(
    size: tuple[int, list[int]], seed: int, mnar: float
) -> None:
    items, counts = size
    truth = block(len(counts), items)
    skewed = [-5.0 * item for item in range(items)]
    ratings = observed(truth, counts, popularity=skewed, mnar=mnar, seed=seed).ratings()
    assert ratings.user_counts.tolist() == counts
    assert (ratings.item_counts > 0).all()
    pairs = list(zip(ratings.users.tolist(), ratings.items.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert ratings.values.tolist() == truth.ratings[ratings.users, ratings.items].tolist()
    assert ratings.timestamps is not None
    assert (ratings.timestamps >= BEGIN).all()
    assert (ratings.timestamps < END).all()


def test_one_draw_follows_its_odds() -> None:
    """Items with odds 1, 2 and 5: of 4000 users with one rating 500, 1000 and 2500, ± 5 s.d."""
    odds = np.array([1.0, 2.0, 5.0])
    chosen = observed(block(4000, 3), [1] * 4000, popularity=np.log(odds).tolist()).ratings()
    shares = odds / 8
    band = 5 * np.sqrt(4000 * shares * (1 - shares))
    assert (np.abs(chosen.item_counts - 4000 * shares) < band).all()


def test_two_draws_are_one_after_the_other_without_replacement() -> None:
    """The pair without item i: Σ over both orders of p_j · p_k/(1 − p_j)."""
    p = np.array([0.1, 0.3, 0.6])
    users = 4000
    chosen = observed(block(users, 3), [2] * users, popularity=np.log(p).tolist()).ratings()
    missing = 3 - chosen.items.reshape(users, 2).sum(axis=1)
    for item in range(3):
        j, k = (other for other in range(3) if other != item)
        chance = p[j] * p[k] / (1 - p[j]) + p[k] * p[j] / (1 - p[k])
        found = np.count_nonzero(missing == item)
        assert abs(found - users * chance) < 5 * np.sqrt(users * chance * (1 - chance))


def test_relevance_multiplies_the_odds() -> None:
    """Relevance 0 and 1, mnar ln 4: four times the odds, so 4/5 of single draws."""
    truth = CompleteBlock(
        Ids(pl.Series(np.arange(3000))), Ids(pl.Series([0, 1])), np.tile([1.0, 5.0], (3000, 1))
    )
    chosen = observed(truth, [1] * 3000, mnar=float(np.log(4))).ratings()
    assert abs(chosen.item_counts[1] - 2400) < 5 * np.sqrt(3000 * 4 / 5 * 1 / 5)


@pytest.mark.parametrize("pairs_at_once", [1, 7, 1 << 18])
def test_neither_chunks_nor_other_users_change_what_a_user_rates(pairs_at_once: int) -> None:
    whole = observed(block(30, 9), [3] * 30).ratings()
    again = observed(block(30, 9), [3] * 30).ratings(pairs_at_once)
    assert whole.items.tolist() == again.items.tolist()
    fewer = observed(block(20, 9), [3] * 20).ratings()
    assert fewer.items.tolist() == whole.items[:60].tolist()
    assert fewer.timestamps is not None
    assert whole.timestamps is not None
    assert fewer.timestamps.tolist() == whole.timestamps[:60].tolist()


def test_an_item_that_nobody_would_rate_takes_the_place_of_the_most_rated_one() -> None:
    """Item 2 has next to no odds; of items 0 and 1, rated by five and one, 0 gives way."""
    truth = block(6, 3)
    chosen = observed(truth, [1] * 6, popularity=[3.0, 0.0, -90.0], seed=2).ratings()
    assert chosen.item_counts[2] == 1
    plain = observed(truth, [1] * 6, popularity=[3.0, 0.0, -4.0], seed=2)
    drawn = np.bincount(plain._chosen(slice(0, 6)), minlength=3)
    assert drawn[2] == 0
    assert chosen.item_counts.tolist() == [drawn[0] - 1, drawn[1], 1]
