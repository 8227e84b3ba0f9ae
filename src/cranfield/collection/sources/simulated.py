"""Simulated ratings with a known truth: the built-in data."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, TooLarge
from cranfield.base.ids import numbered_ids
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds, normals
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.observation import Observation
from cranfield.collection.simulation.truth import SimulatedTruth, Simulation
from cranfield.collection.source import Source
from cranfield.collection.statistics.power_law import (
    apportion,
    refuse_impossible_sizes,
    size_parameter,
)

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_FACTORS = 6
_LEVEL, _BIAS, _QUALITY, _TASTE, _NOISE = 2.8, 0.35, 0.5, 0.85, 0.35
"""Mean, spread of user biases, of item qualities and of taste · trait, scale of the noise:
in rating steps, chosen so that what is observed looks like MovieLens (see `Simulated`)."""

_MOST_PAIRS = 10**11
"""Pairs of users and items: so many take about an hour."""
_HEAD = 0.07
"""The c2 of the shifted power law as a share of the items: that of MovieLens 1M."""


class _Size(NamedTuple):
    """How much there is of everything."""

    users: int
    items: int
    ratings: int


_PRESETS = {
    "tiny": _Size(40, 50, 400),
    "small": _Size(200, 300, 5_000),
    "medium": _Size(943, 1_682, 100_000),
    "large": _Size(6_040, 3_706, 1_000_209),
}


@option("source", "simulated")
@dataclass(frozen=True, kw_only=True)
class Simulated(Source):
    r"""Simulated ratings; the truth behind them is known for every user and item.

    Users have tastes, items have traits and quality, and every pair has a true relevance
    and a true rating (`SimulatedTruth`). What is observed depends on the item's popularity and,
    adjustably, on the relevance. User u rates the n_u items with the largest

        log w_i + mnar · relevance(u, i) + Gumbel noise,

    that is, draws them without replacement with odds w_i · exp(mnar · relevance(u, i)).
    w_i = (0.07 |I| + k)^(−skew) at popularity rank k (bellogin2017 §5.2); counts come out
    flatter than w, as no user rates an item twice. n_u is the least number plus a
    log-normal one. Users join over three years and rate most when they have just joined.
    Observed ratings are the true ones. Every user has at least the least number of
    ratings and every item at least one.

    By default, the Gini over users and items, the mean rating and the fitted exponent of
    the counts are 0.48, 0.63, 3.6 and 1.7 in size "medium" (MovieLens 100K: 0.47, 0.63,
    3.5, 2.1), and 0.53, 0.65, 3.6 and 1.5 in size "large" (MovieLens 1M: 0.53, 0.63,
    3.6, 1.4).

    >>> Simulated(size="tiny").read()
    Ratings(40 users, 50 items, 400 ratings)
    """

    size: Literal["tiny", "small", "medium", "large"] = parameter(
        "medium", "400, 5,000, 100,000 (like MovieLens 100K) or 1,000,209 ratings (like 1M)."
    )
    users: int | None = size_parameter("Number of users; by default that of the size.")
    items: int | None = size_parameter("Number of items; by default that of the size.")
    ratings: int | None = size_parameter(
        "Number of ratings; by default, it follows from the density of the size."
    )
    seed: int = parameter(0, "Another seed gives different data of the same kind.", at_least=0)
    skew: float = parameter(
        2.0, "Exponent α of the items' odds; 0 is uniform popularity.", at_least=0, at_most=10
    )
    activity: float = parameter(
        1.2, "Spread of user activity, in log units; 0 is uniform.", at_least=0, at_most=3
    )
    mnar: float = parameter(
        3.5,
        "How far observation depends on relevance, in log odds; 0 is missing at random.",
        at_least=0,
        at_most=20,
    )
    fame: float = parameter(
        0.2, "Correlation of an item's popularity with its quality.", at_least=0, at_most=1
    )
    least: int | None = parameter(
        None,
        "Smallest number of ratings of a user; by default a quarter of the mean, at most 20.",
        at_least=1,
    )

    def read(self) -> Ratings:
        """The observed ratings."""
        return self.simulate().ratings

    def truth(self) -> SimulatedTruth:
        """The truth about every pair, from the option alone."""
        users, items, _ = self._sizes()
        user_ids, item_ids = numbered_ids("u", users), numbered_ids("i", items)
        strength = np.sqrt(_TASTE / np.sqrt(_FACTORS))
        return SimulatedTruth(
            user_ids=user_ids,
            item_ids=item_ids,
            level=_LEVEL,
            biases=_BIAS * self._normal("bias", users),
            qualities=_QUALITY * self._normal("quality", items),
            tastes=strength * self._normal("taste", users, _FACTORS),
            traits=strength * self._normal("trait", items, _FACTORS),
            noise=_NOISE,
            key=self._seeds.key("rating"),
        )

    def simulate(self) -> Simulation:
        """The observed ratings, with the truth behind them."""
        observation = self.observation()
        return Simulation(observation.ratings(), observation.truth)

    def observation(self) -> Observation:
        """What decides which pairs are observed."""
        truth = self.truth()
        return Observation(
            truth=truth,
            counts=self._counts(),
            popularity=self._popularity(truth),
            mnar=self.mnar,
            seeds=self._seeds.child("observation"),
        )

    def _sizes(self) -> _Size:
        """Users, items and ratings, as given or by the preset."""
        preset = _PRESETS[self.size]
        users, items = self.users or preset.users, self.items or preset.items
        density = preset.ratings / (preset.users * preset.items)
        ratings = self.ratings or round(density * users * items)
        refuse_impossible_sizes("simulated", users=users, items=items, ratings=ratings)
        if users * items > _MOST_PAIRS:
            problem = f"a number would be drawn for each of {users * items:,} pairs"
            remedy = f"Give fewer users or items: {_MOST_PAIRS:,} pairs are the most"
            raise TooLarge("simulated", problem, remedy)
        return _Size(users, items, ratings)

    def _counts(self) -> Counts:
        """The number of ratings of each user; two thirds of the items at most if possible."""
        users, items, ratings = self._sizes()
        least = self.least or max(1, min(20, ratings // users // 4))
        if least * users > ratings or least > items:
            most = min(ratings // users, items)
            raise BadParameter("simulated", "least", least, f"possible: {most} is the most")
        most = max(2 * items // 3, least)
        most = most if most * users >= ratings else items
        weights = np.exp(self.activity * self._normal("activity", users))
        return apportion(weights, ratings, least=least, most=most, base=least)

    def _popularity(self, truth: SimulatedTruth) -> Floats:
        """The logarithm of w of each item, by its rank in a mixture of quality and chance."""
        items = len(truth.item_ids)
        chance = self._normal("popularity", items)
        mixed = self.fame * truth.qualities / _QUALITY + np.sqrt(1 - self.fame**2) * chance
        ranks = np.empty(items)
        ranks[np.argsort(-mixed, kind="stable")] = np.arange(1, items + 1)
        return -self.skew * np.log(_HEAD * items + ranks)

    @property
    def _seeds(self) -> Seeds:
        return Seeds(self.seed).child("source", "simulated")

    def _normal(self, name: str, *shape: int) -> Floats:
        """Standard normal numbers that belong to a name."""
        keys = self._seeds.key(name, "radius"), self._seeds.key(name, "angle")
        return normals(keys, np.arange(np.prod(shape, dtype=np.int64))).reshape(shape)
