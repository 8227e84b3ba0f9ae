"""Folds: the scores of several test parts as those of one experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.collection.topics import Topics
from cranfield.scoring.expectation import Expectation, join_expectations
from cranfield.scoring.scores import (
    ALL_RATINGS,
    TRAIN_RATINGS,
    Counts,
    Floats,
    Scores,
    mean_by_place,
)


def join_folds(parts: Sequence[Scores]) -> Scores:
    """The scores of all folds as those of one experiment (spec A2).

    A user's values are averaged over the folds in which they are defined, and so are the
    numbers of training ratings and of all ratings; test ratings are added up. Where rankings
    are of single relevant items (1R, P1R), each stays a topic of its own.
    """
    if len(parts) == 1:
        return parts[0]
    first, order = parts[0], fold_order([part.topics for part in parts])

    def joined(pieces: list[Any]) -> Any:
        return None if pieces[0] is None else np.concatenate(pieces, axis=-1)[..., order]

    known = [name for name in first.user_columns if all(name in p.user_columns for p in parts)]
    every = Scores(
        Topics(
            joined([part.topics.users for part in parts]),
            joined([part.topics.items for part in parts]),
            joined([part.topics.segments for part in parts]),
        ),
        first.user_ids,
        first.systems,
        first.metrics,
        joined([part.values for part in parts]),
        joined([part.covered for part in parts]),
        first.item_ids,
        joined([part.judged for part in parts]),
        joined([part.relevant for part in parts]),
        first.unknown,
        {name: joined([each.user_columns[name] for each in parts]) for name in known},
    )
    if not _are_users(every.topics):
        return every
    users = every.by_user()
    places = np.searchsorted(users.topics.users, every.topics.users)
    return replace(
        users,
        judged=_sums(every.judged, places),
        relevant=_sums(every.relevant, places),
        user_columns={**users.user_columns, **_mean_counts(every, places, len(users))},
    )


def join_fold_expectations(parts: Sequence[Expectation], topics: Sequence[Topics]) -> Expectation:
    """What random rankings score on the topics of `join_folds`."""
    if len(parts) == 1:
        return parts[0]
    order, every = fold_order(topics), join_expectations(parts)
    owners = np.concatenate([each.users for each in topics])[order]
    users, places = np.unique(owners, return_inverse=True)

    def joined(values: Floats) -> Floats:
        if not all(map(_are_users, topics)):
            return values[:, order]
        return np.array([mean_by_place(row, places, len(users)) for row in values[:, order]])

    drawn = None if every.drawn is None else np.array([joined(each) for each in every.drawn])
    return replace(every, values=joined(every.values), best=joined(every.best), drawn=drawn)


def fold_order(topics: Sequence[Topics]) -> npt.NDArray[np.intp]:
    """Topics of all folds by user, segment and item, as joined scores have them."""
    columns = zip(*((each.items, each.segments, each.users) for each in topics), strict=True)
    keys = [np.concatenate(column) for column in columns if column[0] is not None]
    return np.lexsort(keys)


def _are_users(topics: Topics) -> bool:
    """Whether there is one ranking per user, not one per relevant item."""
    return topics.items is None and topics.segments is None


def _sums(counts: Counts | None, places: npt.NDArray[np.intp]) -> Counts | None:
    """Counts added up at each place."""
    return None if counts is None else np.bincount(places, weights=counts).astype(np.int64)


def _mean_counts(every: Scores, places: npt.NDArray[np.intp], size: int) -> dict[str, Floats]:
    """What each user has in training, and in all, in the mean of the user's folds."""
    return {
        name: mean_by_place(every.user_columns[name], places, size)
        for name in (TRAIN_RATINGS, ALL_RATINGS)
        if name in every.user_columns
    }
