"""Propensities that are known, because the data are simulated."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import ClassVar
from weakref import ref

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.propensity import Counts, Floats, Propensities, Propensity
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import (
    KnownObservation,
    observation_of,
    true_ratings,
)
from cranfield.collection.source import source_of


@option("propensity", "known")
@dataclass(frozen=True, kw_only=True)
class KnownPropensity(Propensity):
    r"""The chance by which simulated data show a rating, which their source knows.

        p_ui = π_ui,  or with a test share σ  p_ui = σ·π_ui ÷ (σ·π_ui + 1 − π_ui)

    π_ui is the chance of the pair to be observed. With the share of ratings that a random
    split puts into test, it is the chance to be in test for a pair that is not in training, so
    that sums by IPS are on the scale of the truth. |R_u| is known too, which recall by IPS
    needs. For a source with a known truth: ``simulated`` or ``block``.
    """

    up_to_scale: ClassVar[bool] = False
    needs_train: ClassVar[bool] = False

    source: str = parameter(text="The simulated source of the ratings, as it is spelled.")
    test_share: float = parameter(
        1.0, "σ, the share of ratings that the split puts into test.", above=0, at_most=1
    )

    def estimate(self, train: Ratings, seeds: Seeds) -> KnownPropensities:
        """From the source, whatever is in training."""
        source = source_of(self.source)
        return KnownPropensities(source, observation_of(source), ref(train), self.test_share)


@dataclass(frozen=True, eq=False)
class KnownPropensities(Propensities):
    """What a simulated source knows, under the ids of training ratings.

    Those are not held: what is estimated lives as long as they do.
    """

    source: object
    observation: KnownObservation
    train: ref[Ratings]
    test_share: float
    _relevant: dict[float, Counts] = field(default_factory=dict)

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """The chance of each pair; NaN for ids that the source does not have."""
        own_users, own_items = self._codes
        rows, columns = own_users[users], own_items[items]
        known = (rows >= 0) & (columns >= 0)
        shown = np.full(len(rows), np.nan)
        shown[known] = self.observation.propensity(rows[known], columns[known])
        share = self.test_share
        return np.asarray(share * shown / (share * shown + (1 - shown)))

    def relevant_counts(self, relevance: float) -> Counts:
        """How many items outside training each user would find relevant."""
        if relevance not in self._relevant:
            self._refuse_unknown()
            train = self._train
            truth = true_ratings(self.source, train)
            liked = np.bincount(truth.users, truth.values >= relevance, train.n_users)
            self._relevant[relevance] = liked.astype(np.int64)
        return self._relevant[relevance]

    def _refuse_unknown(self) -> None:
        if min(each.min(initial=0) for each in self._codes) < 0:
            raise OptionError(
                f"propensity known: {self.source} does not have all users and items that are "
                "evaluated. Give the source of the ratings."
            )

    @property
    def _train(self) -> Ratings:
        train = self.train()
        assert train is not None  # what asks for propensities of pairs has their ratings
        return train

    @cached_property
    def _codes(self) -> tuple[Codes, Codes]:
        """The source's own codes of users and items; −1 for those that it does not have."""
        truth, train = self.observation.truth, self._train
        users = truth.user_ids.encode(train.user_ids.values)
        return users, truth.item_ids.encode(train.item_ids.values)
