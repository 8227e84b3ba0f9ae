"""What the theory lets expect of random and of popular rankings under one protocol."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from cranfield.base.ids import Codes
from cranfield.collection.split import Fold
from cranfield.collection.target import Targets
from cranfield.scoring.coverage import topic_weights
from cranfield.scoring.scores import Flags, Floats
from cranfield.validity.expected_precision import (
    Outlook,
    TargetCounts,
    count_targets,
    mean_size,
    random_precision,
    ranked_precision,
    relevance_ratio,
)
from cranfield.workbench.experiment import Experiment
from cranfield.workbench.material import Material, judge_fold


@dataclass(frozen=True, kw_only=True)
class Theory:
    """Expected P@n of Random and of Popularity, and what it depends on.

    ``size`` is t and ``ratio`` is ρ. ``random`` and ``popularity`` are exact for the given
    test ratings, expected over random rankings and draws of N_u; those ``by_collection``
    know the collection, the test share and t alone, ``equation_3`` as the paper has it.
    """

    size: float
    ratio: float
    random: float
    popularity: float
    random_by_collection: float
    popularity_by_collection: float
    equation_3: float


def theory_of(experiment: Experiment, material: Material) -> Theory:
    """The theory of one protocol, its folds averaged as its scores are."""
    cutoff = int(getattr(experiment.metrics[0], "cutoff", None) or 10)
    found = [_of_fold(experiment, material, fold, cutoff) for fold in material.folds]
    shares = np.array([topics for _, topics in found], dtype=np.float64)
    shares /= shares.sum()
    means = {
        name: float(shares @ np.array([getattr(each, name) for each, _ in found]))
        for name in (field.name for field in fields(Theory))
    }
    return Theory(**means)


def _of_fold(
    experiment: Experiment, material: Material, fold: Fold, cutoff: int
) -> tuple[Theory, int]:
    targets = judge_fold(material, fold, experiment).targets
    counts = count_targets(targets, _by_popularity(fold.train.item_counts))
    left_out = experiment.undefined == "left-out"
    enters = counts.relevant > 0 if left_out else np.ones(len(counts.relevant), dtype=bool)
    weights = topic_weights(targets.topics, enters)
    outlooks = _outlooks(experiment, targets, counts, enters)
    one = targets.topics.items is not None
    by_chance = [o.random_one_relevant if one else o.random for o in outlooks]
    ranked, of_paper = (
        [(o.ranked_one_relevant if one else o.ranked)(cutoff, of_paper=way) for o in outlooks]
        for way in (False, True)
    )
    theory = Theory(
        size=mean_size(counts.sizes[enters]),
        ratio=_mean(relevance_ratio(counts), weights),
        random=_mean(random_precision(counts, cutoff), weights),
        popularity=_mean(ranked_precision(counts, cutoff), weights),
        random_by_collection=float(np.mean(by_chance)),
        popularity_by_collection=float(np.mean(ranked)),
        equation_3=float(np.mean(of_paper)),
    )
    return theory, int(np.count_nonzero(enters))


def _mean(values: Floats, weights: Floats) -> float:
    return float(np.nan_to_num(values) @ weights)


def _by_popularity(counts: np.typing.NDArray[np.int64]) -> Codes:
    """All items, most popular first; equally popular ones by id, as ties are broken."""
    return np.lexsort((np.arange(len(counts)), -counts)).astype(np.int32)


def _outlooks(
    experiment: Experiment, targets: Targets, counts: TargetCounts, enters: Flags
) -> list[Outlook]:
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
        Outlook(
            positives[order[items[order]]],
            trained[order[items[order]]],
            users=len(np.unique(targets.topics.users[topics])),
            size=mean_size(counts.sizes[topics]),
        )
        for items, topics in groups
    ]
