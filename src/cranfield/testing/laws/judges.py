"""Laws of judges: ratings of pairs that the collection knows, and the same each time."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.base.options import parse
from cranfield.collection.leakage import in_both
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Split, split
from cranfield.testing.law import law, require, threads
from cranfield.testing.strategies import SEEDS
from cranfield.workbench import inventory


def _divided(seed: int) -> tuple[Any, Split]:
    """A small world whose truth is known, in two parts."""
    inventory.load("source", "split")
    source = parse("source", "simulated(size=tiny)")
    return source, split(source.read(), parse("split", "random(test_share=0.4)"), seed)


def _judging(judge: Any, seed: int) -> tuple[Ratings, Ratings]:
    """The training ratings, and those that judge."""
    source, parts = _divided(seed)
    return parts.train, judge.ratings(source, parts.train, parts.test)


@law("judged_by", seed=SEEDS)
def what_judges_is_known_and_outside_training(judge: Any, seed: int) -> None:
    """Pairs that judge are of users and items of the collection, are not in training, and come
    in order of user and item, none of them twice.
    """
    train, judging = _judging(judge, seed)
    require(len(judging) > 0, "nothing judges")
    shared = judging.user_ids == train.user_ids and judging.item_ids == train.item_ids
    require(shared, "what judges has other ids than training")
    require(not in_both(judging, train).any(), "a pair of training judges")
    pairs = judging.users.astype(np.int64) * judging.n_items + judging.items
    require((np.diff(pairs) > 0).all(), "rows do not ascend by user and item, or a pair is twice")


@law("judged_by")
def the_same_ratings_judge_again(judge: Any) -> None:
    """Asked again, with any number of threads, the same ratings judge."""
    first = _judging(judge, 1)[1].fingerprint
    for count in (1, 3):
        with threads(count):
            again = _judging(judge, 1)[1].fingerprint
        require(again == first, f"with {count} threads, other ratings judge")
