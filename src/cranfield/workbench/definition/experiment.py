"""Experiment: every decision of one experiment, frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import Table, decisions, parameter
from cranfield.base.errors import BadDecisions
from cranfield.base.nouns.display import Typeset
from cranfield.base.nouns.preview import preview
from cranfield.base.options import is_option, spell_fully
from cranfield.collection.filter import Filter
from cranfield.collection.judge import Judge
from cranfield.collection.source import Source
from cranfield.collection.split import GivenParts, Split, Splitter
from cranfield.collection.target_choice import TargetChoice
from cranfield.collection.topics import Entering, UserChoice
from cranfield.recommendation.ranking.choice import Ties, Unscored
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.runs.report import Kept, Repeated, RunRules
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import Coverage, Undefined
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.validity.criterion import Criterion
from cranfield.workbench.definition.aggregated import lacking
from cranfield.workbench.definition.answers import (
    parse_metrics,
    read_groupings,
    read_metrics,
    read_runs,
    read_source,
    read_systems,
    read_targets,
)
from cranfield.workbench.definition.compared import Compared, not_comparable
from cranfield.workbench.definition.loading import load_spelled
from cranfield.workbench.definition.side_tables import Grouping
from cranfield.workbench.definition.tuning import Tuning, not_tunable, tuning_of

NONE = "none"
"""How a file says that a decision is left to the data."""

_RENAMED = {"users": 'it is now two decisions: topics = "judged" (before: users.entering) and '
            "least_train = 1 (before: users.least_train)."}  # fmt: skip


@decisions(
    "experiment",
    listed=True,
    renamed=_RENAMED,
    prepare=lambda given: load_spelled(Experiment, given),
)
@dataclass(frozen=True, kw_only=True)
class Experiment(Typeset):
    """Every decision of one experiment; two equal ones give the same results, bit for bit.

    ``systems`` are recommenders by name, or models that `adapt` can use; ``runs`` are
    ranked lists by the name of their system: files, tables, or `Run` objects. Options may
    be given by their spelling. All that is drawn comes from ``seed``.
    """

    title: str = parameter("", "What the experiment is called in reports.")
    data: Source | None = parameter(
        None, "Where the ratings come from: a file, a data set, a source, or a table in Python. "
        "None only where a given split names its own parts.", read=read_source, none=NONE,
        code="A1",
    )  # fmt: skip
    filters: tuple[Filter, ...] = parameter(
        (), "Filters applied to all ratings, in order.", code="A1"
    )
    catalogue: Any = parameter(
        None, "A file or table of items that can be ranked besides those of training and test.",
        none=NONE, code="A1",
    )  # fmt: skip
    scale: tuple[float, float] | None = parameter(
        None, "The lowest and the highest possible rating; by default those that occur.",
        none=NONE, code="A1",
    )  # fmt: skip
    split: Splitter = parameter(text="How ratings become training and test.", code="A2")
    train_filters: tuple[Filter, ...] = parameter(
        (), "Filters applied to the training ratings alone.", code="A2"
    )
    test_filters: tuple[Filter, ...] = parameter(
        (), "Filters applied to the test ratings alone.", code="A2"
    )
    judged_share: float = parameter(
        1.0, "The share of test ratings that are known, drawn at random; the rest counts as "
        "unjudged.", above=0, at_most=1, code="A2",
    )  # fmt: skip
    judged_by: Judge = parameter(
        "test",
        "Which ratings the rankings are judged by: test, truth, or random(file=…).",
        code="A2",
    )
    topics: Entering = parameter(
        "judged", "Which users enter the average.", code="B1",
        texts={
            "all": "all users of the collection",
            "judged": "users with a test rating",
            "relevant": "users with a relevant test rating",
            "run": "users with a test rating for whom some run has a list",
        },
    )  # fmt: skip
    least_train: int | None = parameter(
        None, "Fewest training ratings of a user; by default 1 if there are any, else 0.",
        at_least=0, none=NONE, code="B1",
    )  # fmt: skip
    unscored: Unscored = parameter(
        "drop", "What happens to items without a prediction.", code="B2",
        texts={
            "drop": "they are left out of the list",
            "random": "they follow the others in random order",
            "popularity": "they follow the others by their number of training ratings",
            "average-rating": "they follow the others by their mean training rating",
            "minimum": "they follow the others, all tied",
            "merged(by=popularity)": "they are among the others, at the quantile of the user's "
            "predictions that their number of training ratings has among all items",
            "merged(by=average-rating)": "the same by their mean training rating",
        },
    )  # fmt: skip
    duplicates: Repeated = parameter(
        "refuse", "What happens to an item that a run lists twice for a user.", code="B2",
        texts={"refuse": "it is an error", "first": "its best place counts"},
    )  # fmt: skip
    training_items: Kept = parameter(
        "drop", "What happens to training items in a user's list.", code="B2",
        texts={
            "keep": "they keep their places and may be targets",
            "drop": "they leave the list, and what is below moves up",
            "refuse": "they are an error",
        },
    )  # fmt: skip
    unknown_items: Kept = parameter(
        "keep", "What happens to items of a run that are not in the collection.", code="B2",
        texts={
            "keep": "they keep their places and are not relevant",
            "drop": "they leave the list, and what is below moves up",
            "refuse": "they are an error",
        },
    )  # fmt: skip
    targets: TargetChoice = parameter(
        "all-items", 'Which items are ranked for a topic, as in "test-items, one-relevant, '
        'sampled(n=99)".', read=read_targets, code="C1",
    )  # fmt: skip
    ties: Ties = parameter(
        "item-id", "How items with equal predictions are ordered.", code="C1",
        texts={
            "item-id": "by ascending item id",
            "random": "at random",
            "optimistic": "the highest rated first",
            "pessimistic": "the highest rated last",
            "trec_eval": "by descending item id as text, in single precision, as trec_eval does",
            "expected": "metrics take their expected value over all orders",
        },
    )  # fmt: skip
    depth: int | None = parameter(
        None, "The rank at which lists are cut; by default they are not.", at_least=1, none=NONE,
        code="C1",
    )  # fmt: skip
    relevance: float = parameter(text="The lowest test rating that is relevant.", code="C2")
    metrics: tuple[Metric, ...] = parameter(
        text="What rankings are scored by, such as nDCG@10; metrics of whole runs may be among "
        "them.", read=read_metrics, code="C2",
    )  # fmt: skip
    run_metrics: tuple[RunMetric, ...] = parameter(
        (), "What whole runs are described by, such as Gini@10.", code="C2"
    )
    undefined: Undefined = parameter(
        "left-out", "What happens to topics on which a metric is undefined.", code="C2",
        texts={"left-out": "they are left out", "zero": "they score 0"},
    )  # fmt: skip
    aggregation: Aggregation = parameter(
        SummaryChoice().aggregation, "How scores become one value.", code="C3"
    )
    user_columns: Any = parameter(
        None, "A file or table of users, with numbers to weight them by, for "
        "weighted-mean(by=column(NAME)).", none=NONE, code="C3",
    )  # fmt: skip
    coverage: Coverage = parameter(
        "full", "What happens to topics with an empty list.", code="C4",
        texts={
            "full": "they score 0",
            "forgiving": "they are left out",
            "common": "topics that some system does not cover are left out for all systems",
        },
    )  # fmt: skip
    comparison: Compared = parameter(Compared(), "How systems are compared.", code="D")
    assess: tuple[Criterion, ...] = parameter((), "Criteria by which the metrics are assessed.")
    by: tuple[Grouping, ...] = parameter(
        (), "Groups by which values are broken down: activity, test-size, popularity, activity:4, "
        "or FILE:COLUMN.", read=read_groupings,
    )  # fmt: skip
    item_vectors: Any = parameter(
        None, "A table of items, with numbers or labels such as War|Drama, for ILD.", none=NONE
    )
    item_labels: Any = parameter(
        None, "A table of items, with labels such as War|Drama, for by=label(COLUMN).", none=NONE
    )
    systems: Mapping[str, Recommender] = parameter(
        Table(), "Recommenders by the name of the system.", read=read_systems
    )
    runs: Mapping[str, Any] = parameter(
        Table(), "Ranked lists by the name of the system: files, tables, or Run objects.",
        read=read_runs,
    )  # fmt: skip
    tuning: Tuning | None = parameter(
        None, "How parameters given as ranges, as k=tune(10..500), are chosen; by default by 20 "
        "trials of random search.",
    )  # fmt: skip
    seed: int = parameter(0, "The seed of every random choice.", at_least=0)

    def __post_init__(self) -> None:
        if self.data is None and isinstance(self.split, Split):
            object.__setattr__(self, "data", read_source(self.split))
        metrics, of_runs = parse_metrics(self.metrics)
        object.__setattr__(self, "metrics", metrics)
        object.__setattr__(self, "run_metrics", tuple(dict.fromkeys((*self.run_metrics, *of_runs))))
        object.__setattr__(self, "tuning", tuning_of(self.tuning, self.systems))
        if problems := list(self._lacking()):
            raise BadDecisions("experiment", problems)

    def __repr__(self) -> str:
        shown = {"title": self.title, "data": self.data, "split": self.split, "seed": self.seed}
        rows = [["systems", ", ".join(self.names)], ["metrics", ", ".join(map(str, self.metrics))]]
        facts = (f"{name}: {value}" for name, value in shown.items() if value not in (None, ""))
        return preview("Experiment", facts, rows, limit=100)

    def _lacking(self) -> Iterator[tuple[str, str]]:
        """What is wrong between decisions that are right by themselves."""
        if not self.metrics and not self.run_metrics and not self.systems:
            yield "metrics", "at least one is needed, such as nDCG@10."
        if not self.names:
            yield "systems", 'at least one is needed, as in kNN = "user-kNN(k=100)", or one run.'
        if both := sorted(set(self.systems) & set(self.runs)):
            yield "runs", f"systems and runs both have one called {', '.join(both)}."
        if not all(name.strip() for name in self.names):
            yield "systems", "one has no name. Give it one, so that readers know it."
        if self.scale is not None and not self.scale[0] < self.scale[1]:
            yield "scale", f"{self.scale[0]:g} is not below {self.scale[1]:g}."
        parts = isinstance(self.split, GivenParts)
        if self.data is not None and parts and getattr(self.split, "train", None) is not None:
            yield "data", "the split has training ratings of its own. Leave out data, or train."
        if self.data is None and self.filters:
            yield "filters", "the split has its own parts: give train_filters or test_filters."
        if self.data is None and self.judged_by.simulated:
            yield "judged_by", "the truth is known of simulated data alone: give data."
        if self.data is None and getattr(self.split, "option_name", "") != "given":
            only = "Only a given split, as in given(train=…, test=…), has its own"
            yield "data", f"the split {self.split} divides ratings: say which. {only}."
        yield from lacking(self.aggregation, self.user_columns, self.names)
        yield from not_comparable(self.comparison, self.aggregation, self.names)
        yield from not_tunable(self.tuning, self.systems)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of everything that is compared."""
        return (*self.systems, *self.runs)

    @property
    def user_choice(self) -> UserChoice:
        """Which users enter the average."""
        return UserChoice(topics=self.topics, least_train=self.least_train)

    @property
    def run_rules(self) -> RunRules:
        """How runs from elsewhere are read."""
        return RunRules(
            ties="trec_eval" if self.ties == "trec_eval" else "item-id",
            duplicates=self.duplicates,
            training_items=self.training_items,
            unknown_items=self.unknown_items,
        )

    @property
    def summary_choice(self) -> SummaryChoice:
        """How scores become values."""
        return SummaryChoice(
            aggregation=self.aggregation, coverage=self.coverage, undefined=self.undefined
        )

    @property
    def comparison_choice(self) -> ComparisonChoice:
        """How systems are compared."""
        return self.comparison.choice(self.summary_choice)

    def with_metrics(self, metrics: tuple[Metric, ...]) -> Experiment:
        """The same experiment with other metrics."""
        return replace(self, metrics=metrics)


def spelled_fully(option: Any) -> str | None:
    """An option with all its parameters; None for what a user made in Python."""
    return spell_fully(option) if is_option(option) else None
