"""What a random ranking scores, exactly and for all topics at once.

Each form is the mean of a metric over every order of a topic's targets, T of them, in a
list of their first L. It equals what the metric itself expects of a topic whose targets
are all tied, but needs no loop over topics. A relevant item is as likely on each rank,
so whatever adds up one term per rank is a matter of counting; average precision also
needs that (k−1)(R−1)/(T−1) of R relevant items are above one at rank k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.scoring.expectation.random_ranking import (
    Ints,
    RandomOrders,
    alike,
    first_relevant,
    hypergeometric_mean,
    places_of,
    ratio,
    where_any,
)
from cranfield.scoring.expectation.weighted_forms import weighted_form
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.scoring.metric import Metric, is_corrected, is_weighted, labels_unjudged
from cranfield.scoring.metrics.auc import AUC
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.bpref import Bpref
from cranfield.scoring.metrics.dcg import DCG, NDCG
from cranfield.scoring.metrics.descriptive import Unrated
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.f1 import F1
from cranfield.scoring.metrics.fallout import Fallout
from cranfield.scoring.metrics.half_life import HalfLife
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.r_precision import RPrecision
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.recall import Recall
from cranfield.scoring.metrics.reciprocal_rank import ReciprocalRank
from cranfield.scoring.metrics.stratified_recall import StratifiedRecall
from cranfield.scoring.metrics.success import Success
from cranfield.scoring.scores import Floats


def _precision(metric: Precision, of: RandomOrders) -> Floats:
    relevant, ends = of.relevant(metric.relevance), of.last(metric.cutoff)
    chance = ratio(ends, of.targets)
    unjudged = ends - of.judged * chance
    counted = {
        "non-relevant": relevant * chance,
        "relevant": relevant * chance + unjudged,
        "residual": unjudged,
        "minimal": relevant * chance + unjudged * (of.hits.lowest >= of.least(metric.relevance)),
    }
    return where_any(relevant, ratio(counted[metric.unjudged], of.nominal(metric.cutoff)))


def _recall(metric: Recall | StratifiedRecall, of: RandomOrders) -> Floats:
    """Each relevant item is seen by the same chance, however much it counts."""
    return where_any(of.relevant(metric.relevance), ratio(of.last(metric.cutoff), of.targets))


def _f1(metric: F1, of: RandomOrders) -> Floats:
    relevant = of.relevant(metric.relevance)
    hits = relevant * ratio(of.last(metric.cutoff), of.targets)
    return where_any(relevant, ratio(2 * hits, of.nominal(metric.cutoff) + relevant))


def _fallout(metric: Fallout, of: RandomOrders) -> Floats:
    """Each other target is seen by the same chance, as each relevant one is."""
    relevant = of.relevant(metric.relevance)
    share = ratio(of.last(metric.cutoff), of.targets)
    return where_any(relevant * np.maximum(of.targets - relevant, 0), share)


def _r_precision(metric: RPrecision, of: RandomOrders) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant, ratio(np.minimum(relevant, of.lengths), of.targets))


def _unrated(metric: Unrated, of: RandomOrders) -> Floats:
    return where_any(of.last(metric.cutoff), 1 - ratio(of.judged, of.targets))


def _auc(metric: AUC, of: RandomOrders) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant * (of.targets - relevant), np.full(len(relevant), 0.5))


def _average_precision(metric: AveragePrecision, of: RandomOrders) -> Floats:
    """1/T · Σ_{k≤e} (1 + (k−1)·q)/k = (H_e + q·(e − H_e))/T, with q = (R−1)/(T−1)."""
    relevant, ends = of.relevant(metric.relevance), of.last(metric.cutoff)
    share = ratio(relevant - 1, of.targets - 1)
    inverse = of.mean_weight(ends, lambda ranks: 1 / ranks)
    return where_any(relevant, inverse + share * (ratio(ends, of.targets) - inverse))


def _discounted(metric: DCG, of: RandomOrders) -> Floats:
    worth = of.worth(of.gains(metric.gain, metric.relevance))
    return where_any(worth, worth * of.mean_weight(of.last(metric.cutoff), discount))


def _normalised(metric: NDCG, of: RandomOrders) -> Floats:
    plain = DCG(gain=metric.gain, relevance=metric.relevance, cutoff=metric.cutoff)
    whole = plain if metric.ideal == "cut" else replace(plain, cutoff=None)
    most = np.nan_to_num(measure(of.ideal, [whole])[0])
    return where_any(most, ratio(_discounted(plain, of), most))


def _half_life(metric: HalfLife, of: RandomOrders) -> Floats:
    """The mean discount of a rank within the end, times what targets are worth; over the best."""
    worth = of.worth(of.gains(metric.gain, metric.relevance))
    gained = worth * of.mean_weight(of.last(metric.cutoff), metric.discount)
    ranks = places_of(of.ideal)
    seen = ranks <= (np.inf if metric.cutoff is None else metric.cutoff)
    gains = metric.gain.of_rating(of.ideal.ratings, of.scale(metric.relevance))
    best = np.bincount(of.ideal.owners, gains * metric.discount(ranks) * seen, len(worth))
    return where_any(worth, ratio(gained, best))


def _rank_biased(metric: RBP, of: RandomOrders) -> Floats:
    worth = of.worth(check_shares(of.gains(metric.gain, metric.relevance), metric.gain))
    weight = of.mean_weight(
        of.last(metric.cutoff), lambda ranks: (1 - metric.p) * np.power(metric.p, ranks - 1.0)
    )
    gained, residual = worth * weight, 1 - of.judged * weight
    forms = {"non-relevant": gained, "relevant": gained + residual, "residual": residual}
    if metric.unjudged == "minimal":
        lowest = metric.gain.of_rating(np.array([of.hits.lowest]), of.scale(metric.relevance))
        forms["minimal"] = gained + lowest * residual
    return where_any(worth, forms[metric.unjudged])


def _success(metric: Success, of: RandomOrders) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant, first_relevant(of, relevant, of.last(metric.cutoff))[0])


def _reciprocal(metric: ReciprocalRank, of: RandomOrders) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant, first_relevant(of, relevant, of.last(metric.cutoff))[1])


def _bpref(metric: Bpref, of: RandomOrders) -> Floats:
    """1/(N+1) · E[G(H)], G(h) = Σ_{x<h} (1 − min(x, R)/M).

    Of a relevant item and the N judged non-relevant ones, the relevant one is the
    (x+1)-th by the same chance for each x, and within the first e ranks if H > x of the
    N + 1 are there; H is hypergeometric. M is max(1, min(N, R)). Without the minimum,
    G(h) = h − h(h − 1)/2M.
    """
    relevant, ends = of.relevant(metric.relevance), of.last(metric.cutoff)
    first, places = alike(of.targets, of.judged, relevant, ends)
    found, others = relevant[first], (of.judged - relevant)[first]
    most = np.maximum(1, np.minimum(others, found))

    def credit(within: Ints, some: Ints) -> Floats:
        low = within if metric.as_ else np.minimum(within, found[some])
        above = low * (low - 1) / 2 + (within - low) * found[some]
        earned: Floats = within - above / most[some]
        return earned

    targets = of.targets[first]
    marked = np.minimum(others + 1, targets)  # one less where nothing is relevant to be marked
    total = hypergeometric_mean(targets, marked, ends[first], credit)
    return where_any(relevant, (total / (others + 1))[places])


_FORMS: dict[type, Callable[[Any, RandomOrders], Floats]] = {
    Precision: _precision,
    Recall: _recall,
    StratifiedRecall: _recall,
    F1: _f1,
    Success: _success,
    ReciprocalRank: _reciprocal,
    AveragePrecision: _average_precision,
    RPrecision: _r_precision,
    DCG: _discounted,
    NDCG: _normalised,
    HalfLife: _half_life,
    Fallout: _fallout,
    RBP: _rank_biased,
    AUC: _auc,
    Bpref: _bpref,
    Unrated: _unrated,
}


def has_closed_form(metric: Metric) -> bool:
    """Whether a metric is among these; its forms of other tools are not."""
    own = isinstance(metric, Bpref) or getattr(metric, "as_", None) is None
    own = own and not (isinstance(metric, HalfLife) and metric.needs_popularity)
    return own and type(metric) in _FORMS and not (labels_unjudged(metric) or is_corrected(metric))


def closed_form(metric: Metric, of: RandomOrders) -> Floats:
    """The expected score of each topic by a metric with a closed form."""
    if is_weighted(metric):
        return weighted_form(metric, of, WeightedHits(of.hits, measure), closed_form)
    return _FORMS[type(metric)](metric, of)
