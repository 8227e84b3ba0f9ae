"""Metrics whose judged targets are weighed by their propensities, as they are defined.

`cranfield.scoring.measurement.weighted_scores` has the same for many topics at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import OptionError
from cranfield.collection.propensity import Strata, check_propensities
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.recommendation.ranking.weighing import TopicWeighing
from cranfield.scoring.estimators.ips import IPS
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.estimators.stratified import Stratified
from cranfield.scoring.gain import Floats
from cranfield.scoring.metric import is_weighted
from cranfield.scoring.metrics.correcting import CorrectableMetric
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.reading import (
    depth_of,
    gains_of,
    is_relevant,
    is_seen,
    shares_of,
)

PROPENSITY = "How likely each rating was to be observed; the estimator weights by it."
ESTIMATOR = "How propensities correct the metric: ips, snips or stratified."


class WeighableMetric(CorrectableMetric):
    """A metric whose judged targets can be weighed by their propensities."""

    highest_plain: ClassVar[float] = 1.0
    """No score is above this while nothing is weighed."""

    @property
    def highest(self) -> float:  # type: ignore[override]
        """No score is above this."""
        return inf if is_weighted(self) else self.highest_plain

    @property
    def rewards_swaps(self) -> bool:  # type: ignore[override]
        """Where it is the rating alone that counts."""
        return not is_weighted(self)

    def __post_init__(self) -> None:
        refuse_misused_propensity(self)
        super().__post_init__()

    def of_topic(self, topic: TopicHits) -> float:
        """The score of one topic, in the form that the parameters choose."""
        return of_weighted(self, topic) if is_weighted(self) else super().of_topic(topic)


def plain_form(metric: Any) -> Any:
    """The same metric without propensities."""
    return replace(metric, propensity=None, estimator=SNIPS())


def refuse_misused_propensity(metric: Any) -> None:
    """Refuse an estimator without propensities, and what propensities do not go with."""
    name, estimator = metric.option_name, metric.estimator
    if not is_weighted(metric):
        if estimator != SNIPS():
            raise OptionError(
                f"{name}, estimator: {estimator} would change nothing without propensities. "
                f"Give them too, as in {name}(propensity=popularity, estimator={estimator})."
            )
        return
    for parameter in ("as_", "unjudged"):
        given = getattr(metric, parameter, None)
        if given not in (None, "non-relevant"):
            shown = f"{parameter.rstrip('_')}={given}"
            raise OptionError(f"{name}, propensity: it does not go with {shown}. Leave out one.")
    if name == "nDCG" and isinstance(estimator, IPS):
        raise OptionError(
            "nDCG, estimator: ips is not defined, as the best order of all items is not known. "
            "Choose snips or stratified."
        )


def refuse_unsuitable_topics(metric: Any, *, one_relevant: bool) -> None:
    """Refuse metrics that are no sums where lists have all relevant items; strata of one item."""
    stratified = isinstance(metric.estimator, Stratified)
    if one_relevant and stratified:
        raise OptionError(
            f"{metric}: with targets of one relevant item, strata that count by their ratings give "
            "the plain mean. Choose snips or ips."
        )
    if not one_relevant and not stratified and metric.option_name not in _FORMS:
        raise OptionError(
            f"{metric}: {metric.option_name} is no sum over relevant items, so that weights cannot "
            "correct it where all relevant items are in one list. Choose targets of one relevant "
            "item (relevant = one-relevant), estimator=stratified, or another metric."
        )


def unknown_relevant(metric: Any) -> OptionError:
    """Why recall by inverse propensities cannot be known."""
    return OptionError(
        f"{metric}: ips divides by the number of items that are relevant to a user, judged or not, "
        "which only simulated data know (propensity=known). Choose estimator=snips."
    )


def of_weighted(metric: Any, topic: TopicHits) -> float:
    """The score of a topic whose judged targets are weighed."""
    known = topic.weighing
    if known is None or metric.propensity not in known.propensities:
        raise OptionError(f"{metric} needs the propensities of the judged items.")
    found = check_propensities(metric.propensity, known.propensities[metric.propensity])
    plain, estimator = plain_form(metric), metric.estimator
    refuse_unsuitable_topics(metric, one_relevant=known.own is not None)
    if known.own is not None:
        weight = estimator.weights(found)[known.own] if isinstance(estimator, IPS) else 1.0
        return float(plain.of_topic(topic) * weight)
    if isinstance(estimator, Stratified):
        return _within_strata(plain, topic, found, known.strata[str(metric)])
    return _FORMS[metric.option_name](metric, topic, estimator.weights(found))


def _within_strata(plain: Any, topic: TopicHits, found: Floats, strata: Strata) -> float:
    """The mean of the plain scores in strata, weighted by what each stratum counts."""
    if len(strata.shares) == 1:
        return float(plain.of_topic(topic))
    places, total, weight = strata.of(found), 0.0, 0.0
    for place, share in enumerate(strata.shares):
        score = float(plain.of_topic(_only(topic, places == place)))
        if not np.isnan(score):
            total, weight = total + share * score, weight + share
    return total / weight if weight else nan


def _only(topic: TopicHits, rows: npt.NDArray[np.bool_]) -> TopicHits:
    """The topic as if nothing but these rows were judged."""
    arrays = {name: getattr(topic, name)[rows] for name in ("ranks", "ratings", "first", "last")}
    return replace(topic, **arrays, weighing=None)


def _precision(metric: Any, topic: TopicHits, weights: Floats) -> float:
    """Σ w over relevant items of the top n, over n."""
    relevant, n = is_relevant(topic, metric.relevance), depth_of(topic, metric.cutoff)
    hits = float(weights[relevant & is_seen(topic, metric.cutoff)].sum())
    return _sum(metric, topic, weights, relevant, hits / n if n else 0.0)


def _discounted(metric: Any, topic: TopicHits, weights: Floats) -> float:
    """Σ w·g/log2(k + 1)."""
    gains, seen = gains_of(topic, metric.gain, metric.relevance), is_seen(topic, metric.cutoff)
    gained = float((weights * gains)[seen] @ discount(topic.ranks[seen]))
    return _sum(metric, topic, weights, gains, gained)


def _rank_biased(metric: Any, topic: TopicHits, weights: Floats) -> float:
    """(1 − φ)·Σ w·g·φ^(k−1)."""
    gains, seen = shares_of(topic, metric.gain, metric.relevance), is_seen(topic, metric.cutoff)
    chance = (1 - metric.p) * np.power(metric.p, topic.ranks[seen] - 1.0)
    return _sum(metric, topic, weights, gains, float((weights * gains)[seen] @ chance))


def _sum(metric: Any, topic: TopicHits, weights: Floats, worth: Any, total: float) -> float:
    """The sum by IPS; by SNIPS N_u times its share of all weights."""
    if not worth.any():
        return nan
    if isinstance(metric.estimator, IPS):
        return total
    size = len(weights) if metric.estimator.over == "judged" else topic.targets
    return total * (size / float(weights.sum()))


def _normalised(metric: Any, topic: TopicHits, weights: Floats) -> float:
    """Σ w·g/log2(k + 1), over the same of the best order of w·g."""
    worth, seen = (
        weights * gains_of(topic, metric.gain, metric.relevance),
        is_seen(topic, metric.cutoff),
    )
    best = np.sort(worth)[::-1][: metric.cutoff if metric.ideal == "cut" else None]
    most = float(best @ discount(np.arange(1, len(best) + 1)))
    return float(worth[seen] @ discount(topic.ranks[seen])) / most if worth.any() else nan


def _recall(metric: Any, topic: TopicHits, weights: Floats) -> float:
    """Σ w over hits, over that of all relevant items; by IPS, over |R_u|."""
    relevant = is_relevant(topic, metric.relevance)
    found = float(weights[relevant & is_seen(topic, metric.cutoff)].sum())
    over: float | None = float(weights[relevant].sum())
    if isinstance(metric.estimator, IPS):
        known: TopicWeighing = topic.weighing  # type: ignore[assignment]  # of_weighted checked it
        threshold = topic.relevance if metric.relevance is None else metric.relevance
        over = known.relevant(metric.propensity, threshold)
    if over is None:
        raise unknown_relevant(metric)
    return found / over if relevant.any() and over else nan


def _average_precision(metric: Any, topic: TopicHits, weights: Floats) -> float:
    """Σ_i w_i·(1 + Σ_{j above i} w_j)/k_i, over Σ_i w_i, i and j relevant."""
    relevant = is_relevant(topic, metric.relevance)
    if not relevant.any():
        return nan
    own, last = weights[relevant], inf if metric.cutoff is None else metric.cutoff
    if isinstance(metric.estimator, SNIPS):
        own = own * (len(own) / own.sum())
    total, above = 0.0, 0.0
    for weight, rank in zip(own.tolist(), topic.ranks[relevant].tolist(), strict=True):
        if 0 < rank <= last:
            total, above = total + weight * (1 + above) / rank, above + weight
    return total / float(own.sum())


_FORMS: dict[str, Callable[[Any, TopicHits, Floats], float]] = {
    "P": _precision,
    "DCG": _discounted,
    "RBP": _rank_biased,
    "nDCG": _normalised,
    "Recall": _recall,
    "AP": _average_precision,
}
"""Metrics that weights of items can correct, by name."""
