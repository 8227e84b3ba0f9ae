"""Folds: the scores of several test parts as those of one experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.collection.topics import Topics
from cranfield.scoring.expectation.expectation import Expectation, join_expectations
from cranfield.scoring.pooling import mean_by_place
from cranfield.scoring.scores import (
    ALL_RATINGS,
    TRAIN_RATINGS,
    Counts,
    Floats,
    Scores,
)


@dataclass(frozen=True, eq=False)
class JoinedTopics:
    """The distinct topics of all folds, by user, segment and item.

    ``every`` are the topics of one fold after the other, ``places`` the place of each among
    the distinct ones. A user has a topic in several folds; a user and a relevant item (1R,
    P1R) have if the item is test in several, as where a split is drawn repeatedly.
    """

    every: Topics
    places: npt.NDArray[np.intp]
    topics: Topics

    @property
    def are_distinct(self) -> bool:
        """Whether no topic is in two folds."""
        return len(self.topics) == len(self.every)


def join_topics(folds: Sequence[Topics]) -> JoinedTopics:
    """The topics of all folds, each once."""
    names = ("items", "segments", "users")
    columns: dict[str, Any] = {name: _every(folds, name) for name in names}
    keys = [column for column in columns.values() if column is not None]
    order = np.lexsort(keys)
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.cumsum(begins) - 1
    firsts = order[begins]
    taken: dict[str, Any] = {n: None if c is None else c[firsts] for n, c in columns.items()}
    return JoinedTopics(Topics(**columns), places, Topics(**taken))


def join_folds(parts: Sequence[Scores]) -> Scores:
    """The scores of all folds as those of one experiment (spec A2).

    A topic's values are averaged over the folds in which they are defined, and so are the
    numbers of training ratings and of all ratings of its user in these folds; the user's test
    ratings are added up. A topic is a user or, where rankings are of single relevant items
    (1R, P1R), a user and an item, which counts once however often it was test.
    """
    if len(parts) == 1:
        return parts[0]
    joined = join_topics([part.topics for part in parts])
    every = replace(
        parts[0],
        topics=joined.every,
        values=_every(parts, "values"),
        covered=_every(parts, "covered"),
        judged=None,
        relevant=None,
        user_columns={},
        topic_weights={
            name: np.concatenate([part.topic_weights[name] for part in parts])
            for name in parts[0].topic_weights
        },
    )
    if joined.are_distinct:
        made = every.take(np.argsort(joined.places))
    else:
        made = every.pool(joined.topics, joined.places)
    return replace(
        made,
        item_ids=None if made.topics.items is None else made.item_ids,
        judged=_sums(_every(parts, "judged"), joined),
        relevant=_sums(_every(parts, "relevant"), joined),
        user_columns=_user_columns(parts, joined),
    )


def join_fold_expectations(parts: Sequence[Expectation], topics: Sequence[Topics]) -> Expectation:
    """What random rankings score on the topics of `join_folds`."""
    if len(parts) == 1:
        return parts[0]
    every, joined = join_expectations(parts), join_topics(topics)

    def means(values: Floats) -> Floats:
        size = len(joined.topics)
        rows = [mean_by_place(row, joined.places, size) for row in values]
        return np.array(rows).reshape(len(values), size)

    drawn = None if every.drawn is None else np.array([means(each) for each in every.drawn])
    return replace(every, values=means(every.values), best=means(every.best), drawn=drawn)


def _every(parts: Sequence[Scores] | Sequence[Topics], name: str) -> Any:
    """One field of all parts, one after the other; None where it is not known."""
    pieces = [getattr(part, name) for part in parts]
    return None if pieces[0] is None else np.concatenate(pieces, axis=-1)


def _sums(counts: Counts | None, joined: JoinedTopics) -> Counts | None:
    """Counts added up at each place."""
    if counts is None:
        return None
    return np.bincount(joined.places, counts, len(joined.topics)).astype(np.int64)


def _user_columns(parts: Sequence[Scores], joined: JoinedTopics) -> dict[str, Floats]:
    """The numbers of each topic's user that all folds know.

    Ratings in training, and in all, are averaged over the folds; others do not depend on them.
    """
    firsts = np.unique(joined.places, return_index=True)[1]
    made: dict[str, Floats] = {}
    for name in parts[0].user_columns:
        if all(name in part.user_columns for part in parts):
            every = np.concatenate([part.user_columns[name] for part in parts])
            counted = name in (TRAIN_RATINGS, ALL_RATINGS)
            means = mean_by_place(every, joined.places, len(joined.topics))
            made[name] = means if counted else every[firsts]
    return made
