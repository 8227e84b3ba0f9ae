"""Average precision: precision where relevant items are found."""

from __future__ import annotations

from math import nan
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.propensity import Propensity
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    RELEVANCE,
    TieGroup,
    depth_of,
    is_relevant,
    is_seen,
    last_rank,
    tie_groups,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.metrics.weighted import ESTIMATOR, PROPENSITY, WeighableMetric
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "AP", aliases=("MAP", "average-precision"))
@dataclass(frozen=True, kw_only=True)
class AveragePrecision(WeighableMetric):
    r"""Precision at the ranks of the relevant items, averaged over all relevant items.

        AP@n = 1/|R_u| · Σ_{k≤n} 1[L[k] ∈ R_u] · P@k

    Divided by |R_u| at every cut-off, so that at n < |R_u| it stays below 1. Undefined
    without a relevant item. Between 0 and 1, higher is better. valcarce2020 eq. 4; the
    same in trec_eval (map_cut), ranx and RecTools.

    ``as=recbole`` and ``as=implicit`` divide by min(n, |R_u|); ``as=lenskit`` by the
    smaller of |R_u| and the length of the top n, undefined for an empty list;
    ``as=elliot`` is the mean of P@1 … P@n over all ranks, relevant or not.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> AveragePrecision().of_topic(topic_hits([1, 4], [5, 4]))  # (1/1 + 2/4) / 2
    0.75
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    as_: Literal["recbole", "implicit", "lenskit", "elliot"] | None = parameter(
        None, "The tool whose definition is used."
    )
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def plain_score(self, topic: TopicHits) -> float:
        """The precisions at the ranks of relevant items, over |R_u|."""
        relevant = is_relevant(topic, self.relevance)
        ranks = topic.ranks[relevant & is_seen(topic, self.cutoff)]
        if self.as_ == "elliot":
            return self._over_all_ranks(topic, ranks.astype(np.int64))
        total = sum(found / k for found, k in enumerate(ranks.tolist(), start=1))
        return self._over(topic, total)

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders, rank by rank of each tie group.

        A rank of a group of s items, r of them relevant, below c relevant items, holds a
        relevant one with chance r/s; then (j−1)(r−1)/(s−1) relevant ones are expected on
        the j−1 ranks of the group above it.
        """
        if self.as_ == "elliot":
            return self._over_all_ranks_expected(topic)
        total, above = 0.0, 0
        for group in tie_groups(topic, self.relevance):
            total += self._of_group(topic, group, above)
            above += group.relevant
        return self._over(topic, total)

    def _of_group(self, topic: TopicHits, group: TieGroup, above: int) -> float:
        bottom = min(group.last, last_rank(topic, self.cutoff))
        share = (group.relevant - 1) / (group.size - 1) if group.size > 1 else 0.0
        chance = group.relevant / group.size
        return sum(
            chance * (above + 1 + (k - group.first) * share) / k
            for k in range(group.first, bottom + 1)
        )

    def _over(self, topic: TopicHits, total: float) -> float:
        n, relevant = depth_of(topic, self.cutoff), int(is_relevant(topic, self.relevance).sum())
        if relevant == 0 or (self.as_ == "lenskit" and topic.length == 0):
            return nan
        capped = min(relevant, n) if self.cutoff is not None else relevant
        at_most = {None: relevant, "lenskit": min(relevant, n, topic.length)}
        return float(total / at_most.get(self.as_, capped))

    def _over_all_ranks(self, topic: TopicHits, ranks: np.ndarray) -> float:
        """Elliot's mean: an item at rank k adds 1/j to every P@j from k on."""
        n = depth_of(topic, self.cutoff)
        if not is_relevant(topic, self.relevance).any():
            return nan
        return float(_tail_sums(n)[ranks - 1].sum() / n) if n else 0.0

    def _over_all_ranks_expected(self, topic: TopicHits) -> float:
        n = depth_of(topic, self.cutoff)
        if not is_relevant(topic, self.relevance).any():
            return nan
        sums, total = _tail_sums(n), 0.0
        for group in tie_groups(topic, self.relevance):
            held = sums[group.first - 1 : min(group.last, n, topic.length)].sum()
            total += group.relevant / group.size * float(held)
        return total / n if n else 0.0


def _tail_sums(n: int) -> np.ndarray:
    """For each rank k from 1 to n: 1/k + … + 1/n."""
    return np.cumsum(1 / np.arange(n, 0, -1))[::-1]
