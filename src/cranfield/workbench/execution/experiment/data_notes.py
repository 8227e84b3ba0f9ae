"""Notes on data: what a split leaks, and what filters of training and test leave."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from cranfield.base.errors import counted
from cranfield.view.numbers import percent
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.data.prepared_data import PreparedData


def notes_of_data(experiment: Experiment, data: PreparedData) -> Iterator[str]:
    """What a reader should know of training and test."""
    if "events" in data.facts and getattr(experiment.data, "duplicates", "") == "auto":
        yield (
            f"The data are a log of {data.facts['events']:,.0f} events: they have times and no "
            "ratings, and pairs occur repeatedly. Say duplicates = refuse or sum to read them "
            "otherwise."
        )
    yield from _filtered(experiment, data)
    if leak := _leaked(data):
        yield leak


def _filtered(experiment: Experiment, data: PreparedData) -> Iterator[str]:
    """What each filter of a part leaves of it, and of the test, all folds together."""
    chosen = (*experiment.train_filters, *experiment.test_filters)
    together = " over all folds" if len(data.folds) > 1 else ""
    by_filter = zip(*(fold.steps for fold in data.folds), strict=True)
    for option, steps in zip(chosen, by_filter, strict=True):
        part = {"train": "training", "test": "test"}[steps[0].part]
        before, after = (
            sum(getattr(each.step, name).ratings for each in steps) for name in ("before", "after")
        )
        users = counted(sum(each.test_users for each in steps), "user")
        left = counted(sum(each.test_ratings for each in steps), "test rating")
        yield (
            f"{steps[0].part}_filters, {option}: {after:,} of {before:,} {part} ratings stay"
            f"{together}; {users} with {left} can be judged, as training knows them."
        )


def _leaked(data: PreparedData) -> str:
    """That a split is in order of time for each user, but not for all of them."""
    leaks = [fold.leakage for fold in data.folds]
    known = [each for each in leaks if each is not None]
    share = fmean(each.overall for each in known) if known else 0.0
    if not share or any(each.per_user for each in known):
        return ""
    return (
        "Warning: the split leaks. It is in order of time for each user, yet "
        f"{percent(share)} of the training ratings are later than the earliest test rating. "
        "Choose rolling or temporal to split all users at the same time."
    )
