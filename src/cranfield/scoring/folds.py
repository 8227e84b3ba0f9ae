"""Folds: the scores of several test parts as those of one experiment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.collection.topics import Topics
from cranfield.scoring.expectation import Expectation
from cranfield.scoring.scores import Scores


def join_folds(parts: Sequence[Scores]) -> Scores:
    """The scores of all folds as topics of one; a user may have one in every fold.

    All folds are evaluated, and the values of a user averaged over them (spec A2): the
    user is the unit of every comparison.
    """
    if len(parts) == 1:
        return parts[0]
    first, order = parts[0], _order([part.topics for part in parts])

    def joined(pieces: list[Any]) -> Any:
        return None if pieces[0] is None else np.concatenate(pieces, axis=-1)[..., order]

    return Scores(
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
    )


def join_fold_expectations(parts: Sequence[Expectation], topics: Sequence[Topics]) -> Expectation:
    """What random rankings score on the topics of all folds, in the order of `join_folds`."""
    if len(parts) == 1:
        return parts[0]
    order = _order(topics)
    sizes = np.array([len(each) for each in topics], dtype=np.float64)
    errors = np.array([part.errors for part in parts]) * (sizes / sizes.sum())[:, None]
    return Expectation(
        parts[0].metrics,
        np.concatenate([part.values for part in parts], axis=1)[:, order],
        np.concatenate([part.best for part in parts], axis=1)[:, order],
        parts[0].estimated,
        tuple(np.sqrt((errors**2).sum(axis=0)).tolist()),
    )


def _order(topics: Sequence[Topics]) -> np.typing.NDArray[np.intp]:
    """Topics of all folds by user; those of one user in the order of the folds."""
    return np.argsort(np.concatenate([each.users for each in topics]), kind="stable")
