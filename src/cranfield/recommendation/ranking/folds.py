"""Folds: the hits of several test parts taken together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import OptionError
from cranfield.base.ids import Codes
from cranfield.base.ragged import offsets_of
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits, lists_in_order

_OF_TOPICS = ("lengths", "targets", "unscored")
_OF_ROWS = ("items", "ratings", "ranks", "first", "last")
"""What hits hold for each topic, and for each judged target."""


def join_folds(parts: Sequence[Hits]) -> Hits:
    """The hits of several test parts as those of one; topics of one user stand together."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    if any(part.weighing is not first.weighing for part in parts):
        raise OptionError(
            "propensity: each training part has its own, so that folds cannot be taken together. "
            "Choose a split of one fold, or metrics without propensities."
        )
    users = np.concatenate([part.topics.users for part in parts])
    topics = np.argsort(users, kind="stable")
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    offsets = offsets_of(sizes[topics])
    rows = np.repeat(starts[topics] - offsets[:-1], sizes[topics]) + np.arange(offsets[-1])

    def joined(name: str, order: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])[order]

    def optional(name: str) -> Codes | None:
        pieces = [getattr(part.topics, name) for part in parts]
        return None if pieces[0] is None else np.concatenate(pieces)[topics]

    columns: dict[str, Any] = {name: joined(name, topics) for name in _OF_TOPICS}
    columns |= {name: joined(name, rows) for name in _OF_ROWS}
    return replace(
        first,
        topics=Topics(users[topics], optional("items"), optional("segments")),
        offsets=offsets,
        population=None if first.population is None else joined("population", topics),
        lists=lists_in_order([part.lists for part in parts if part.lists is not None], topics),
        **columns,
    )
