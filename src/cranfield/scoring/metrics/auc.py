"""AUC: how many pairs of a relevant and another item are in order."""

from __future__ import annotations

from math import nan
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metrics.correcting import CORRECTION, CorrectableMetric
from cranfield.scoring.metrics.reading import RELEVANCE, is_relevant, tie_groups
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "AUC")
@dataclass(frozen=True, kw_only=True)
class AUC(CorrectableMetric):
    r"""Share of the pairs of a relevant and another target that are in the right order.

        AUC = Σ_{i ∈ R_u} (others below i + ½·others tied with i) ÷ (|R_u|·(|T_u| − |R_u|))

    The others are all targets that are not relevant, judged or not; an item that the
    collection does not know is in no pair. Targets that are not
    in the list are tied with one another, below those in it. Undefined without a relevant
    target or without another. Between 0 and 1, higher is better, 0.5 by chance.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> AUC().of_topic(topic_hits([1, 4], [5, 4]))  # 2 and 0 of the two others are below
    0.5
    """

    needs_catalogue: ClassVar[bool] = True
    ranks_targets_only: ClassVar[bool] = True

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    correction: SampleCorrection | None = parameter(None, CORRECTION)

    def plain_score(self, topic: TopicHits) -> float:
        """The pairs in order, over all pairs."""
        relevant = is_relevant(topic, self.relevance)
        ranks = topic.ranks[relevant & (topic.ranks > 0)]
        total, others = int(relevant.sum()), topic.targets - int(relevant.sum())
        above = float((ranks - np.arange(1, len(ranks) + 1)).sum())
        above += (total - len(ranks)) * _above_unlisted(topic.length - len(ranks), others)
        return _share(above, total, others)

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: half of the others in a tie group are above.

        Where the list ends inside a group, an item of it may also be left out; it then
        is tied with every other item that is not in the list.
        """
        relevant = is_relevant(topic, self.relevance)
        total, others = int(relevant.sum()), topic.targets - int(relevant.sum())
        above, left, listed = 0.0, total, float(topic.length)
        for group in tie_groups(topic, self.relevance):
            if group.first <= topic.length:
                higher = group.first - 1 - (total - left)
                tied = group.size - group.relevant
                chance = (min(group.last, topic.length) - group.first + 1) / group.size
                unlisted = (1 - chance) * (others - higher - tied) / 2
                above += group.relevant * (higher + tied / 2 + unlisted)
                left -= group.relevant
                listed -= group.relevant * chance
        above += left * _above_unlisted(listed, others)
        return _share(above, total, others)


def _above_unlisted(listed: float, others: int) -> float:
    """How many others count as above an item that is not in the list."""
    return listed + (others - listed) / 2


def _share(above: float, relevant: int, others: int) -> float:
    return 1 - above / (relevant * others) if relevant and others > 0 else nan
