"""Assessment as a plain function: options may be given by their spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.base import options
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Scores
from cranfield.significance.paired_test import PairedTest
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence
from cranfield.validity.meta.p_values import p_values_from_scores
from cranfield.validity.meta.system_values import values_from_scores
from cranfield.workbench import inventory
from cranfield.workbench.comparison_steps import by_metrics, known_scores
from cranfield.workbench.execution.evaluation import Evaluation

Given = Evidence | Scores | Evaluation | Mapping[str, Ranked] | str | Path
"""What can be assessed: scores, an evaluation, a file of scores, what systems ranked."""


def assess(
    criterion: str | Criterion,
    given: Given,
    metrics: Sequence[str | Metric] = (),
    *,
    test: str | PairedTest = "permutation",
    aggregation: str | Aggregation = "mean",
    seed: int = 0,
) -> Assessment:
    """Whether the metrics themselves can be trusted, by one criterion.

    ``given`` are scores (of an evaluation, or a file of them) for correlation and
    discriminative power, and what systems ranked for robustness, which also needs the
    metrics to score it by. ``test`` is that of discriminative power, ``aggregation`` what
    correlation orders systems by.

    >>> from cranfield import assess, judge, rank, read, split
    >>> parts = split(read("simulated(size=tiny)"), "per-user", seed=1)
    >>> made = rank(parts.train, judge(parts.test, relevance=4), ["Popularity", "Random"])
    >>> found = assess("robustness(samples=3, scenarios=[users])", made, ["P@10", "nDCG@10"])
    >>> found.tables["area under τ, arithmetic mean"].columns
    ['metric', 'users']
    """
    inventory.load()
    chosen: Criterion = _option("criterion", criterion)
    if isinstance(given, Evidence):
        return chosen.assess(given)
    if isinstance(given, Mapping):
        hits = {name: ranked.hits for name, ranked in given.items()}
        scored = tuple(_option("metric", metric) for metric in metrics)
        return chosen.assess(Evidence(hits=hits, metrics=scored, seed=seed))
    scores = by_metrics(known_scores(given), tuple(map(str, metrics)))
    if chosen.needs_p_values:
        tested = p_values_from_scores(scores, _option("test", test), seed)
        return chosen.assess(Evidence(p_values=tested))
    return chosen.assess(
        Evidence(values=values_from_scores(scores, _option("aggregation", aggregation)))
    )


def _option(decision: str, given: Any) -> Any:
    """An option, from its spelling if it is text."""
    return options.parse(decision, given) if isinstance(given, str) else given
