"""Methods: the decisions of an experiment as a paragraph for a paper, from A1 to D."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.base.errors import counted
from cranfield.base.options import is_option
from cranfield.view.tables.terminal import printable
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.definition.table import full
from cranfield.workbench.results.results import Results

_UNSCORED = {
    "drop": "items that a system could not score were left out of its ranking",
    "random": "items that a system could not score were appended in random order",
    "popularity": "items that a system could not score were appended by their number of "
    "training ratings",
    "average-rating": "items that a system could not score were appended by their average "
    "training rating",
    "minimum": "items that a system could not score were appended, all tied",
    "merged(by=popularity)": "items that a system could not score were merged with the others at "
    "the quantile of their number of training ratings",
    "merged(by=average-rating)": "items that a system could not score were merged with the others "
    "at the quantile of their average training rating",
}
_TIES = {
    "item-id": "by item id",
    "random": "at random",
    "optimistic": "in favour of the system",
    "pessimistic": "against the system",
    "trec_eval": "as trec_eval does",
    "expected": "by averaging scores over all orders",
}
_ENTERING = {
    "all": "all users",
    "judged": "the users with a test rating",
    "relevant": "the users with a relevant test rating",
    "run": "the users with a test rating for whom one of the systems has a list",
}
_TRAINING_ITEMS = {
    "keep": "training items kept their places",
    "drop": "training items were removed",
    "refuse": "no list held a training item",
}
_UNKNOWN_ITEMS = {
    "keep": "items unknown to the collection kept their places",
    "drop": "items unknown to the collection were removed",
    "refuse": "no list held an item unknown to the collection",
}
_DUPLICATES = {
    "refuse": "no list held an item twice",
    "first": "an item that was listed twice counted at its best place",
}
_COVERAGE = {
    "full": "users whom a system did not cover scored 0",
    "forgiving": "averages are over the users whom a system covered",
    "common": "averages are over the users whom every system covered",
}


def methods_of(results: Results) -> str:
    """How the experiment was done, in sentences that follow its decisions."""
    experiment, data = results.experiment, results.data
    sentences = [
        _data(experiment, data),
        _split(experiment, data),
        _systems(experiment),
        _users(experiment, data),
        _runs(experiment),
        _targets(experiment),
        _metrics(experiment),
        _average(experiment),
        _comparison(experiment, results),
        (
            f"All random choices come from seed {experiment.seed}; "
            f"Cranfield {_version(results)} made the results."
        ),
    ]
    return printable(" ".join(each for each in sentences if each))


def methods_of_study(study: Study, base: Results, designs: int) -> str:
    """The same for a study: how its base was done, and what was varied around it."""
    varied = ", ".join(
        [f"{path} ({counted(len(answers), 'answer')})" for path, answers in study.vary.items()]
        + [f"{name} ({', '.join(answers)})" for name, answers in study.together.items()]
    )
    how = {
        "crossed": "in every combination",
        "one-at-a-time": "one at a time around this base",
    }[study.way]
    share = "" if study.share == 1 else f", of which a random {study.share:.0%} was tried"
    return printable(
        f"{methods_of(base)} To see how far the conclusion depends on these decisions, we varied "
        f"{varied} {how}{share}: {counted(designs, 'design')}, {_tested(study)}."
    )


def _tested(study: Study) -> str:
    """By which test designs are compared."""
    if any(path.startswith("comparison.test") for path in study.factors):
        return "each with its own test"
    test = study.base.comparison.test
    return "each with the test that fits its average" if test is None else f"tested by {full(test)}"


def _data(experiment: Experiment, data: Any) -> str:
    text = f"We used the ratings of {_source(experiment)}"
    if experiment.catalogue is not None:
        text += f" and the items of {_named(experiment.catalogue)}"
    steps = [
        f"{step['filter']} ({step['before']:,} to {step['after']:,} ratings)"
        for step in data["filters"]
    ]
    if steps:
        text += f", filtered by {_listed(steps)}"
    size = f"{data['users']:,} users, {data['items']:,} items and {data['size']:,} ratings"
    return f"{text}: {size} (A1)."


def _source(experiment: Experiment) -> str:
    """Where the ratings come from; parts that were given are named one by one."""
    if experiment.data is not None:
        return full(experiment.data)
    parts = vars(experiment.split)
    named = [f"{_named(parts[name])} ({name})" for name in ("train", "test") if parts[name]]
    return _listed(named)


def _named(given: Any) -> str:
    """A file by its name, an option in full; a table has no name."""
    return full(given) if isinstance(given, str) or is_option(given) else "a table"


def _split(experiment: Experiment, data: Any) -> str:
    folds = data["folds"]
    train, test = (round(_mean(folds, name)) for name in ("train_ratings", "test_ratings"))
    about = "about " if len({fold["test_ratings"] for fold in folds}) > 1 else ""
    how = "given as" if experiment.data is None else f"divided by {full(experiment.split)} into"
    text = f"They were {how} {about}{train:,} training and {test:,} test ratings"
    text += f" in each of {len(folds)} folds" if len(folds) > 1 else ""
    if experiment.judged_share < 1:
        text += f", of which a random {experiment.judged_share:.0%} was taken as known"
    if experiment.judged_by == "truth":
        text += "; rankings were judged by the simulated truth instead of the test ratings"
    leaks = [fold["leakage"] for fold in folds if fold["leakage"] is not None]
    if leaks:
        text += (
            f"; {_mean(leaks, 'per_user'):.0%} of the training ratings are later than the first "
            f"test rating of their user"
        )
    return f"{text} (A2)."


def _mean(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    return float(sum(row[name] for row in rows)) / len(rows)


def _systems(experiment: Experiment) -> str:
    systems = [
        name if name == full(each) else f"{name} ({full(each)})"
        for name, each in experiment.systems.items()
    ]
    runs = [f"{name} (lists from {_named(file)})" for name, file in experiment.runs.items()]
    verb = "compared" if len(experiment.names) > 1 else "evaluated"
    return f"We {verb} {_listed([*systems, *runs])}."


def _users(experiment: Experiment, data: Any) -> str:
    least = experiment.least_train
    if least is None:
        least = int(data["folds"][0]["train_ratings"] > 0)
    rated = f" and at least {least} training rating{'s' if least > 1 else ''}" if least else ""
    unscored = f"; {_UNSCORED[experiment.unscored]} (B2)" if experiment.systems else ""
    return f"Rankings are for {_ENTERING[experiment.topics]}{rated} (B1){unscored}."


def _runs(experiment: Experiment) -> str:
    """How lists from elsewhere were read; nothing where there are none."""
    if not experiment.runs:
        return ""
    rules = [
        _TRAINING_ITEMS[experiment.training_items],
        _UNKNOWN_ITEMS[experiment.unknown_items],
        _DUPLICATES[experiment.duplicates],
    ]
    return f"In lists from elsewhere, {_listed(rules)} (B2)."


def _targets(experiment: Experiment) -> str:
    trained = "also" if experiment.training_items == "keep" else "never"
    depth = experiment.depth
    cut = "" if depth is None else f", lists were cut at {counted(depth, 'item')}"
    return (
        f"The items ranked are {experiment.targets}, {trained} those of the user's training "
        f"ratings{cut}; ties were broken {_TIES[experiment.ties]} (C1)."
    )


def _metrics(experiment: Experiment) -> str:
    names = [str(each) for each in (*experiment.metrics, *experiment.run_metrics)]
    rest = "left out" if experiment.undefined == "left-out" else "counted as 0"
    scale, vectors = experiment.scale, experiment.item_vectors
    possible = f" of {scale[0]:g} to {scale[1]:g}" if scale else ""
    alike = f"; how items differ is that of {_named(vectors)}" if vectors is not None else ""
    return (
        f"We report {_listed(names)}{alike}; a test rating of at least "
        f"{experiment.relevance:g}{possible} is relevant, and users on whom a metric is undefined "
        f"were {rest} (C2)."
    )


def _average(experiment: Experiment) -> str:
    groups = _listed([str(each) for each in experiment.by]) if experiment.by else ""
    parts = f", also in groups by {groups}" if groups else ""
    return (
        f"Values are by {full(experiment.aggregation)} over users{parts} (C3); "
        f"{_COVERAGE[experiment.coverage]} (C4)."
    )


def _comparison(experiment: Experiment, results: Results) -> str:
    if results.comparison is None:
        return ""
    choice, subsets = results.comparison.choice, results.comparison.choice.subsets
    repeated = (
        f", and the test was repeated on {subsets.count:,} random subsets of {subsets.share:.0%} "
        f"of the users"
        if subsets
        else ""
    )
    tested = f"tested by {full(choice.test)} over users{_corrected(experiment)}"
    return (
        f"Differences were {tested}, at level {choice.alpha:g}{repeated}; what could be detected "
        f"is for a power of {choice.power:g}, and differences of up to {choice.rope:g} count as "
        f"none in practice (D)."
    )


def _corrected(experiment: Experiment) -> str:
    """How p-values were adjusted, and for how many comparisons together."""
    asked, metrics = experiment.comparison, len(experiment.metrics)
    pairs = len(experiment.names) * (len(experiment.names) - 1) // 2
    together = pairs * metrics if asked.family == "all" else pairs
    if together == 1:
        return ""
    whose = "by each metric" if together == pairs and metrics > 1 else "in all"
    how = str(asked.correction)
    corrected = "not corrected" if how == "none" else f"corrected by {how}"
    return f", {corrected} for {together} comparisons {whose}"


def _version(results: Results) -> str:
    return str(results.to_dict()["versions"]["cranfield"])


def _listed(words: list[str]) -> str:
    """Words as in a sentence: a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
