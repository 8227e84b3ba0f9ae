"""Data that Hypothesis generates, the awkward cases first.

One user, one item, no relevant item, equal times, odd ids, undefined and uncovered scores,
systems that never differ, cold users and items.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.base.schema import ITEM, RATING, TIMESTAMP, USER
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics
from cranfield.scoring.scores import ALL_RATINGS, TRAIN_RATINGS, Scores
from cranfield.significance.samples.samples import Samples

SHARES = st.sampled_from([0.2, 0.5, 0.1, 0.9]) | st.floats(0.01, 0.99)
SEEDS = st.integers(0, 2**32)
THRESHOLDS = st.sampled_from([4.0, 1.0, 5.5, 3.0])
"""Ratings from which items are relevant: some of five stars, all, none."""

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
def logs(draw: st.DrawFn, *, times: bool | None = None) -> Ratings:
    """Events of a few users and items: pairs once or repeatedly, at equal times or others."""
    pairs = draw(ratings(times=times)).to_polars()
    rows = draw(st.lists(st.integers(0, len(pairs) - 1), min_size=1, max_size=20))
    columns: dict[str, object] = {name: pairs[name][rows] for name in (USER, ITEM)}
    if TIMESTAMP in pairs.columns:
        columns[TIMESTAMP] = draw(st.lists(_TIMES, min_size=len(rows), max_size=len(rows)))
    return Ratings.from_frame(columns, duplicates="events")


@st.composite
def shuffled(draw: st.DrawFn, of: Ratings) -> Ratings:
    """The same ratings, read from rows in another order."""
    rows = draw(st.permutations(range(len(of))))
    return Ratings.from_frame(of.to_polars()[list(rows)])


def in_two_orders(
    data: st.SearchStrategy[Ratings],
) -> st.SearchStrategy[tuple[Ratings, Ratings]]:
    """Ratings, and the same read from rows in another order."""
    return data.flatmap(lambda one: st.tuples(st.just(one), shuffled(one)))


def random_ratings(
    users: int, items: int, density: float, *, seed: int = 0, times: bool = True
) -> Ratings:
    """Many ratings at once, with popular and rare items, for counts that need size."""
    generator = np.random.default_rng(seed)
    popularity = density * (1.7 - 1.4 * np.arange(items) / items)
    user, item = np.nonzero(generator.random((users, items)) < popularity)
    stamps = generator.integers(0, len(user) // 3 + 1, len(user)) if times else None
    return Ratings.from_triples(user + 1, item + 1, generator.integers(1, 6, len(user)), stamps)


def renamed(of: Ratings) -> Ratings:
    """The same ratings of users and items with other ids, which come in the same order."""

    def others(known: Ids) -> Ids:
        return Ids(pl.Series([f"id {code:09}" for code in range(len(known))]))

    return Ratings(
        others(of.user_ids), others(of.item_ids), of.users, of.items, of.values, of.timestamps
    )


def training(table: Sequence[Sequence[float]]) -> Ratings:
    """Ratings from a table of users by items, in which NaN is no rating."""
    values = np.array(table, dtype=float)
    users, items = np.nonzero(~np.isnan(values))
    user_ids, item_ids = (Ids(pl.Series(np.arange(n), dtype=pl.Int64)) for n in values.shape)
    codes = users.astype(np.int32), items.astype(np.int32)
    return Ratings(user_ids, item_ids, *codes, values[users, items])


@st.composite
def training_sets(draw: st.DrawFn, *, users: int = 6, items: int = 6) -> Ratings:
    """Ratings from 1 to 5, at least one; users and items may be cold: they have none."""
    n_users, n_items = draw(st.integers(1, users)), draw(st.integers(1, items))
    rating = st.sampled_from([math.nan, 5, 3, 1, 4, 2])
    rows = st.lists(rating, min_size=n_items, max_size=n_items)
    table = draw(st.lists(rows, min_size=n_users, max_size=n_users))
    if all(math.isnan(value) for row in table for value in row):
        table[-1][0] = 4
    return training(table)


def judgments() -> st.SearchStrategy[Judgments]:
    """Test ratings read as relevance: none relevant, all relevant, or some."""
    return st.builds(judge, ratings(), relevance=THRESHOLDS)


@st.composite
def collections(
    draw: st.DrawFn, *, users: int = 6, items: int = 20, keeps_training: bool | None = None
) -> TestCollection:
    """Training and judgments of a few users; some users or items are on one side only.

    Stars from 1 to 5, relevant from 4; at least one rating on each side. Training items
    are kept, or not, or either.
    """
    rng = np.random.default_rng(draw(SEEDS))
    shape = draw(st.integers(1, users)), draw(st.integers(2, items))
    observed = rng.random(shape) < draw(st.sampled_from([0.2, 0.5, 0.9]))
    observed[0, :2] = True
    rows, columns = np.nonzero(observed)
    whole = Ratings.from_triples(rows, columns, rng.integers(1, 6, len(rows)).astype(float))
    test = rng.random(len(whole)) < 0.5
    test[:2] = [True, False]
    judged = judge(whole.take(test), 4, (1, 5))
    keeps = draw(st.booleans()) if keeps_training is None else keeps_training
    return TestCollection(whole.take(~test), judged, keeps_training=keeps)


def scores_of(
    systems: Mapping[str, Sequence[float | None]],
    *,
    users: Sequence[int] | None = None,
    segments: Sequence[int] | None = None,
    judged: Sequence[int] | None = None,
    relevant: Sequence[int] | None = None,
    columns: Mapping[str, Sequence[float]] | None = None,
    metric: str = "P@10",
) -> Scores:
    """Scores by one metric; None is a topic without a list, which the metric scores 0.5.

    ``columns`` are numbers of each topic's user by name.
    """
    size = len(next(iter(systems.values())))
    codes = np.arange(size, dtype=np.int32) if users is None else np.array(users, dtype=np.int32)
    return Scores(
        Topics(codes, segments=None if segments is None else np.array(segments, dtype=np.int32)),
        Ids(pl.Series([f"u{number}" for number in range(10, 30)])),
        tuple(systems),
        (metric,),
        np.array([[[0.5 if x is None else x for x in row]] for row in systems.values()]),
        np.array([[x is not None for x in row] for row in systems.values()]),
        judged=None if judged is None else np.array(judged, dtype=np.int64),
        relevant=None if relevant is None else np.array(relevant, dtype=np.int64),
        user_columns={
            name: np.array(numbers, dtype=np.float64) for name, numbers in (columns or {}).items()
        },
    )


SCORE = (
    st.none()
    | st.just(math.nan)
    | st.sampled_from([0.0, 1.0])
    | st.floats(0, 1).map(lambda score: round(score, 12))
)
"""A score, undefined (NaN), or None for a topic without a list."""


@st.composite
def scores(
    draw: st.DrawFn, *, systems: int = 3, segments: bool = False, counts: bool = False
) -> Scores:
    """Scores of several systems: undefined, uncovered, equal, or any.

    With ``counts``, the ratings of each topic's user are known, and a column called weight.
    """
    size = draw(st.integers(1, 8))
    rows = st.lists(SCORE, min_size=size, max_size=size)
    names = [f"s{number}" for number in range(draw(st.integers(1, systems)))]
    users = sorted(draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)))
    parts = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    held = draw(parts) if segments else None
    numbers = st.lists(st.integers(0, 3), min_size=size, max_size=size)
    judged, relevant = (draw(numbers) if counts else None for _ in range(2))
    made = {name: draw(rows) for name in names}
    columns: dict[str, list[float]] = {}
    if counts:
        for name in (TRAIN_RATINGS, ALL_RATINGS, "weight"):
            columns[name] = [number / 8 for number in draw(numbers)]
    return scores_of(
        made, users=users, segments=held, judged=judged, relevant=relevant, columns=columns
    )


def samples_of(*systems: Sequence[float], weights: Sequence[int] | None = None) -> Samples:
    """Samples by one metric, a row of users per system; users count alike, or by weight."""
    values = np.array(systems, dtype=np.float64)[:, None, :]
    names = tuple("abcdefghij"[: len(systems)])
    enters = np.ones((1, values.shape[2]), dtype=bool)
    counted = None if weights is None else np.array([weights], dtype=np.float64)
    return Samples(names, ("P@10",), values, enters, weights=counted)


_SAMPLED = st.sampled_from([0.0, 1.0, 0.1, 0.3]) | st.integers(0, 1000).map(lambda n: n / 1000)
"""Scores whose sums are equal up to rounding or clearly different, never in between."""


@st.composite
def samples(draw: st.DrawFn, *, systems: int = 3, users: int = 9) -> Samples:
    """A few systems and users: equal systems, one user apart, any."""
    size = draw(st.integers(2, users))
    rows = st.lists(_SAMPLED, min_size=size, max_size=size)
    return samples_of(*(draw(rows) for _ in range(draw(st.integers(2, systems)))))


def random_samples(
    seed: int, *, systems: int = 3, metrics: int = 1, users: int = 40, lift: float = 0.0
) -> Samples:
    """Scores in hundredths, users alike for all systems; each system a lift above the last."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(1, 3, users)
    noise = rng.normal(0, 0.2, (systems, metrics, users))
    values = np.round(ease + noise + lift * np.arange(systems)[:, None, None], 2).astype(float)
    return Samples(
        tuple(f"s{number}" for number in range(systems)),
        tuple(f"m{number}" for number in range(metrics)),
        values,
        np.ones((metrics, users), dtype=bool),
    )


def p_values() -> st.SearchStrategy[list[float]]:
    """The p-values of one family: 0, 1, equal ones, any."""
    probability = st.sampled_from([0.0, 1.0, 0.03, 0.5]) | st.floats(0, 1)
    return st.lists(probability, min_size=1, max_size=12)
