"""Assessing: whether the metrics of an experiment can be trusted, on its own systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.recommendation.hits import Hits, join_folds
from cranfield.scoring.scores import Floats, Scores
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Evidence
from cranfield.validity.p_values import p_values_from_scores
from cranfield.validity.system_values import values_from_scores
from cranfield.workbench.experiment import Experiment


def assess_metrics(
    experiment: Experiment,
    scores: Scores,
    hits: Mapping[str, Sequence[Hits]],
    popularity: Sequence[Floats],
) -> tuple[Assessment, ...]:
    """What every criterion says; folds are taken together, and the user stays the unit."""
    if not experiment.assess:
        return ()
    tested = any(criterion.needs_p_values for criterion in experiment.assess)
    test = experiment.comparison_choice.test
    evidence = Evidence(
        values=values_from_scores(scores, experiment.aggregation),
        p_values=p_values_from_scores(scores, test, experiment.seed) if tested else None,
        hits={name: join_folds(parts) for name, parts in hits.items()} or None,
        metrics=experiment.metrics,
        popularity=popularity[0] if popularity else None,
        seed=experiment.seed,
    )
    return tuple(criterion.assess(evidence) for criterion in experiment.assess)
