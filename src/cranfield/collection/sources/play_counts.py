"""Play counts read as ratings from 1 to 5, each user by their own counts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import BadValue
from cranfield.base.schema import RATING
from cranfield.collection.ratings import Ratings

_LEVELS = 5


def rate_plays(ratings: Ratings, where: str = "ratings") -> Ratings:
    """Ratings from 1 to 5 in place of play counts, by cumulative share of plays.

        r(u, i) = ⌈5 · Σ_{j: n(u,j) ≤ n(u,i)} n(u,j)  ÷  Σ_j n(u,j)⌉

    n(u, i) is how often user u played item i. Items of the top fifth of a user's plays
    get 5, of the next fifth 4, and so on; an item that reaches from one fifth into
    another gets the higher rating, and items played equally often get the same. Counts
    must be above 0. Celma & Herrera 2008; bellogin2017 §3.3.

    >>> plays = Ratings.from_triples(["u"] * 4, list("abcd"), [5, 3, 1, 1])
    >>> rate_plays(plays).values
    array([5., 3., 1., 1.])
    """
    counts = ratings.values
    if len(counts) and counts.min() <= 0:
        wrong = int(np.argmin(counts))
        user, item = ratings.users[wrong], ratings.items[wrong]
        place = f"{where}, {ratings.user_ids[user]} and {ratings.item_ids[item]}"
        raise BadValue(place, RATING, float(counts[wrong]), "a play count above 0")
    return replace(ratings, values=_levels(ratings))


def _levels(ratings: Ratings) -> npt.NDArray[np.float64]:
    order = np.lexsort((ratings.values, ratings.users))
    users, plays = ratings.users[order], ratings.values[order]
    # Sums start anew with each user, so that another user's counts cannot round them.
    starts = ratings.user_offsets
    within = np.concatenate(
        [np.cumsum(plays[a:b]) for a, b in pairwise(starts.tolist())] or [np.empty(0)]
    )
    totals = np.zeros(ratings.n_users)
    filled = ratings.user_counts > 0
    totals[filled] = within[starts[1:][filled] - 1]
    last_of_tie = np.ones(len(plays), dtype=bool)
    last_of_tie[:-1] = (users[1:] != users[:-1]) | (plays[1:] != plays[:-1])
    ends = np.flatnonzero(last_of_tie)
    reached = within[ends[np.searchsorted(ends, np.arange(len(plays)))]]
    levels = np.empty(len(plays))
    levels[order] = np.clip(np.ceil(_LEVELS * reached / totals[users]), 1, _LEVELS)
    return levels
