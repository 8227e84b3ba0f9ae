"""Evaluation as a step: judgments and runs in, scores and their summary out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.base.errors import OptionError, counted
from cranfield.base.ids import Ids
from cranfield.collection.items import facts_of_items
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Known, Targets
from cranfield.recommendation.runs.report import RunReport
from cranfield.recommendation.runs.source import OpenRun, blocks_of_users
from cranfield.scoring.breakdown import Breakdown, break_down, break_down_values
from cranfield.scoring.expectation import expect_targets
from cranfield.scoring.list_facts import facts_from_counts
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunFacts, RunMetric
from cranfield.scoring.scores import Floats, Scores
from cranfield.scoring.summary import Summary, summarise
from cranfield.workbench.execution.evaluation_choice import Asked, EvaluationChoice
from cranfield.workbench.execution.evaluation_parts import (
    Parts,
    Work,
    join_lists,
    score_parts,
)
from cranfield.workbench.execution.grouping import group_items, group_users
from cranfield.workbench.execution.open_runs import open_runs


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores, their summary, and what a reader should know about the runs.

    ``lists`` has for each system its value by each run metric.
    """

    scores: Scores
    summary: Summary
    choice: EvaluationChoice
    reports: Mapping[str, RunReport]
    notes: tuple[str, ...]
    judgments: Judgments
    lists: Mapping[str, Mapping[str, float]]
    breakdowns: tuple[Breakdown, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON: systems → metrics → numbers, decisions, fingerprint, notes."""
        record = self.summary.to_dict(self.choice.to_dict())
        for system, values in self.lists.items():
            for metric, value in values.items():
                known = None if np.isnan(value) else value
                record["systems"].setdefault(system, {})[metric] = {"value": known}
        record |= {"judgments": self.judgments.fingerprint, "notes": list(self.notes)}
        if self.breakdowns:
            record["by"] = {each.name: each.to_polars().to_dicts() for each in self.breakdowns}
        return record


def evaluate_runs(
    test: Ratings,
    runs: Mapping[str, Any],
    metrics: Sequence[Metric],
    choice: EvaluationChoice,
    train: Ratings | None = None,
    asked: Asked | None = None,
) -> Evaluation:
    """Score runs (files or tables, by name) against test ratings."""
    asked = asked or Asked()
    if not runs or not (metrics or asked.run_metrics):
        raise OptionError("an evaluation needs at least one run and one metric.")
    ready = open_runs(test, runs, choice, train)
    opened = ready.runs
    work = _work(ready.targets, ready.training, tuple(metrics), ready.items, choice, asked)
    found = score_parts(opened, blocks_of_users(list(opened.values()), asked.rows_at_once), work)
    return _evaluation(opened, found, work, choice, asked)


def _work(
    targets: Targets,
    train: Ratings,
    metrics: tuple[Metric, ...],
    items: Ids,
    choice: EvaluationChoice,
    asked: Asked,
) -> Work:
    depths = [_depth(metric) for metric in metrics]
    kept = [None if metric.needs_whole_lists else _depth(metric) for metric in asked.run_metrics]
    return Work(
        targets=targets,
        metrics=metrics,
        popularity=popularity_for(metrics, train, targets.judgments),
        train=train,
        item_ids=items,
        catalogue=targets.judgments.ratings.item_ids,
        ties=choice.ties,
        seed=choice.seed,
        top=_deepest(depths),
        kept=_deepest(kept) if kept else 0,
        item_groups=group_items(asked.by, Known(train, targets.judgments)),
    )


def _depth(metric: Metric | RunMetric) -> int | None:
    cutoff: int | None = getattr(metric, "cutoff", None)
    return cutoff


def _deepest(depths: Sequence[int | None]) -> int | None:
    known = [depth for depth in depths if depth is not None]
    return max(known) if known and len(known) == len(depths) else None


def popularity_for(
    metrics: Sequence[Metric], train: Ratings, judgments: Judgments
) -> Floats | None:
    """|PR(i)| by item, if one of the metrics needs to know."""
    needed = any(metric.needs_popularity for metric in metrics)
    return positives_of(train, judgments) if needed else None


def positives_of(train: Ratings, judgments: Judgments) -> Floats:
    """|PR(i)|: the positive ratings of each item, training and test together."""
    judged, size = judgments.ratings.items, train.n_items
    liked = np.bincount(train.items, train.values >= judgments.relevance, size)
    relevant = np.bincount(judged, judgments.relevant, size)
    return (liked + relevant).astype(np.float64, copy=False)


def _evaluation(
    opened: Mapping[str, OpenRun],
    found: Mapping[str, Parts],
    work: Work,
    choice: EvaluationChoice,
    asked: Asked,
) -> Evaluation:
    targets, names = work.targets, tuple(map(str, work.metrics))
    reports = {name: run.report(found[name].reports) for name, run in opened.items()}
    longest = max(max(parts.longest) for parts in found.values())
    depth = longest if work.top is None else min(work.top, longest)
    lengths = {name: np.concatenate(parts.lengths) for name, parts in found.items()}
    scores = Scores.from_systems(
        targets.topics,
        targets.train.user_ids,
        names,
        {name: np.concatenate(parts.values, axis=1) for name, parts in found.items()},
        lengths,
        judgments=targets.judgments,
    )
    facts = {
        name: facts_from_counts(targets.topics, lengths[name], depth, parts.counts)
        for name, parts in found.items()
    }
    deepest = {name: max(parts.longest) for name, parts in found.items()}
    expected = expect_targets(
        targets,
        work.metrics,
        depths=tuple(deepest.values()),
        popularity=work.popularity,
        seed=work.seed,
    )
    summary = summarise(
        scores,
        choice.summary,
        lists=facts,
        expectation={name: expected[depth] for name, depth in deepest.items()},
    )
    return Evaluation(
        scores,
        summary,
        choice,
        reports,
        (
            *_notes(reports, [*work.metrics, *asked.run_metrics], longest),
            *_nothing_relevant(targets.judgments),
        ),
        targets.judgments,
        _lists(opened, found, work, asked),
        _breakdowns(scores, found, work, choice, asked),
    )


def _lists(
    opened: Mapping[str, OpenRun], found: Mapping[str, Parts], work: Work, asked: Asked
) -> dict[str, dict[str, float]]:
    """What the lists of each system are like beyond accuracy, against the collection's items."""
    if not asked.run_metrics:
        return {name: {} for name in found}
    known = next(iter(opened.values())).known
    assert known.train is not None
    vectors = None if asked.vectors is None else asked.vectors.of_items(known.item_ids)
    judged = work.targets.judgments
    test = judged.ratings.compact().reindex(known.user_ids, known.item_ids)
    facts = RunFacts(
        facts_of_items(known.train, vectors),
        judge(test, judged.relevance, (judged.lowest, judged.highest)),
    )
    return {
        name: {
            str(metric): metric.of_run(run, facts)
            for run in [join_lists(name, parts.lists)]
            for metric in asked.run_metrics
        }
        for name, parts in found.items()
    }


def _breakdowns(
    scores: Scores,
    found: Mapping[str, Parts],
    work: Work,
    choice: EvaluationChoice,
    asked: Asked,
) -> tuple[Breakdown, ...]:
    made = [
        break_down(scores, group_users(each, work.train, work.targets.topics), choice.summary)
        for each in asked.by
        if each.of_users
    ]
    if work.item_groups is not None:
        values = {name: np.concatenate(parts.by_item, axis=2) for name, parts in found.items()}
        made.append(
            break_down_values(scores, scores.metrics, values, work.item_groups, choice.summary)
        )
    return tuple(made)


def _nothing_relevant(judgments: Judgments) -> list[str]:
    if judgments.relevant.any():
        return []
    highest = judgments.ratings.values.max(initial=judgments.lowest)
    return [f"nothing is relevant: no test rating is above {highest:g}."]


def _notes(
    reports: Mapping[str, RunReport], metrics: Sequence[Metric | RunMetric], longest: int
) -> list[str]:
    notes = [f"{name}: {note}" for name, report in reports.items() for note in report.notes]
    deep = [str(m) for m in metrics if (_depth(m) or 0) > longest]
    if deep:
        items = counted(longest, "item")
        look = "looks" if len(deep) == 1 else "look"
        notes.append(f"the longest list has {items}, fewer than {', '.join(deep)} {look} at.")
    return notes
