"""Cells: decisions up to the rankings, and what one system makes of one of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield.base.errors import CranfieldError
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.prepared_data import JudgedFold


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingCondition:
    """Decisions up to the rankings, and the metrics that the rankings are scored by.

    ``depth`` is how much of each list is kept for a look at the lists; 0 for none of it.
    ``lenient`` scores are undefined where a metric cannot be computed at all, as with
    gains that do not suit it; else that is an error.
    """

    experiment: Experiment
    metrics: tuple[Metric, ...]
    depth: int = 0
    lenient: bool = False

    @property
    def ranking_choice(self) -> RankingChoice:
        """How predictions become rankings; cells with equal ones are ranked in one pass."""
        experiment = self.experiment
        return RankingChoice(
            ties=experiment.ties,
            unscored=experiment.unscored,
            depth=max(self.depth, 1),
            seed=experiment.seed,
        )

    def measure(self, hits: Hits, judged: JudgedFold) -> Floats:
        """The scores by all metrics; by one at a time if that is how far it goes."""
        way: Literal["ranked", "expected"]
        way = "expected" if self.experiment.ties == "expected" else "ranked"
        try:
            return measure(hits, self.metrics, popularity=judged.popularity, ties=way)
        except CranfieldError:
            if not self.lenient:
                raise
            if len(self.metrics) == 1:
                return np.full((1, len(hits)), np.nan)
        alone = [replace(self, metrics=(metric,)) for metric in self.metrics]
        return np.concatenate([each.measure(hits, judged) for each in alone])


@dataclass(frozen=True, eq=False)
class SystemOutput:
    """What one system made of one fold of one cell; the run where lists were to be kept."""

    values: Floats
    hits: Hits
    run: Run | None
