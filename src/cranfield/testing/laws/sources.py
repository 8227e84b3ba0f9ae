"""Laws of sources: the same ratings at every reading, each pair once."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.collection.ratings import Ratings
from cranfield.testing.law import law, require, threads


@law("source")
def a_source_gives_ratings_in_order(source: Any) -> None:
    """What is read is `Ratings`: at least one, in order of user and item, no pair twice,
    every value finite.
    """
    read = source.read()
    require(isinstance(read, Ratings), f"{type(read).__name__} is read, not Ratings")
    require(len(read) > 0, "there is no rating")
    pairs = read.users.astype(np.int64) * read.n_items + read.items
    require((np.diff(pairs) > 0).all(), "rows do not ascend by user and item, or a pair is twice")
    require(np.isfinite(read.values).all(), "a rating is not finite")


@law("source")
def a_source_reads_the_same_again(source: Any) -> None:
    """Reading again gives the same ratings, with any number of threads."""
    with threads(1):
        first = source.read().fingerprint
    for count in (1, 3):
        with threads(count):
            again = source.read().fingerprint
        require(again == first, f"read again with {count} threads, other ratings come")


@law("source")
def a_source_holds_no_id_without_a_rating(source: Any) -> None:
    """Every user and every item of what is read has a rating."""
    read = source.read()
    require((read.user_counts > 0).all(), "a user has no rating")
    require((read.item_counts > 0).all(), "an item has no rating")
