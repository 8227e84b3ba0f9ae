"""Merging: several parts of one data set put together again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cranfield.collection.ordering import order_pairs
from cranfield.collection.ratings import Ratings


def merge(parts: Sequence[Ratings]) -> tuple[Ratings, npt.NDArray[np.int8]]:
    """The ratings of several parts in one, and for each rating the part it came from.

    The parts must share no pair, have ids of the same types, and all or none have times.
    """
    user_ids, item_ids = parts[0].user_ids, parts[0].item_ids
    for part in parts[1:]:
        user_ids, item_ids = user_ids.union(part.user_ids), item_ids.union(part.item_ids)
    coded = [part.reindex(user_ids, item_ids) for part in parts]
    times = [part.timestamps for part in coded if part.timestamps is not None]
    assert len(times) in (0, len(parts))
    ordered = order_pairs(
        np.concatenate([part.users for part in coded]),
        np.concatenate([part.items for part in coded]),
        len(user_ids),
        len(item_ids),
        (
            np.concatenate([part.values for part in coded]),
            np.concatenate(times) if times else None,
            np.repeat(np.arange(len(parts), dtype=np.int8), [len(part) for part in parts]),
        ),
    )
    values, stamps, origins = ordered.columns
    return Ratings(user_ids, item_ids, ordered.users, ordered.items, values, stamps), origins
