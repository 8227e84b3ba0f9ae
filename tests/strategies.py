"""Data that Hypothesis makes up, the awkward cases first."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import strategies as st

from cranfield.base.schema import ITEM, RATING, TIMESTAMP, USER
from cranfield.collection.ratings import Ratings

SHARES = st.sampled_from([0.2, 0.5, 0.1, 0.9]) | st.floats(0.01, 0.99)
SEEDS = st.integers(0, 2**32)

_NUMBERS = st.sampled_from([-7, 0, 3, 10**12]) | st.integers(-50, 50)
_TEXTS = st.sampled_from(["", "007", "ü", "a b", "7", "-1"]) | st.text(max_size=3)
_VALUES = st.sampled_from([3.0, 1.0, 4.5, -9.95, 0.0])
_TIMES = (
    st.just(0)
    | st.sampled_from([5, 5, 6, 978_300_760])
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.integers(0, 20)
)


@st.composite
def ids(draw: st.DrawFn, most: int) -> list[object]:
    """Distinct ids, all integers or all text."""
    kind: st.SearchStrategy[object] = draw(st.sampled_from([_NUMBERS, _TEXTS]))
    return draw(st.lists(kind, min_size=1, max_size=most, unique=True))


@st.composite
def ratings(
    draw: st.DrawFn, *, times: bool | None = None, users: int = 6, items: int = 8
) -> Ratings:
    """Ratings of a few users and items: one of each, equal times, odd ids, no times at all."""
    user_ids, item_ids = draw(ids(users)), draw(ids(items))
    pairs = [(user, item) for user in range(len(user_ids)) for item in range(len(item_ids))]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    rows = len(chosen)
    columns = {
        USER: [user_ids[user] for user, _ in chosen],
        ITEM: [item_ids[item] for _, item in chosen],
        RATING: draw(st.lists(_VALUES, min_size=rows, max_size=rows)),
    }
    if times or (times is None and draw(st.booleans())):
        columns[TIMESTAMP] = draw(st.lists(_TIMES, min_size=rows, max_size=rows))
    return Ratings.from_frame(pl.DataFrame(columns))


@st.composite
def shuffled(draw: st.DrawFn, of: Ratings) -> Ratings:
    """The same ratings, read from rows in another order."""
    rows = draw(st.permutations(range(len(of))))
    return Ratings.from_frame(of.to_polars()[list(rows)])


def random_ratings(
    users: int, items: int, density: float, *, seed: int = 0, times: bool = True
) -> Ratings:
    """Many ratings at once, with popular and rare items, for counts that need size."""
    generator = np.random.default_rng(seed)
    popularity = density * (1.7 - 1.4 * np.arange(items) / items)
    user, item = np.nonzero(generator.random((users, items)) < popularity)
    stamps = generator.integers(0, len(user) // 3 + 1, len(user)) if times else None
    return Ratings.from_triples(user + 1, item + 1, generator.integers(1, 6, len(user)), stamps)
