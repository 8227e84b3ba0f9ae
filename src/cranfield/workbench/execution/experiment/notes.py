"""Notes: what a reader should know before relying on the figures of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cranfield.base.checking.spelling import write_value
from cranfield.base.errors import CranfieldError, counted
from cranfield.base.ids import Ids
from cranfield.base.options import is_option, parameters
from cranfield.collection.statistics.counts import look_like_counts
from cranfield.collection.target import Targets
from cranfield.recommendation.recommender import ResolvingRecommender
from cranfield.recommendation.runs.report import RunReport
from cranfield.scoring.metric import Metric, cutoff_of
from cranfield.scoring.run_metric import RunMetric
from cranfield.view.names import short_name
from cranfield.view.prose import listed
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.item_labels import labels_of
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.experiment.data_notes import notes_of_data
from cranfield.workbench.execution.experiment.propensity_notes import notes_of_propensities
from cranfield.workbench.execution.systems.conditions import knows_targets
from cranfield.workbench.results.evaluation import NO_CATALOGUE

if TYPE_CHECKING:
    from cranfield.workbench.tuning.trials import Tuned


def notes_of(
    experiment: Experiment,
    data: PreparedData,
    reports: Mapping[str, RunReport],
    targets: Sequence[Targets],
    longest: Callable[[str], int],
) -> Iterator[str]:
    """Of each run, of ratings and judgments, and of what cannot be known.

    ``longest`` gives the length of the longest list of a system.
    """
    for name, report in reports.items():
        yield from (f"{name}: {note}" for note in report.notes)
    yield from (note for name in reports if (note := _shallow(experiment, name, longest(name))))
    collection = targets[0].collection
    if collection.overlap:
        pairs = counted(collection.overlap, "test pair is", "test pairs are")
        yield f"{pairs} in training too; such pairs stay in training and are not targets."
    if note := _counts(experiment, data):
        yield note
    yield from experiment.judged_by.notes(collection.train)
    yield from notes_of_data(experiment, data)
    yield from _resolved(experiment, data)
    yield from notes_of_propensities(experiment, targets)
    if not any(each.judgments.relevant.any() for each in targets):
        judgments = collection.judgments
        highest = judgments.ratings.values.max(initial=judgments.lowest)
        yield (
            f"no item is relevant: the highest test rating is {highest:g}, below the relevance "
            f"of {judgments.relevance:g}."
        )
    yield from _unlabelled(experiment, collection.item_ids)
    if not knows_targets(experiment, targets[0]):
        yield f"{NO_CATALOGUE}."


def _unlabelled(experiment: Experiment, item_ids: Ids) -> Iterator[str]:
    """How many items have no label, in each column that metrics look at."""
    metrics = (*experiment.metrics, *experiment.run_metrics)
    for name, labels in labels_of(experiment.item_labels, metrics, item_ids).items():
        if labels.unlabelled:
            items = counted(labels.unlabelled, "item has", "items have")
            yield f'{items} no label in column "{name}" and belong to no group.'


def notes_of_failures(failed: Mapping[str, str]) -> list[str]:
    """Which systems failed, and why."""
    return [f"Warning: {name} failed: {reason}" for name, reason in failed.items()]


def notes_of_comparing(experiment: Experiment, failed: Collection[str]) -> Iterator[str]:
    """How systems are compared without those that failed."""
    left = len(experiment.names) - len(failed)
    if (baseline := experiment.comparison.baseline) in failed:
        rest = "all pairs are compared" if left > 1 else "nothing is compared"
        yield f"Warning: without {baseline}, the baseline, {rest}."
    elif failed and left < 2:
        yield "Warning: only one system is left, so that nothing is compared."


def _counts(experiment: Experiment, data: PreparedData) -> str:
    """That ratings look like counts, as play counts do, and what can be done about it."""
    first = data.folds[0]
    parts = [first.train, first.test] if data.ratings is None else [data.ratings]
    if experiment.judged_by.simulated or not any(look_like_counts(each.values) for each in parts):
        return ""
    highest = max(each.values.max(initial=0) for each in parts)
    graded = any(getattr(each, "gain", None) is not None for each in experiment.metrics)
    used = "ratings and gains" if graded else "ratings"
    advice = "Read them with values=plays to map each user's counts to ratings from 1 to 5"
    if "events" in data.facts:  # whose counts are what was asked for
        advice = "Give metrics a gain that does not grow with them, such as binary"
    if any(hasattr(system, "binarised") for system in experiment.systems.values()):
        advice += ", or let recommenders count every rating as 1 with binarised=true"
    return (
        f"Warning: the ratings look like counts, whole numbers of up to {highest:,.0f}. They are "
        f"used as {used} as they stand. {advice}."
    )


def _resolved(experiment: Experiment, data: PreparedData) -> Iterator[str]:
    """Which numbers the training ratings gave to parameters that are ``auto``."""
    for name, system in experiment.systems.items():
        if not is_option(system) or not isinstance(system, ResolvingRecommender):
            continue
        names = [each.name for each in parameters(type(system))]
        automatic = [each for each in names if getattr(system, each) == "auto"]
        try:
            made = [system.resolve(fold.train) for fold in data.folds if automatic]
        except CranfieldError:  # the system failed, which is noted of it
            continue
        if made:
            numbers = [f"{each} = {_by_fold(made, each)}" for each in automatic]
            yield f"{name}: {listed(numbers)}, chosen by the training ratings."


def _by_fold(made: Sequence[object], name: str) -> str:
    """The number of a parameter in each fold; one where all agree."""
    return " / ".join(dict.fromkeys(f"{getattr(each, name):.4g}" for each in made))


def _shallow(experiment: Experiment, name: str, longest: int) -> str:
    """That the lists of a run end above the cut-off of a metric."""
    metrics: Sequence[Metric | RunMetric] = (*experiment.metrics, *experiment.run_metrics)
    deep = [short_name(each) for each in metrics if (cutoff_of(each) or 0) > longest]
    if not deep:
        return ""
    need = "needs" if len(deep) == 1 else "need"
    items = counted(longest, "item")
    return f"{name}: the longest list has {items}, fewer than {', '.join(deep)} {need}."


def notes_of_tuning(tuned: Sequence[Tuned]) -> Iterator[str]:
    """Which parameters were chosen at an end of their range, and which trials failed."""
    for each in tuned:
        fold = f" on fold {each.fold + 1}" if max(other.fold for other in tuned) else ""
        for path, end in each.edges.items():
            value = write_value(each.chosen.parameters[path])
            yield (
                f"{each.name}: {path} = {value}, chosen{fold}, is the {end} of its range; values "
                "beyond it were not tried."
            )
        if failed := [trial for trial in each.trials if trial.failed]:
            trials = counted(len(failed), "trial")
            yield f"{each.name}: {trials} of {len(each.trials):,} failed{fold}: {failed[0].failed}"
