"""EvaluationChoice: every decision of an evaluation of given runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield.collection.target import TargetChoice, parse_targets
from cranfield.recommendation.ranking.choice import Ties
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.source import ROWS_AT_ONCE
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.summary import SummaryChoice
from cranfield.workbench.execution.grouping import Grouping, Vectors

Entrants = Literal["judged", "run"]
"""Whose rankings count: all judged users, or those of them for whom some run has a list."""


@dataclass(frozen=True, kw_only=True)
class EvaluationChoice:
    """Every decision of an evaluation of given runs."""

    relevance: float
    topics: Entrants = "judged"
    least_train: int = 0
    targets: TargetChoice = field(default_factory=lambda: parse_targets("all-items"))
    ties: Ties = "item-id"
    rules: RunRules = field(default_factory=RunRules)
    summary: SummaryChoice = field(default_factory=SummaryChoice)
    seed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The decisions, for records."""
        return {
            "relevance": self.relevance,
            "topics": self.topics,
            "least_train": self.least_train,
            "targets": str(self.targets),
            "ties": self.ties,
            "training_items": self.rules.training_items,
            "unknown_items": self.rules.unknown_items,
            "duplicates": self.rules.duplicates,
            "seed": self.seed,
        }


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is wanted of an evaluation beside the summary.

    ``run_metrics`` tell what lists are like beyond accuracy, ``vectors`` what items are
    like, ``by`` groups users or items. ``rows_at_once`` bounds the rows of a run that are
    in memory; it changes no digit.
    """

    run_metrics: tuple[RunMetric, ...] = ()
    vectors: Vectors | None = None
    by: tuple[Grouping, ...] = ()
    rows_at_once: int = ROWS_AT_ONCE
