"""What the theory lets expect of random and of popular rankings under one protocol."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.collection.fold import Fold, GivenFold
from cranfield.collection.target import Targets
from cranfield.scoring.coverage import enter, topic_weights
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Flags, Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.validity.bias.expected_bounds import (
    Bounds,
    expected_bounds,
    of_chance,
    printed_bounds,
)
from cranfield.validity.bias.expected_precision import (
    CollectionExpectation,
    TargetCounts,
    count_targets,
    mean_size,
    random_error,
    random_precision,
    ranked_precision,
    relevance_ratio,
)
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.data.prepared_data import PreparedData, targets_of


@dataclass(frozen=True, kw_only=True)
class Theory:
    """Expected P@n of Random and of Popularity, and what it depends on.

    ``size`` is t and ``ratio`` is ρ. ``random`` and ``popularity`` are exact for the given
    test ratings, expected over random rankings and draws of N_u; those ``by_collection``
    know the collection, the test share and t alone, ``equation_3`` as the paper has it.
    ``random_error`` is the standard error of what Random measures; at most so much with
    folds, whose draws are taken for one.
    """

    size: float
    ratio: float
    random: float
    random_error: float
    popularity: float
    random_by_collection: float
    popularity_by_collection: float
    equation_3: float


def theory_of(experiment: Experiment, data: PreparedData) -> Theory:
    """The theory of one protocol; folds are joined and topics enter as those of its scores."""
    cutoff = int(getattr(experiment.metrics[0], "cutoff", None) or 10)
    folds = [_of_fold(experiment, data, fold, cutoff) for fold in data.folds]
    scores = join_folds([fold.scores for fold in folds])
    aggregation = SummaryChoice().aggregation
    ratio, random, popularity = (
        aggregation.of_scores(enter(scores, 0, metric, "full", experiment.undefined))
        for metric in range(3)
    )
    return Theory(
        size=_mean([fold.size for fold in folds]),
        ratio=ratio,
        random=random,
        random_error=_mean([fold.error for fold in folds]),
        popularity=popularity,
        random_by_collection=_mean([fold.random for fold in folds]),
        popularity_by_collection=_mean([fold.ranked for fold in folds]),
        equation_3=_mean([fold.of_paper for fold in folds]),
    )


@dataclass(frozen=True, eq=False)
class _FoldTheory:
    """What is expected of one fold: for each of its topics, and by the collection alone."""

    scores: Scores
    size: float
    error: float
    random: float
    ranked: float
    of_paper: float


def _of_fold(
    experiment: Experiment, data: PreparedData, fold: Fold | GivenFold, cutoff: int
) -> _FoldTheory:
    targets = targets_of(data, fold, experiment)
    counts = count_targets(targets, _by_popularity(fold.train.item_counts))
    left_out = experiment.undefined == "left-out"
    relevant = counts.relevant > 0
    enters = relevant if left_out else np.ones(len(relevant), dtype=bool)
    outlooks = _outlooks(experiment, targets, counts, enters)
    one = targets.topics.items is not None
    by_chance = [o.random_one_relevant if one else o.random for o in outlooks]
    ranked, of_paper = (
        [(o.ranked_one_relevant if one else o.ranked)(cutoff, of_paper=way) for o in outlooks]
        for way in (False, True)
    )
    expected = np.stack(
        [
            np.where(relevant, relevance_ratio(counts), np.nan),
            random_precision(counts, cutoff),
            ranked_precision(counts, cutoff),
        ]
    )
    weights = topic_weights(targets.topics, enters)
    return _FoldTheory(
        Scores.from_systems(
            targets.topics,
            targets.train.user_ids,
            ("ratio", "random", "popularity"),
            {"theory": expected},
            {"theory": counts.sizes},
            judgments=targets.judgments,
        ),
        mean_size(counts.sizes[enters]),
        random_error(counts, weights, targets.groups, cutoff),
        _mean(by_chance),
        _mean(ranked),
        _mean(of_paper),
    )


def one_relevant_bounds(experiment: Experiment, data: PreparedData) -> dict[str, Bounds]:
    """The bounds to expect of 1R precision, the mean of all folds.

    ``random`` and ``popularity`` are those of the rankings, ``printed`` those of the latter
    as the paper has them.
    """
    cutoff = int(getattr(experiment.metrics[0], "cutoff", None) or 10)
    folds = [_bounds_of_fold(experiment, data, fold, cutoff) for fold in data.folds]
    return {
        name: (_mean([fold[name][0] for fold in folds]), _mean([fold[name][1] for fold in folds]))
        for name in folds[0]
    }


def _bounds_of_fold(
    experiment: Experiment, data: PreparedData, fold: Fold | GivenFold, cutoff: int
) -> dict[str, Bounds]:
    targets = targets_of(data, fold, experiment)
    counts = count_targets(targets, _by_popularity(fold.train.item_counts))
    [outlook] = _outlooks(experiment, targets, counts, np.ones(len(counts.relevant), dtype=bool))
    _, first, relevant = np.unique(targets.topics.users, return_index=True, return_counts=True)
    return {
        "random": expected_bounds(of_chance(outlook), cutoff, relevant),
        "popularity": expected_bounds(outlook, cutoff, relevant),
        "printed": printed_bounds(outlook, cutoff, relevant, counts.drawn[first]),
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _by_popularity(counts: np.typing.NDArray[np.int64]) -> Codes:
    """All items, most popular first; equally popular ones by id, as ties are broken."""
    return np.lexsort((np.arange(len(counts)), -counts)).astype(np.int32)


def _outlooks(
    experiment: Experiment, targets: Targets, counts: TargetCounts, enters: Flags
) -> list[CollectionExpectation]:
    """The outlook of all candidates, or of each popularity segment by itself."""
    test, train = targets.judgments.ratings, targets.train
    rated = train.item_counts + test.item_counts
    liked = train.take(train.values >= experiment.relevance).item_counts
    liked = liked + targets.judgments.positives.item_counts
    if getattr(experiment.split, "option_name", "") == "uniform":
        tested = test.item_counts.astype(np.float64)
    else:
        tested = np.asarray(len(test) / (len(train) + len(test)) * rated)
    positives = tested * liked / np.maximum(rated, 1)
    trained = (rated - tested) / max(int(np.count_nonzero(train.user_counts)), 1)
    order = _by_popularity(rated)
    segments, of_topic = targets.eligible.segments, targets.topics.segments
    if segments is None or of_topic is None:
        groups = [(targets.eligible.candidates, enters)]
    else:
        present = np.unique(of_topic[enters])
        groups = [(segments == one, enters & (of_topic == one)) for one in present]
    return [
        CollectionExpectation(
            positives[order[items[order]]],
            trained[order[items[order]]],
            users=len(np.unique(targets.topics.users[topics])),
            size=mean_size(counts.sizes[topics]),
        )
        for items, topics in groups
    ]
