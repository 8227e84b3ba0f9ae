"""Evaluation as a step: judgments and runs in, scores and their summary out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Literal

import numpy as np

from cranfield.base.errors import EmptyInput, OptionError
from cranfield.base.ids import Ids
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import TargetChoice, parse_targets
from cranfield.collection.topics import Topics, UserChoice, choose_users
from cranfield.recommendation.choice import Ties
from cranfield.recommendation.hits import Hits
from cranfield.recommendation.locating import locate
from cranfield.recommendation.run import Run
from cranfield.recommendation.run_coding import Reading
from cranfield.recommendation.run_files import read_run
from cranfield.recommendation.run_report import RunRules
from cranfield.scoring.expectation import expect
from cranfield.scoring.list_facts import ListFacts, facts_of_lists
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Summary, SummaryChoice, summarise

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


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores, their summary, and what a reader should know about the runs."""

    scores: Scores
    summary: Summary
    choice: EvaluationChoice
    readings: Mapping[str, Reading]
    notes: tuple[str, ...]
    fingerprint: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON: systems → metrics → numbers, decisions, fingerprint, notes."""
        record = self.summary.to_dict(self.choice.to_dict())
        return {**record, "judgments": self.fingerprint, "notes": list(self.notes)}


def evaluate(
    test: Ratings,
    runs: Mapping[str, Any],
    metrics: Sequence[Metric],
    choice: EvaluationChoice,
    train: Ratings | None = None,
) -> Evaluation:
    """Score runs (files or tables, by name) against test ratings."""
    if not runs or not metrics:
        raise OptionError("an evaluation needs at least one run and one metric.")
    train = test.take(np.zeros(0, dtype=np.int64)) if train is None else train
    users = train.user_ids.union(test.user_ids)
    items = train.item_ids.union(test.item_ids)
    readings = {
        name: read_run(
            source, user_ids=users, item_ids=items, train=train.under(users, items), system=name,
            rules=choice.rules,
        )
        for name, source in runs.items()
    }  # fmt: skip
    catalogue = reduce(Ids.union, (reading.run.strangers for reading in readings.values()), items)
    located = {name: reading.run.under(items, catalogue) for name, reading in readings.items()}
    judgments = judge(test.under(users, catalogue), choice.relevance, _scale(train, test))
    targets = _targets(judgments, train.under(users, catalogue), located, choice)
    return _score(located, readings, targets, metrics, choice)


def _scale(train: Ratings, test: Ratings) -> tuple[float, float]:
    values = np.concatenate([train.values, test.values])
    return float(values.min()), float(values.max())


def _targets(
    judgments: Judgments, train: Ratings, runs: Mapping[str, Run], choice: EvaluationChoice
) -> Targets:
    """The targets of the users who enter."""
    entering = choose_users(train, judgments, UserChoice(least_train=choice.least_train))
    if choice.topics == "run":
        listed = np.unique(np.concatenate([run.topics.users for run in runs.values()]))
        common = entering.users[np.isin(entering.users, listed)]
        if not len(common):
            raise EmptyInput("runs and judgments together", "users with both")
        entering = Topics(common)
    kept = choice.rules.training_items == "keep"
    seen = train.take(np.zeros(0, dtype=np.int64)) if kept else train
    return choice.targets.choose(entering, seen, judgments, choice.seed)


def _score(
    runs: Mapping[str, Run],
    readings: Mapping[str, Reading],
    targets: Targets,
    metrics: Sequence[Metric],
    choice: EvaluationChoice,
) -> Evaluation:
    depth = max(int(run.lengths.max(initial=0)) for run in runs.values())
    hits = {
        name: locate(run, targets, choice.ties, choice.seed).cut(depth)
        for name, run in runs.items()
    }
    popularity = _positives(targets)
    way: Literal["ranked", "expected"] = "expected" if choice.ties == "expected" else "ranked"
    scores = Scores.from_systems(
        targets.topics,
        targets.train.user_ids,
        tuple(map(str, metrics)),
        {name: measure(h, metrics, popularity=popularity, ties=way) for name, h in hits.items()},
        {name: h.lengths for name, h in hits.items()},
    )
    summary = summarise(
        scores,
        choice.summary,
        lists={name: _facts(name, runs, hits, metrics, depth) for name in runs},
        expectation=expect(
            next(iter(hits.values())), metrics, popularity=popularity, seed=choice.seed
        ),
    )
    notes = tuple(_notes(readings, metrics, depth))
    return Evaluation(scores, summary, choice, readings, notes, targets.judgments.fingerprint)


def _facts(
    name: str,
    runs: Mapping[str, Run],
    hits: Mapping[str, Hits],
    metrics: Sequence[Metric],
    depth: int,
) -> ListFacts:
    """What the lists are like down to the deepest cut-off that was asked for."""
    cutoffs = [getattr(metric, "cutoff", None) or depth for metric in metrics]
    return facts_of_lists(hits[name], min(max(cutoffs), depth), runs[name])


def _positives(targets: Targets) -> np.ndarray[Any, np.dtype[np.float64]]:
    """|PR(i)|: the positive ratings of each item, training and test together."""
    judgments, train = targets.judgments, targets.train
    liked = train.take(train.values >= judgments.relevance).item_counts
    return (liked + judgments.positives.item_counts).astype(np.float64)


def _notes(readings: Mapping[str, Reading], metrics: Sequence[Metric], depth: int) -> list[str]:
    notes = [f"{name}: {note}" for name, r in readings.items() for note in r.report.notes]
    deep = [str(m) for m in metrics if (getattr(m, "cutoff", None) or 0) > depth]
    if deep:
        notes.append(f"the longest list has {depth} items, fewer than {', '.join(deep)} look at.")
    return notes
