"""Simulated ratings with a known truth: the built-in data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from cranfield.base.counters import pair_uniforms, uniforms
from cranfield.base.errors import BadParameter
from cranfield.base.ids import numbered_ids
from cranfield.base.options import option, parameter
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.power_law import apportion, refuse_impossible_sizes
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source
from cranfield.collection.truth import Simulation, Truth

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_FACTORS = 6
_LEVEL, _BIAS, _QUALITY, _TASTE, _NOISE = 2.6, 0.45, 0.55, 0.85, 0.45
"""Mean, spread of user biases, of item qualities and of taste · trait, scale of the noise:
in rating steps, chosen so that what is observed looks like MovieLens (see `Simulated`)."""

_HEAD = 0.07
"""The c2 of the shifted power law as a share of the items: that of MovieLens 1M."""

_BEGIN, _SPAN = 946_684_800, 3 * 365 * 86_400
"""The first second (1 January 2000) and the length (three years) of the simulated time."""

_PAIRS_AT_ONCE = 1 << 19
"""Pairs worked on at a time by one thread: about 30 MB."""


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
    r"""Simulated ratings, of which the truth behind is known for every user and item.

    Users have tastes, items have traits and quality, and every pair has a true relevance
    and a true rating (`Truth`). What is observed depends on the item's popularity and,
    adjustably, on the relevance. User u rates the n_u items with the largest

        log w_i + mnar · relevance(u, i) + Gumbel noise,

    that is, draws them without replacement with odds w_i · exp(mnar · relevance(u, i)).
    w_i falls with the item's popularity rank by a shifted power law (bellogin2017 §5.2)
    and n_u is the least number plus a log-normal one. Users join over three years and
    rate most when they have just joined. Observed ratings are the true ones. Every user
    has at least the least number of ratings and every item at least one.

    >>> Simulated(size="tiny").read()
    Ratings(40 users, 50 items, 400 ratings)
    """

    size: Literal["tiny", "small", "medium", "large"] = parameter(
        "medium", "400, 5,000, 100,000 (like MovieLens 100K) or 1,000,209 ratings (like 1M)."
    )
    users: int | None = parameter(None, "Number of users; by default that of the size.", at_least=1)
    items: int | None = parameter(None, "Number of items; by default that of the size.", at_least=1)
    ratings: int | None = parameter(
        None, "Number of ratings; by default as dense as the size has them.", at_least=1
    )
    seed: int = parameter(0, "Another seed gives another world of the same kind.", at_least=0)
    skew: float = parameter(
        1.4, "Exponent α of item popularity; 0 is uniform.", at_least=0, at_most=10
    )
    activity: float = parameter(
        1.2, "Spread of user activity, in log units; 0 is uniform.", at_least=0, at_most=3
    )
    mnar: float = parameter(
        3.0,
        "How far observation depends on relevance, in log odds; 0 is missing at random.",
        at_least=0,
        at_most=20,
    )
    fame: float = parameter(
        0.3, "Correlation of an item's popularity with its quality.", at_least=0, at_most=1
    )
    least: int | None = parameter(
        None, "Least ratings of a user; by default a quarter of the mean, at most 20.", at_least=1
    )

    def read(self) -> Ratings:
        """The observed ratings."""
        return self.simulate().ratings

    def truth(self) -> Truth:
        """The truth about every pair, from the option alone."""
        users, items, _ = self._sizes()
        user_ids, item_ids = numbered_ids("u", users), numbered_ids("i", items)
        strength = np.sqrt(_TASTE / np.sqrt(_FACTORS))
        return Truth(
            user_ids=user_ids,
            item_ids=item_ids,
            level=_LEVEL,
            biases=_BIAS * self._normal("bias", users),
            qualities=_QUALITY * self._normal("quality", items),
            tastes=strength * self._normal("taste", users, _FACTORS),
            traits=strength * self._normal("trait", items, _FACTORS),
            noise=_NOISE,
            key=self._key("rating"),
        )

    def simulate(self) -> Simulation:
        """The observed ratings, with the truth behind them."""
        truth = self.truth()
        world = _World(self, truth, self._counts(), self._popularity(truth))
        return Simulation(world.observe(), truth)

    def _sizes(self) -> _Size:
        """Users, items and ratings, as given or by the preset."""
        preset = _PRESETS[self.size]
        users, items = self.users or preset.users, self.items or preset.items
        density = preset.ratings / (preset.users * preset.items)
        ratings = self.ratings or round(density * users * items)
        refuse_impossible_sizes("simulated", users=users, items=items, ratings=ratings)
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

    def _popularity(self, truth: Truth) -> Floats:
        """log w of each item: by its rank in a mixture of quality and chance."""
        items = len(truth.item_ids)
        chance = self._normal("popularity", items)
        mixed = self.fame * truth.qualities / _QUALITY + np.sqrt(1 - self.fame**2) * chance
        ranks = np.empty(items)
        ranks[np.argsort(-mixed, kind="stable")] = np.arange(1, items + 1)
        return -self.skew * np.log(_HEAD * items + ranks)

    def _key(self, name: str) -> int:
        return Seeds(self.seed).key("source", "simulated", name)

    def _normal(self, name: str, *shape: int) -> Floats:
        """Standard normal numbers that belong to a name."""
        drawn = ndtri(uniforms(self._key(name), np.arange(np.prod(shape))))
        return np.asarray(drawn, dtype=np.float64).reshape(shape)


@dataclass(frozen=True, eq=False)
class _World:
    """What decides which pairs are observed, and when."""

    option: Simulated
    truth: Truth
    counts: Counts
    popularity: Floats

    def observe(self) -> Ratings:
        """The ratings of the pairs that are seen."""
        rows = max(1, _PAIRS_AT_ONCE // len(self.popularity))
        parts = list(in_threads(self._seen, chunks(len(self.counts), rows)))
        items, values, times = (np.concatenate(column) for column in zip(*parts, strict=True))
        users = np.repeat(np.arange(len(self.counts), dtype=np.int32), self.counts)
        ids = self.truth.user_ids, self.truth.item_ids
        return self._with_every_item(Ratings(*ids, users, items, values, times))

    def _seen(self, part: slice) -> tuple[npt.NDArray[np.int32], Floats, Counts]:
        """The items, ratings and times of a slice of users, in order of (user, item)."""
        users = np.arange(part.start, part.stop)
        appeal = self.truth.appeal(users)
        ratings = self.truth.rating_of(users, appeal)
        keys = self._keys(users, appeal)
        times = self._times(users)
        items = [np.sort(_largest(row, n)) for row, n in zip(keys, self.counts[part], strict=True)]
        rows = np.repeat(users - part.start, self.counts[part])
        flat = np.concatenate(items)
        return flat.astype(np.int32), ratings[rows, flat], times[rows, flat]

    def _keys(self, users: Counts, appeal: Floats) -> Floats:
        """By how much each item wants to be rated by some users: users × items."""
        option = self.option
        keys = self._gumbel(users)
        keys += self.popularity
        if option.mnar:
            keys += option.mnar * self.truth.relevance_of(appeal)
        return keys

    def _gumbel(self, users: Counts) -> Floats:
        drawn = pair_uniforms(self._key("observed"), users, np.arange(len(self.popularity)))
        return np.asarray(-np.log(-np.log(drawn)))

    def _times(self, users: Counts) -> Counts:
        """When some users would rate each item: most of it soon after they joined."""
        joined = uniforms(self._key("joined"), users)[:, None]
        drawn = pair_uniforms(self._key("time"), users, np.arange(len(self.popularity)))
        share = joined + (1 - joined) * drawn * drawn * drawn
        return _BEGIN + np.floor(share * _SPAN).astype(np.int64)

    def _key(self, name: str) -> int:
        return Seeds(self.option.seed).key("source", "simulated", name)
