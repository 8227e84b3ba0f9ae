"""Truth: what every user would think of every item, made up or observed to the last."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.ids import Ids
from cranfield.base.seeds import broadcast_uniforms
from cranfield.base.threads import chunks
from cranfield.collection.ratings import Ratings

Floats = npt.NDArray[np.float64]
Some = npt.NDArray[np.integer]
"""Codes of some users or items."""

RELEVANT = 4
"""The true rating from which an item is relevant to a user."""


class Truth(Protocol):
    """What every user would think of every item, under ids of its own."""

    @property
    def user_ids(self) -> Ids:
        """The users of whom everything is known."""
        ...

    @property
    def item_ids(self) -> Ids:
        """The items of which everything is known."""
        ...

    def rating(self, users: Some, items: Some | None = None) -> Floats:
        """The ratings that some users would give items, all unless given: users × items."""
        ...

    def rating_of_pairs(self, users: Some, items: Some) -> Floats:
        """The ratings of pairs of a user and an item."""
        ...

    def relevance(self, users: Some, items: Some | None = None) -> Floats:
        """How relevant items are to some users, from 0 to 1: users × items."""
        ...

    def relevance_of_pairs(self, users: Some, items: Some) -> Floats:
        """The same of pairs of a user and an item."""
        ...


@dataclass(frozen=True, eq=False)
class SimulatedTruth:
    r"""What every simulated user would think of every simulated item.

        appeal(u, i) = level + bias_u + quality_i + taste_u · trait_i
        rating(u, i) = appeal(u, i) + noise · logit(x_ui), rounded to 1, 2, 3, 4 or 5
        relevance(u, i) = P(rating(u, i) ≥ 4) = 1 / (1 + exp((3.5 − appeal(u, i)) / noise))

    x_ui is a number in (0, 1) that belongs to the pair, a function of ``key``, user and
    item. So a pair's truth depends on nothing but the pair: not on the batch it is asked
    for in, and no matrix of pairs is ever stored. Codes are those of the simulated
    ratings, which show the true ratings of some pairs.
    """

    user_ids: Ids
    item_ids: Ids
    level: float
    biases: Floats
    qualities: Floats
    tastes: Floats
    traits: Floats
    noise: float
    key: int

    def appeal(self, users: Some, items: Some | None = None) -> Floats:
        """How much items (all unless given) appeal to some users: users × items."""
        return self._appeal(*self._crossed(users, items))

    def relevance(self, users: Some, items: Some | None = None) -> Floats:
        """The probability that items are relevant to some users: users × items."""
        return self.relevance_of_pairs(*self._crossed(users, items))

    def relevance_of_pairs(self, users: Some, items: Some) -> Floats:
        """The same of pairs of a user and an item."""
        appeal = self._appeal(users, items)
        return np.asarray(1 / (1 + np.exp((RELEVANT - 0.5 - appeal) / self.noise)))

    def rating(self, users: Some, items: Some | None = None) -> Floats:
        """The ratings, 1 to 5, that some users would give items: users × items."""
        return self.rating_of_pairs(*self._crossed(users, items))

    def rating_of_pairs(self, users: Some, items: Some) -> Floats:
        """The ratings, 1 to 5, of pairs of a user and an item."""
        drawn = broadcast_uniforms(self.key, users, items)
        felt = self._appeal(users, items) + self.noise * np.log(drawn / (1 - drawn))
        return np.asarray(np.clip(np.rint(felt), 1, 5))

    def _crossed(self, users: Some, items: Some | None) -> tuple[Some, Some]:
        """All pairs of users and items, as a column and a row that broadcast."""
        across = np.arange(len(self.item_ids)) if items is None else items
        return users[:, None], across[None, :]

    def _appeal(self, users: Some, items: Some) -> Floats:
        """The appeal of pairs of users and items, broadcast together."""
        total = np.asarray((self.level + self.biases[users]) + self.qualities[items])
        # Factor by factor and not as one matrix product, whose last bits depend on its shape.
        for factor in range(self.tastes.shape[1]):
            total += self.tastes[users, factor] * self.traits[items, factor]
        return total


@dataclass(frozen=True, eq=False)
class Simulation:
    """Ratings as observed, and the truth behind them; both under the same ids."""

    ratings: Ratings
    truth: Truth


@runtime_checkable
class Simulator(Protocol):
    """A source that knows the truth behind its ratings."""

    def simulate(self) -> Simulation:
        """The ratings with their truth."""
        ...

    def truth(self) -> Truth:
        """The truth alone, without choosing what is observed."""
        ...


@runtime_checkable
class KnownObservation(Protocol):
    """What decides which pairs of a truth come to light."""

    @property
    def truth(self) -> Truth:
        """What every user would think of every item."""
        ...

    def propensity(self, users: Some, items: Some) -> Floats:
        """The chance of each pair of a user and an item to come to light."""
        ...


@runtime_checkable
class ObservingSimulator(Protocol):
    """A simulated source that tells by what chance a pair came to light."""

    def observation(self) -> KnownObservation:
        """What decides which pairs come to light."""
        ...


def observation_of(source: object) -> KnownObservation:
    """What decides which pairs of a simulated source come to light."""
    simulator = _simulator(source)
    if isinstance(simulator, ObservingSimulator):
        return simulator.observation()
    raise OptionError(
        f"{source}: the probability that each of its ratings was observed is not known."
    )


def simulate(source: object) -> Simulation:
    """The ratings of a simulated source together with the truth behind them."""
    return _simulator(source).simulate()


def truth_of(source: object) -> Truth:
    """The truth behind a source's ratings, recomputed from the option alone."""
    return _simulator(source).truth()


def _simulator(source: object) -> Simulator:
    if isinstance(source, Simulator):
        return source
    raise OptionError(
        f"{source}: the truth behind these ratings is not known. "
        f'Choose a simulated source, such as "simulated(size=medium)", or a block of ratings '
        f'that is complete, such as "block(source=jester-1)"; or judge by items that were shown '
        f'at random: judged_by = "random(file=…)".'
    )


_PAIRS_AT_ONCE = 4_000_000


def true_ratings(source: object, train: Ratings) -> Ratings:
    """The true ratings of all pairs of known users and items that are not in training."""
    truth = truth_of(source)
    items = truth.item_ids.encode(train.item_ids.values)
    users = truth.user_ids.encode(train.user_ids.values)
    parts = []
    for some in chunks(train.n_users, max(1, _PAIRS_AT_ONCE // max(train.n_items, 1))):
        ratings = truth.rating(users[some], items)
        rows = slice(train.user_offsets[some.start], train.user_offsets[some.stop])
        ratings[train.users[rows] - some.start, train.items[rows]] = np.nan
        owners, codes = np.nonzero(~np.isnan(ratings))
        parts.append((owners + some.start, codes, ratings[owners, codes]))
    owners, codes, values = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return Ratings(
        train.user_ids, train.item_ids, owners.astype(np.int32), codes.astype(np.int32), values
    )
