"""Pairing: from scores to samples, in which users are compared with themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.base.errors import UnsuitableScores
from cranfield.scoring.aggregation import LinearAggregation, TransformedMean, influence
from cranfield.scoring.coverage import EnteredScores, enter
from cranfield.scoring.scores import Flags, Floats, Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.samples.margin import Margin
from cranfield.significance.samples.resampled import Resampled, resampled
from cranfield.significance.samples.samples import Influence, Samples, refuse_few


def pair_users(
    scores: Scores,
    choice: SummaryChoice | None = None,
    metrics: tuple[str, ...] = (),
    *,
    margin: Margin | None = None,
) -> Samples:
    """The samples of some metrics, of all unless they are named, with users as the unit.

    The values compared are those of a summary with the same decisions: by the same
    aggregation, over the same topics, users without a list or a score treated alike. With a
    ``margin``, the scores of one system are moved by it, which is for means alone.
    """
    _refuse(scores)
    chosen = choice or SummaryChoice()
    named = scores.by_metrics(metrics)
    found = [_pair_metric(named, metric, chosen, margin) for metric in range(len(named.metrics))]
    uneven = any(each.weights is not None for each in found)
    made = Samples(
        named.systems,
        named.metrics,
        np.stack([each.values for each in found], axis=1),
        np.array([each.enters for each in found], dtype=bool),
        weights=np.array([_weights(each) for each in found]) if uneven else None,
        table=np.array([each.table for each in found]),
        influence={m: each.influence for m, each in enumerate(found) if each.influence},
        resampled={m: each.resampled for m, each in enumerate(found) if each.resampled},
        linear=isinstance(chosen.aggregation, LinearAggregation),
        additive=isinstance(chosen.aggregation, TransformedMean),
    )
    refuse_few(made)
    return made


class _Paired(NamedTuple):
    """One metric: values of systems, means of users (systems × users), how much users count."""

    table: Floats
    values: Floats
    enters: Flags
    weights: Floats | None
    influence: Influence | None
    resampled: Resampled | None


def _weights(paired: _Paired) -> Floats:
    return paired.enters.astype(np.float64) if paired.weights is None else paired.weights


def _pair_metric(
    scores: Scores, metric: int, choice: SummaryChoice, margin: Margin | None
) -> _Paired:
    aggregation = choice.aggregation
    entered = [
        enter(
            scores, system, metric, choice.coverage, choice.undefined,
            compared=aggregation.compares,
        )
        for system in range(len(scores.systems))
    ]  # fmt: skip
    if margin is not None:
        entered = [margin.moved(each) for each in entered]
    _refuse_empty(scores, metric, entered)
    table = np.array([aggregation.of_scores(each) for each in entered])
    same = all(np.array_equal(each.topics, entered[0].topics) for each in entered)
    mean = aggregation if isinstance(aggregation, TransformedMean) else None
    values, weights, enters = _user_means(mean, entered)
    of_users = None
    if mean is not None and (not same or scores.topics.segments is not None):
        means = np.array([float(mean.shares(e) @ mean.transformed(e)) for e in entered])
        of_users = Influence(means, np.array([influence(mean, each) for each in entered]))
    summed = same and isinstance(aggregation, LinearAggregation)
    again = None if summed else resampled(scores, metric, choice, margin)
    return _Paired(table, values, enters, weights, of_users, again)


def _user_means(
    mean: TransformedMean | None, entered: list[EnteredScores]
) -> tuple[Floats, Floats | None, Flags]:
    """The mean of each user's topics by system, how much users count, and who enters for all.

    All users count alike (None) where each has one topic of the same share.
    """
    first, size = entered[0], entered[0].measured.n_users
    shares = [each.weights if mean is None else mean.shares(each) for each in entered]
    scores = [each.scores if mean is None else _transformed(mean, each) for each in entered]
    weights = np.array(
        [np.bincount(e.users, s, size) for e, s in zip(entered, shares, strict=True)]
    )
    enters: Flags = np.asarray((weights > 0).all(axis=0))
    single = all(len(each) == each.n_users for each in entered)
    values: Floats = np.zeros(weights.shape)
    if single:
        for row, each, known in zip(values, entered, scores, strict=True):
            row[each.users] = known
    else:
        sums = [
            np.bincount(e.users, s * y, size)
            for e, s, y in zip(entered, shares, scores, strict=True)
        ]
        np.divide(sums, weights, out=values, where=weights > 0)
    alike = single and bool((shares[0] == shares[0][:1]).all()) and len(first) == enters.sum()
    counted = None if alike else np.asarray(weights[0] * enters)
    return np.where(enters, values, 0.0), counted, enters


def _transformed(mean: TransformedMean, entered: EnteredScores) -> Floats:
    """Scores as the aggregation sees them; refused where it has no value for one."""
    found = mean.transformed(entered)
    if np.isnan(found).any():
        lowest = f"a score is {entered.scores.min():g}, for which there is no {mean}"
        raise UnsuitableScores("comparison", lowest, "Choose another aggregation")
    return found


def _refuse(scores: Scores) -> None:
    if len(scores.systems) < 2:
        only = f"is one system, {scores.systems[0]}" if scores.systems else "is no system"
        raise UnsuitableScores("comparison", f"there {only}", "Give the scores of at least two")
    if np.isinf(scores.values).any():
        raise UnsuitableScores("comparison", "a score is infinite", "Give finite scores")


def _refuse_empty(scores: Scores, metric: int, entered: list[EnteredScores]) -> None:
    """Refuse a metric for which a system has no value."""
    for system, each in zip(scores.systems, entered, strict=True):
        if not len(each):
            problem = f"{system} has no value, as no user has a score"
            raise UnsuitableScores(scores.metrics[metric], problem, "Leave it out")
