"""A complete block of real ratings, made sparse by a known rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds, normals
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.complete_block import CompleteBlock, complete_block
from cranfield.collection.simulation.observation import Observation
from cranfield.collection.simulation.truth import Floats, Simulation
from cranfield.collection.source import Source, read_ratings

_HEAD = 0.07
"""The c2 of the shifted power law as a share of the items: that of MovieLens 1M."""


@option("source", "block")
@dataclass(frozen=True, kw_only=True)
class Block(Source):
    r"""Real ratings of users who rated everything; a known rule shows a part of them.

    The block holds all users who rated every item of the source, or every one of its
    ``items`` most rated. User u shows the n = density · |I| items with the largest

        log w_i + mnar · relevance(u, i) + Gumbel noise,   w_i = (0.07 |I| + k)^(−skew)

    k is the rank of the item in an order that has correlation ``fame`` with the mean rating and
    is otherwise random; relevance is the position of the rating on its scale, from 0 to 1. With
    skew = mnar = 0, ratings are missing at random; skew alone makes some items popular; mnar
    makes users show what they like. The hidden ratings are known too: they are the truth that
    measurements can be compared with. Every item is shown by somebody. The rule is that of
    simulated data (bellogin2017 §5.2).
    """

    source: str = parameter(text="A data set, file or source with users who rated everything.")
    density: float = parameter(0.2, "Share of the block that is shown.", above=0, below=1)
    items: int | None = parameter(
        None, "Number of items, the most rated ones; by default all.", at_least=2
    )
    skew: float = parameter(
        0.0, "Exponent α of the items' odds; 0 is uniform popularity.", at_least=0, at_most=10
    )
    mnar: float = parameter(
        0.0,
        "How far showing depends on the rating, in log odds; 0 is missing at random.",
        at_least=0,
        at_most=20,
    )
    fame: float = parameter(
        0.0, "Correlation of an item's popularity with its mean rating.", at_least=0, at_most=1
    )
    seed: int = parameter(0, "Another seed shows other ratings.", at_least=0)

    def read(self) -> Ratings:
        """The ratings that are shown."""
        return self.simulate().ratings

    def truth(self) -> CompleteBlock:
        """The whole block."""
        return complete_block(read_ratings(self.source).aggregate(), self.items)

    def simulate(self) -> Simulation:
        """The ratings that are shown, and the whole block behind them."""
        observation = self.observation()
        # Nothing is known of when: what observation makes up for simulated users is dropped.
        return Simulation(replace(observation.ratings(), timestamps=None), observation.truth)

    def observation(self) -> Observation:
        """What decides which ratings are shown."""
        block = self.truth()
        users, items = block.ratings.shape
        shown = min(max(round(self.density * items), 1), items)
        seeds = Seeds(self.seed).child("source", "block")
        return Observation(
            truth=block,
            counts=np.full(users, shown, dtype=np.int64),
            popularity=self._popularity(block, seeds),
            mnar=self.mnar,
            seeds=seeds.child("observation"),
        )

    def _popularity(self, block: CompleteBlock, seeds: Seeds) -> Floats:
        """The logarithm of w of each item."""
        means = block.ratings.mean(axis=0)
        liked = (means - means.mean()) / max(float(means.std()), 1e-300)
        keys = seeds.key("popularity", "radius"), seeds.key("popularity", "angle")
        chance = normals(keys, np.arange(len(means)))
        mixed = self.fame * liked + np.sqrt(1 - self.fame**2) * chance
        ranks = np.empty(len(means))
        ranks[np.argsort(-mixed, kind="stable")] = np.arange(1, len(means) + 1)
        return np.asarray(-self.skew * np.log(_HEAD * len(means) + ranks))
