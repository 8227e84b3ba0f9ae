"""Experiment: every decision of one run, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cranfield.base.decisions import Table
from cranfield.base.errors import OptionError
from cranfield.base.options import is_option, spell_fully
from cranfield.collection.filter import Filter
from cranfield.collection.source import Source
from cranfield.collection.split import Splitter
from cranfield.collection.target import TargetChoice, parse_targets
from cranfield.collection.topics import UserChoice
from cranfield.recommendation.adapter import adapt
from cranfield.recommendation.ranking.choice import Ties, Unscored
from cranfield.recommendation.recommender import Recommender
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import Coverage, Undefined
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison import ComparisonChoice
from cranfield.significance.correction import Correction, Family
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.resampling import Subsets
from cranfield.validity.criterion import Criterion

JudgedBy = Literal["test", "truth"]
"""What judges the rankings: the test ratings, or what every user would think of every item
that is not in training, where it is known because the data was simulated."""


FITTING = "fitting"
"""How a file asks for the test that fits the aggregation."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """How systems are compared (decision D).

    Without a ``test``, it is the one that fits the aggregation: permutation for means,
    weighted t for weighted means, t on logarithms for geometric means, sign for medians.
    """

    test: PairedTest | None = None
    correction: Correction = field(default_factory=lambda: ComparisonChoice().correction)
    family: Family = "metric"
    alpha: float = 0.05
    power: float = 0.8
    rope: float = 0.01
    subsets: Subsets | None = None


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Every decision of one run; two equal ones give the same results, bit for bit.

    ``systems`` are recommenders by name, or models that `adapt` can use; ``runs`` are
    files of lists by the name of their system. ``judged_share`` is the share of the test
    ratings that are known, drawn at random; the rest counts as unjudged. ``assess`` are
    criteria by which the metrics themselves are assessed. All that is drawn comes from
    ``seed``.
    """

    split: Splitter
    relevance: float
    metrics: tuple[Metric, ...]
    data: Source | None = None
    catalogue: Any = None
    scale: tuple[float, float] | None = None
    topics: Any = "judged"
    least_train: int | None = None
    depth: int | None = None
    duplicates: Any = "refuse"
    training_items: Any = "drop"
    unknown_items: Any = "keep"
    by: tuple[Any, ...] = ()
    item_vectors: Any = None
    systems: Mapping[str, Recommender] = field(default_factory=Table)
    runs: Mapping[str, Any] = field(default_factory=Table)
    title: str = ""
    filters: tuple[Filter, ...] = ()
    judged_share: float = 1.0
    judged_by: JudgedBy = "test"
    unscored: Unscored = "drop"
    targets: TargetChoice = field(default_factory=lambda: parse_targets("all-items"))
    ties: Ties = "item-id"
    run_metrics: tuple[RunMetric, ...] = ()
    undefined: Undefined = "left-out"
    aggregation: Aggregation = field(default_factory=lambda: SummaryChoice().aggregation)
    coverage: Coverage = "full"
    comparison: Compared = field(default_factory=Compared)
    assess: tuple[Criterion, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        adapted = {name: adapt(each, name=name) for name, each in self.systems.items()}
        object.__setattr__(self, "systems", Table(adapted))
        object.__setattr__(self, "runs", Table(self.runs))
        for several in ("metrics", "filters", "run_metrics", "assess"):
            object.__setattr__(self, several, tuple(getattr(self, several)))
        both = set(self.systems) & set(self.runs)
        if both:
            raise OptionError(f"systems and runs: both have one called {', '.join(sorted(both))}.")
        if not self.systems and not self.runs:
            raise OptionError("systems: at least one is needed, or one run.")
        if not all(str(name).strip() for name in self.names):
            raise OptionError("systems: one has no name. Give it one, so that readers know it.")

    @property
    def user_choice(self) -> UserChoice:
        return UserChoice(topics=self.topics, least_train=self.least_train)

    @property
    def run_rules(self) -> Any:
        from cranfield.recommendation.runs.report import RunRules

        return RunRules(
            ties="trec_eval" if self.ties == "trec_eval" else "item-id",
            duplicates=self.duplicates,
            training_items=self.training_items,
            unknown_items=self.unknown_items,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of everything that is compared."""
        return (*self.systems, *self.runs)

    @property
    def summary_choice(self) -> SummaryChoice:
        """How scores become values."""
        return SummaryChoice(
            aggregation=self.aggregation, coverage=self.coverage, undefined=self.undefined
        )

    @property
    def comparison_choice(self) -> ComparisonChoice:
        """How systems are compared; a forgiving average compares the users of all systems."""
        asked = self.comparison
        return ComparisonChoice(
            test=asked.test or default_test(self.aggregation, of_means="permutation"),
            correction=asked.correction,
            aggregation=self.aggregation,
            coverage="full" if self.coverage == "full" else "common",
            undefined=self.undefined,
            family=asked.family,
            alpha=asked.alpha,
            power=asked.power,
            rope=asked.rope,
            subsets=asked.subsets,
        )

    def with_metrics(self, metrics: tuple[Metric, ...]) -> Experiment:
        """The same experiment with other metrics."""
        return replace(self, metrics=metrics)


def spelled_fully(option: Any) -> str | None:
    """An option with all its parameters; None for what a user made in Python."""
    return spell_fully(option) if is_option(option) else None
