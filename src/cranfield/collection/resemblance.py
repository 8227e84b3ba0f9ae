"""Resemblance: simulated data of the size, density and skew of real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.simulated import Simulated
from cranfield.collection.statistics.spread import Spread
from cranfield.collection.statistics.statistics import Statistics

MOST_PAIRS = 4_000_000
"""Pairs of user and item up to which data are simulated at their own size: all are judged."""
_STEPS = 7
"""Halvings of an interval: a skew to 0.05, an activity to 0.02."""
_PER_ITEM = 10
"""Mean ratings per item down to which only users are fewer."""
_THRESHOLDS = (2.0, 3.0, 4.0, 5.0)


@dataclass(frozen=True)
class Resemblance:
    """A simulated source that looks like real data, and how far it does.

    ``relevance`` is the simulated rating from which about as many ratings are positive.
    Of each figure, the real one stands before the simulated.
    """

    source: Simulated
    relevance: float
    users: tuple[int, int]
    items: tuple[int, int]
    density: tuple[float, float]
    gini_users: tuple[float, float]
    gini_items: tuple[float, float]
    positive: tuple[float, float]


def resemble(
    real: Statistics,
    *,
    seed: int = 0,
    most_pairs: int = MOST_PAIRS,
    mnar: float | None = None,
) -> Resemblance:
    """Simulated data like the real ones: as many users and items, as dense, as skewed.

    Larger data are simulated with fewer users, or with fewer of both where items would be
    left with few ratings, at the same density. The spread of user activity and the skew
    of item popularity are found by bisection, so that the Gini over users and over items
    come out. How far users rate what they like (mnar) cannot be seen in ratings: it is that
    of simulated data by default, or as given.
    """
    users, items = _sizes(real, most_pairs)
    ratings = max(round(real.density * users * items), users, items)
    most = min(ratings, users * items)
    source = Simulated(users=users, items=items, ratings=most, seed=seed, least=1)
    source = source if mnar is None else replace(source, mnar=mnar)
    by_users, by_items = real.per_user.gini, real.per_item.gini
    source = _bisected(source, 3.0, by_users, lambda s, a: replace(s, activity=a), _gini_users)
    source = _bisected(source, 6.0, by_items, lambda s, a: replace(s, skew=a), _gini_items)
    made = source.read()
    relevance = min(_THRESHOLDS, key=lambda t: abs(_positive(made, t) - real.positive))
    return Resemblance(
        source,
        relevance,
        users=(real.users, users),
        items=(real.items, items),
        density=(real.density, len(made) / (users * items)),
        gini_users=(real.per_user.gini, _gini_users(made)),
        gini_items=(real.per_item.gini, _gini_items(made)),
        positive=(real.positive, _positive(made, relevance)),
    )


def _sizes(real: Statistics, most_pairs: int) -> tuple[int, int]:
    """Users and items of the simulation."""
    users, items = real.users, real.items
    if users * items <= most_pairs:
        return users, items
    fewer = most_pairs // items
    if fewer * real.density >= _PER_ITEM:
        return fewer, items
    shrunk = (most_pairs / (users * items)) ** 0.5
    return max(round(users * shrunk), 1), max(round(items * shrunk), 1)


def _bisected(
    source: Simulated,
    most: float,
    wanted: float,
    change: Callable[[Simulated, float], Simulated],
    measure: Callable[[Ratings], float],
) -> Simulated:
    """The source whose figure, which rises with what is changed, is nearest to the one wanted."""
    low, high = 0.0, most
    for _ in range(_STEPS):
        middle = round((low + high) / 2, 3)
        reached = measure(change(source, middle).read())
        low, high = (middle, high) if reached < wanted else (low, middle)
    return change(source, round((low + high) / 2, 3))


def _gini_users(ratings: Ratings) -> float:
    return Spread(np.sort(ratings.user_counts)).gini


def _gini_items(ratings: Ratings) -> float:
    return Spread(np.sort(ratings.item_counts)).gini


def _positive(ratings: Ratings, threshold: float) -> float:
    return float(np.mean(ratings.values >= threshold))
