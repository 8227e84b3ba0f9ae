"""Comparing: the systems of an experiment against each other.

Comparisons are stored by what they are made from, since a test by drawing takes
minutes where systems and metrics are many, and an experiment is often run again.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.base.files import fingerprint
from cranfield.base.storable import storable
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.comparison import Comparison, compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.pair import Pair
from cranfield.significance.samples.samples import Differences
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Coding, Store


def compare_systems(
    experiment: Experiment,
    scores: Scores,
    store: Store,
    differences: Differences | None = None,
) -> Comparison | None:
    """Every pair of systems by every metric, as the experiment asks for it.

    Metrics that are undefined on all topics, as AUC is without a catalogue, are left out.
    None where nothing is left to compare by.
    """
    defined = np.flatnonzero(~np.isnan(scores.values).all(axis=(0, 2)))
    if not len(defined) or len(scores.systems) < 2:
        return None
    if len(defined) < len(scores.metrics):
        names = tuple(scores.metrics[place] for place in defined)
        scores = replace(scores, metrics=names, values=scores.values[:, defined])
    inputs = _inputs(experiment, scores) if differences is None else None
    storing = store if inputs is not None else Store(None)
    choice, seed = experiment.comparison_choice, experiment.seed
    return storing.load(
        "comparison",
        inputs or {},
        lambda: compare(scores, choice, seed=seed, differences=differences),
        _coding(choice, scores),
    )


@storable
class ComparisonFindings(NamedTuple):
    """A comparison without its decisions, which are inputs."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...]


def _coding(choice: ComparisonChoice, scores: Scores) -> Coding[Comparison]:
    """Comparisons of these scores by these decisions."""

    def fits(found: ComparisonFindings) -> bool:
        names, shape = (found.systems, found.metrics), (len(found.metrics), len(found.systems))
        return names == (scores.systems, scores.metrics) and found.values.shape == shape

    coding = encoding.object_coding(ComparisonFindings, fits)
    return Coding(
        lambda made: coding.encode(
            ComparisonFindings(made.systems, made.metrics, made.values, made.pairs, made.notes)
        ),
        lambda entry: Comparison(**coding.decode(entry)._asdict(), choice=choice),
    )


def _inputs(experiment: Experiment, scores: Scores) -> dict[str, Any] | None:
    """What the comparison depends on; None if something of it was made in Python."""
    choice = experiment.comparison_choice
    options = choice.test, choice.correction, choice.aggregation
    spelled = [spelled_fully(each) for each in options]
    if None in spelled:
        return None
    counts = (scores.judged, scores.relevant, *scores.user_columns.values())
    weights = [each if each is None else fingerprint(each) for each in counts]
    read = [fingerprint(Path(each).expanduser().read_bytes()) for each in choice.aggregation.files]
    return {
        "options": spelled,
        "coverage": choice.coverage,
        "undefined": choice.undefined,
        "family": choice.family,
        "numbers": [choice.alpha, choice.power, str(choice.rope)],
        "baseline": choice.baseline,
        "subsets": choice.subsets and asdict(choice.subsets),
        "systems": list(scores.systems),
        "metrics": list(scores.metrics),
        "scores": encoding.content_of_scores(scores),
        "weights": weights,
        "columns": list(scores.user_columns),
        "files": read,
        "seed": experiment.seed,
    }
