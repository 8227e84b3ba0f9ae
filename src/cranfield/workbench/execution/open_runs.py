"""Runs and what they are judged by, before any list is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from cranfield.base.errors import EmptyInput
from cranfield.base.ids import Ids
from cranfield.base.threads import run_concurrently
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets, require_topics
from cranfield.collection.topics import Topics, UserChoice, choose_users
from cranfield.recommendation.runs.files import open_first, open_run, refuse_missing
from cranfield.recommendation.runs.source import OpenRun, open_lists
from cranfield.workbench.execution.evaluation_choice import EvaluationChoice


class Inputs(NamedTuple):
    """What runs are judged by and what they are: test ratings, runs by the names of their
    systems, training ratings.
    """

    test: Ratings
    runs: Mapping[str, Any]
    train: Ratings | None


def read_inputs(
    read_test: Callable[[], Ratings],
    runs: Mapping[str, Any],
    read_train: Callable[[], Ratings] | None,
    *,
    ranks: bool = True,
) -> Inputs:
    """Ratings as they are read, and the runs, the first of which is opened meanwhile.

    That the file of a run is missing is told before anything is read.
    """
    refuse_missing(runs.values())
    test, opened = run_concurrently(read_test, partial(open_first, runs, ranks=ranks))
    return Inputs(test, opened, None if read_train is None else read_train())


class OpenRuns(NamedTuple):
    """Runs, and what they are judged by, before any list is read.

    ``items`` are the ids of training and test, ``catalogue`` those of the runs too; the
    training ratings and the targets are coded by the catalogue.
    """

    runs: dict[str, OpenRun]
    items: Ids
    catalogue: Ids
    training: Ratings
    targets: Targets


def open_runs(
    test: Ratings,
    runs: Mapping[str, Any],
    choice: EvaluationChoice,
    train: Ratings | None,
    *,
    ranks: bool = True,
) -> OpenRuns:
    """Open runs (files or tables, by name) and choose the targets that they are judged on.

    Who wants to know whether ranks and scores agree must ask for ``ranks``.
    """
    given = test.take(np.zeros(0, dtype=np.int64)) if train is None else train
    users = given.user_ids.union(test.user_ids)
    items = given.item_ids.union(test.item_ids)
    opened = {
        name: open_lists(open_run(source, system=name, ranks=ranks), users, items)
        for name, source in runs.items()
    }
    catalogue = _catalogue(opened, items, choice)
    judgments = judge(test.reindex(users, catalogue), choice.relevance, _scale(given, test))
    training = given.reindex(users, catalogue)
    targets = _targets(judgments, training, opened, choice)
    return OpenRuns(opened, items, catalogue, training, targets)


def _catalogue(opened: Mapping[str, OpenRun], items: Ids, choice: EvaluationChoice) -> Ids:
    """All items: those of the collection and, unless they leave, what runs name besides."""
    if choice.rules.unknown_items != "keep":
        return items
    unknown_items = (run.items.unknown_items for run in opened.values())
    return reduce(Ids.union, (ids for ids in unknown_items if len(ids)), items)


def _scale(train: Ratings, test: Ratings) -> tuple[float, float]:
    """The lowest and the highest rating of training and test together."""
    ends = [(each.values.min(), each.values.max()) for each in (train, test) if len(each)]
    return float(min(low for low, _ in ends)), float(max(high for _, high in ends))


def _targets(
    judgments: Judgments, train: Ratings, runs: Mapping[str, OpenRun], choice: EvaluationChoice
) -> Targets:
    """The targets of the users who enter."""
    entering = choose_users(train, judgments, UserChoice(least_train=choice.least_train))
    if choice.topics == "run":
        listed = np.unique(np.concatenate([run.users.codes for run in runs.values()]))
        common = entering.users[np.isin(entering.users, listed)]
        if not len(common):
            raise EmptyInput("runs and judgments together", "users with both")
        entering = Topics(common)
    kept = choice.rules.training_items == "keep"
    seen = train.take(np.zeros(0, dtype=np.int64)) if kept else train
    return require_topics(choice.targets.choose(entering, seen, judgments, choice.seed))
