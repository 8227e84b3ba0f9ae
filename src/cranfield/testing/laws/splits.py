"""Laws of splits: every rating on one side, chosen by the data and the seed alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cranfield.base.schema import ITEM, USER
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import UNUSED
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Split, split
from cranfield.testing.law import law, or_refusal, require, require_equal, threads
from cranfield.testing.strategies import (
    SEEDS,
    in_two_orders,
    logs,
    random_ratings,
    ratings,
    renamed,
)

_LARGE = random_ratings(60, 40, 0.3, seed=5)


def _prints(splitter: Any, data: Ratings, seed: int) -> list[tuple[str, str]] | str:
    """The fingerprints of all parts of all folds, or the message of a refusal."""
    made = or_refusal(lambda: split(data, splitter, seed))
    if isinstance(made, str):
        return made
    return [(fold.train.fingerprint, fold.test.fingerprint) for fold in made.folds]


def _pairs(data: Ratings) -> list[tuple[object, ...]]:
    return data.to_polars().select(USER, ITEM).rows()


def _rows(data: Ratings) -> list[tuple[object, ...]]:
    return sorted(data.to_polars().rows(), key=repr)


def _require_every_rating_once(made: Split, data: Ratings) -> None:
    require(len(made.folds) > 0, "there is no fold")
    for number, fold in enumerate(made.folds):
        unused = fold.part(UNUSED)
        parts = sorted(_rows(fold.train) + _rows(fold.test) + _rows(unused), key=repr)
        sizes = f"{len(fold.train)} + {len(fold.test)} + {len(unused)} of {len(data)} ratings"
        require(parts == _rows(data), f"fold {number} has other ratings than the data: {sizes}")
        require(len(fold.train) > 0, f"fold {number} has no training ratings")
        require(len(fold.test) > 0, f"fold {number} has no test ratings")
        shared = fold.train.user_ids is fold.test.user_ids is data.user_ids
        require(shared, f"the parts of fold {number} do not share the ids of the data")


@law("split", data=ratings(), seed=SEEDS)
def no_rating_is_lost_or_doubled(splitter: Any, data: Ratings, seed: int) -> None:
    """Every rating is in exactly one part of each fold, as it was, be it unused; neither training
    nor test is empty; data that cannot be split are refused in words.
    """
    made = or_refusal(lambda: split(data, splitter, seed))
    if not isinstance(made, str):
        _require_every_rating_once(made, data)


@law("split", data=logs(), seed=SEEDS)
def events_are_divided_and_then_counted(splitter: Any, data: Ratings, seed: int) -> None:
    """Of a log, every event is in exactly one part of each fold, and a part has the counts of
    its own events; logs that cannot be split are refused in words.
    """
    made = or_refusal(lambda: split(data, splitter, seed))
    if isinstance(made, str):
        return
    whole = Counter(_pairs(data))
    for number, fold in enumerate(made.folds):
        counts: Counter[tuple[object, ...]] = Counter()
        parts = {"training": fold.train, "test": fold.test, "unused": fold.part(UNUSED)}
        for name, part in parts.items():
            values = dict(zip(_pairs(part), part.values.tolist(), strict=True))
            require(len(values) == len(part), f"{name} of fold {number} has a pair twice")
            require(name == "unused" or len(part) > 0, f"{name} of fold {number} is empty")
            counts.update({pair: int(count) for pair, count in values.items()})
        require(counts == whole, f"the parts of fold {number} count {counts} of {whole}")


@law("split")
def ordinary_ratings_are_split(splitter: Any) -> None:
    """About 700 ratings of 60 users, with times, are split rather than refused."""
    _require_every_rating_once(split(_LARGE, splitter, 2), _LARGE)


@law("split", data=ratings(), seed=SEEDS)
def each_fold_says_of_each_rating_whether_it_is_test(
    splitter: Any, data: Ratings, seed: int
) -> None:
    """A division has one mask per fold, as long as its ratings; what it says to be unused, if
    anything, is not test.
    """
    made = or_refusal(lambda: splitter.split(data, Seeds(seed)))
    if isinstance(made, str):
        return
    require(len(made.unused) in (0, len(made.tests)), "unused has not one mask for each fold")
    for mask in (*made.tests, *made.unused):
        require(mask.dtype == bool, f"a mask is of type {mask.dtype}")
        require(mask.shape == (len(made.ratings),), f"a mask of {mask.shape}")
    for test, unused in zip(made.tests, made.unused, strict=False):
        require(not (test & unused).any(), "a rating is test and unused")


@law("split", orders=in_two_orders(ratings()), seed=SEEDS)
def the_order_of_rows_changes_nothing(
    splitter: Any, orders: tuple[Ratings, Ratings], seed: int
) -> None:
    """The same ratings are test in whatever order the rows were read."""
    one, other = (_prints(splitter, data, seed) for data in orders)
    require(one == other, f"of rows in another order the parts are {other}, not {one}")


@law("split")
def the_same_seed_gives_the_same_split(splitter: Any) -> None:
    """A split follows from the ratings, the option and the seed alone; threads or a second
    call do not matter.
    """
    with threads(1):
        first = _prints(splitter, _LARGE, 3)
    for count in (1, 2):
        with threads(count):
            table = _LARGE.to_polars().sample(fraction=1, shuffle=True, seed=count)
            again = _prints(splitter, Ratings.from_frame(table), 3)
        require(again == first, f"a second split with {count} threads differs")


@law("split", data=ratings(), seed=SEEDS)
def other_ids_in_the_same_order_change_nothing(splitter: Any, data: Ratings, seed: int) -> None:
    """Ids have no meaning: under other names the same ratings are test."""
    ours, theirs = (
        or_refusal(lambda d=each: split(d, splitter, seed))  # type: ignore[misc]
        for each in (data, renamed(data))
    )
    if isinstance(ours, str) or isinstance(theirs, str):
        require(isinstance(ours, str) and isinstance(theirs, str), f"{ours}, but {theirs}")
        return
    for one, other in zip(ours.folds, theirs.folds, strict=True):
        require_equal(other.parts, one.parts, "the parts under other ids")
