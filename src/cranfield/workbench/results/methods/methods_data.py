"""Methods, the part on data: where ratings come from, and how they were divided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.base.errors import counted
from cranfield.base.options import is_option
from cranfield.collection.datasets import find_data_set
from cranfield.collection.source import InMemory
from cranfield.collection.split import Split
from cranfield.view.numbers import percent
from cranfield.view.prose import listed, phrase, with_parameters
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.results.methods.references import cited

_VALUES = {
    "plays": ", with play counts mapped to ratings from 1 to 5 by each user's own counts",
    "events": ", with numbers of events mapped to ratings from 1 to 5 by each user's own counts",
}

_REPEATED = {
    "auto": "",
    "refuse": "",
    "events": ", a log of events that were divided one by one and counted in each part",
}


_SIZES = ("before", "after")


def data_sentence(experiment: Experiment, data: Any) -> str:
    """Which ratings were used, and how many there are."""
    text = f"We used {source_words(experiment)}"
    if "events" in data["split"]["facts"] and _read_as(experiment) == "auto":
        text += _REPEATED["events"]
    if experiment.catalogue is not None:
        text += f", and the items of {named(experiment.catalogue)}"
    steps = [
        f"{phrase(each)} ({step['before']:,} to {step['after']:,} ratings)"
        for each, step in zip(experiment.filters, data["filters"], strict=True)
    ]
    if steps:
        text += f", of which we took {', then '.join(steps)}"
    return f"{text}: {data['users']:,} users, {data['items']:,} items and {data['size']:,} ratings."


def _read_as(experiment: Experiment) -> str:
    """What was said of repeated pairs; of a table in memory, nothing."""
    return str(getattr(experiment.data, "duplicates", "auto"))


def source_words(experiment: Experiment) -> str:
    """Where the ratings come from; parts that were given are named one by one."""
    if experiment.data is not None:
        return _of_source(experiment.data)
    parts = vars(experiment.split)
    roles = {"train": "for training", "test": "for test"}
    given = [f"{named(parts[name])} {role}" for name, role in roles.items() if parts[name]]
    return f"the ratings of {listed(given)}"


def _of_source(source: Any) -> str:
    """One source: a data set by its title, a file by its name, others with their parameters."""
    if isinstance(source, InMemory):
        return f"a table of ratings (fingerprint {source.ratings.fingerprint[:16]})"
    kind = getattr(source, "option_name", "")
    if kind not in ("dataset", "file"):
        return f"the ratings of {with_parameters(source)}"
    known = find_data_set(source.set_) if kind == "dataset" else None
    text = f"the file {Path(source.path).name}" if kind == "file" else str(known and known.title)
    twice = _REPEATED.get(source.duplicates, f", the {source.duplicates} of repeated ratings")
    return f"{text}{cited(source)}{_VALUES.get(source.values, '')}{twice}"


def named(given: Any) -> str:
    """A file by its name, an option in words; a table has no name."""
    if isinstance(given, str):
        return Path(given).name
    return _of_source(given).removeprefix("the ratings of ") if is_option(given) else "a table"


def split_sentence(experiment: Experiment, data: Any) -> str:
    """How ratings became training and test, and how large both are."""
    folds = data["folds"]
    train, test = (round(_mean(folds, name)) for name in ("train_ratings", "test_ratings"))
    sizes = {(fold["train_ratings"], fold["test_ratings"]) for fold in folds}
    about = "about " if len(sizes) > 1 else ""
    split = experiment.split
    how = "given" if experiment.data is None else f"divided {_division(split)}"
    if (repeats := getattr(split, "repeats", 1)) > 1:
        how += f", {repeats} times"
    each = "each fold has " if len(folds) > 1 else ""
    text = f"They were {how}: {each}{about}{train:,} training and {test:,} test ratings"
    if experiment.judged_share < 1:
        text += f", of which a random {percent(experiment.judged_share)} was taken as known"
    if judge := experiment.judged_by.in_words:
        text += f"; rankings were judged by {judge} instead of the test ratings"
    leaks = [fold["leakage"] for fold in folds if fold["leakage"] is not None]
    late, any_late = (_mean(leaks, n) if leaks else 0 for n in ("per_user", "overall"))
    if late or any_late:
        share, whose = (late, "of their user") if late else (any_late, "of any user")
        text += (
            f"; {percent(share)} of the training ratings are later than the first test rating "
            f"{whose}"
        )
    return f"{text}.{_pruned(experiment, folds)}"


def _pruned(experiment: Experiment, folds: Sequence[Mapping[str, Any]]) -> str:
    """What filters of training and of test left, on average over folds."""
    by_part = {"training": experiment.train_filters, "test": experiment.test_filters}
    rows, said = iter(zip(*(fold.get("filters", ()) for fold in folds), strict=True)), []
    last: Sequence[Mapping[str, Any]] = ()
    for part, chosen in by_part.items():
        steps = []
        for option in chosen:
            last = next(rows)
            sizes = (round(_mean([each[when] for each in last], "ratings")) for when in _SIZES)
            steps.append(f"{phrase(option)} ({' to '.join(f'{size:,}' for size in sizes)} ratings)")
        said += [f"of the {part} ratings we took {', then '.join(steps)}"] if steps else []
    if not said:
        return ""
    users, ratings = (round(_mean(last, name)) for name in ("test_users", "test_ratings"))
    left = f"{counted(users, 'user')} with {counted(ratings, 'test rating')}"
    each = " in each fold" if len(folds) > 1 else ""
    text = f"{'; '.join(said)}, which leaves {left} whom training knows{each}"
    return f" {text[0].upper()}{text[1:]}."


def _division(split: Any) -> str:
    """How a split divides; one that was made before has a seed of its own."""
    if isinstance(split, Split):
        return f"{_division(split.splitter)} (by seed {split.seed})"
    return f"{phrase(split)}{cited(split)}"


def _mean(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    return float(sum(row[name] for row in rows)) / len(rows)
