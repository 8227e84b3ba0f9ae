"""Inferred average precision: what AP would be, were everything judged."""

from __future__ import annotations

from math import nan
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import CUTOFF, RELEVANCE, is_relevant, is_seen


@option("metric", "InfAP", aliases=("infAP2",))
@dataclass(frozen=True, kw_only=True)
class InferredAP(Metric):
    r"""Average precision, with the precision above each rank inferred from judged items.

        InfAP@n = 1/|R_u| · Σ_{k≤n} 1[L[k] ∈ R_u] · E[P@k]
        E[P@k] = 1/k + (k−1)/k · (rel + ε)/(rel + nonrel + 2ε)

    rel and nonrel count the judged items above rank k. Undefined without a relevant item.
    Between 0 and 1, higher is better. Yilmaz & Aslam 2008; valcarce2020 eqs 10 and 11;
    infAP2 of rec_eval.

    ``as=trec_eval`` is infAP of trec_eval, which counts unjudged items outside the pool
    as non-relevant: the second term shrinks by (rel + nonrel)/(k−1). Here the pool is
    what is judged.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> InferredAP().of_topic(topic_hits([1, 4], [5, 4]))  # (1 + 1/4 + 3/4 · (1+ε)/(1+2ε)) / 2
    0.99999...
    """

    as_: Literal["rec_eval", "trec_eval"] = parameter("rec_eval", "Whose definition is used.")
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    epsilon: float = parameter(1e-5, "The smoothing constant ε, above 0.", above=0)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The inferred precisions at the ranks of relevant items, over |R_u|."""
        relevant, seen = is_relevant(topic, self.relevance), is_seen(topic, self.cutoff)
        total = int(relevant.sum())
        if total == 0:
            return nan
        score, good, bad = 0.0, 0, 0
        for k, is_good in zip(topic.ranks[seen].tolist(), relevant[seen].tolist(), strict=True):
            if is_good:
                score += self._precision(k, good, bad)
            good, bad = good + is_good, bad + (not is_good)
        return score / total

    def _precision(self, k: int, good: int, bad: int) -> float:
        """E[P@k] where good and bad judged items are above rank k."""
        pooled = k - 1 if self.as_ == "rec_eval" else good + bad
        inferred = (good + self.epsilon) / (good + bad + 2 * self.epsilon)
        return 1 / k + pooled / k * inferred
