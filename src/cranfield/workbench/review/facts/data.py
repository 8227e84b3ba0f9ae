"""Facts about data: where they come from, how they were prepared and divided, what leaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.base.errors import counted
from cranfield.collection.datasets import DataSet, find_data_set
from cranfield.view.numbers import percent
from cranfield.view.prose import listed, parameter_words, phrase
from cranfield.workbench.results.methods.methods import targets_sentence, users_sentence
from cranfield.workbench.results.methods.methods_data import source_words, split_sentence
from cranfield.workbench.review.fact import (
    Answer,
    Fact,
    Reviewed,
    answered,
    capital,
    missing,
    partly,
)

_MADE = ("simulated", "power-law", "block")
"""Sources that make ratings up from a seed."""


def _kind(reviewed: Reviewed) -> str:
    return str(getattr(reviewed.experiment.data, "option_name", ""))


def is_simulated(reviewed: Reviewed) -> bool:
    """Whether the ratings are made up."""
    return _kind(reviewed) in _MADE


def _data_set(reviewed: Reviewed) -> DataSet | None:
    """The published data set, where it was used by its name."""
    asked = reviewed.experiment.data
    return find_data_set(str(getattr(asked, "set_", ""))) if _kind(reviewed) == "dataset" else None


def data_source(reviewed: Reviewed) -> Fact:
    """Which data were used; a file is not known by what it holds."""
    words = f"{capital(source_words(reviewed.experiment))}."
    known = _data_set(reviewed)
    if known is not None:
        return answered(f"{known.title}. {known.citation}.")
    if is_simulated(reviewed):
        made = ", ".join(parameter_words(reviewed.experiment.data))
        return answered(f"Simulated ratings, not those of people ({_kind(reviewed)}: {made}).")
    advice = "Name the published data set and its version, and cite it."
    return partly(words, advice)


def data_sizes(reviewed: Reviewed) -> Fact:
    """Users, items, ratings and density of what was used."""
    data = reviewed.base.data
    users, items, size = data["users"], data["items"], data["size"]
    density = percent(size / (users * items)) if users and items else "–"
    parts = (counted(users, "user"), counted(items, "item"), counted(size, "rating"))
    return answered(f"{', '.join(parts)}; {density} of all pairs are rated.")


def data_fingerprint(reviewed: Reviewed) -> Fact:
    """What tells exactly these ratings from others."""
    return answered(f"The fingerprint of the ratings is {reviewed.base.data['ratings']}.")


def data_access(reviewed: Reviewed) -> Fact:
    """Where others get the data, under which terms."""
    known = _data_set(reviewed)
    if known is not None:
        return answered(f"{known.title} is at {known.home}. Terms: {known.terms}.")
    if is_simulated(reviewed):
        return answered("Cranfield makes the same ratings from the definition.")
    return missing(
        "The results name a file or a table, not where others get it.",
        "Say where the data can be obtained and under which licence, or why they cannot.",
    )


def preprocessing(reviewed: Reviewed) -> Fact:
    """Filters in order, and what each left."""
    if reviewed.experiment.data is None:
        return partly(
            "The parts were taken as they were given.",
            "Say how they were filtered and prepared before, with the sizes at each step.",
        )
    steps = reviewed.base.data["filters"]
    if not steps:
        return answered("No rating was left out.")
    told = [
        f"{phrase(each)}: {step['before']:,} to {step['after']:,} ratings"
        for each, step in zip(reviewed.experiment.filters, steps, strict=True)
    ]
    return answered(f"{capital('; then '.join(told))}.")


def several_data_sets(reviewed: Reviewed) -> Fact:
    """Whether the conclusion rests on more than one data set."""
    if reviewed.beside:
        others, many = listed(reviewed.beside), len(reviewed.beside) + 1
        stand = "stands" if many == 2 else "stand"
        return partly(
            f"This is one of {many} data sets; {others} {stand} beside it in the same folder.",
            "Make the checklist of the folder above, which answers for all of them.",
        )
    varied = () if reviewed.study is None else reviewed.study.vary.get("data", ())
    if len(varied) > 1:
        return answered(f"{len(varied)} data sets were used.")
    if is_simulated(reviewed):
        return missing("The only data are simulated.", "Repeat the comparison on data of people.")
    return partly(
        "One data set was used.",
        "Repeat the comparison on data of another domain or density, or limit the claim to this "
        "data set.",
    )


def split(reviewed: Reviewed) -> Fact:
    """How ratings became training and test."""
    words = capital(split_sentence(reviewed.experiment, reviewed.base.data))
    if getattr(reviewed.experiment.split, "option_name", "") == "given":
        return partly(words, "Say how the parts were made, and publish them or their ids.")
    return answered(words)


def leakage_in_time(reviewed: Reviewed) -> Fact:
    """Whether systems learn from what came after the test."""
    leaks = [fold["leakage"] for fold in reviewed.base.data["folds"]]
    if any(each is None for each in leaks):
        return partly(
            "The ratings have no times, so that it is not known whether systems learnt from the "
            "future.",
            "Use ratings with times and a temporal split, or say why time does not matter here.",
        )
    overall, own = _mean(leaks, "overall"), _mean(leaks, "per_user")
    if not overall:
        return answered("No training rating is later than the first test rating.")
    return partly(
        f"{percent(overall)} of the training ratings are later than the first test rating of all, "
        f"{percent(own)} later than the first one of their own user.",
        'Use split = "temporal", or say why learning from the future does not favour one of the '
        "systems.",
    )


def leakage_of_pairs(reviewed: Reviewed) -> Fact:
    """Whether test ratings are in training, too."""
    both = sum(fold.get("in_both_parts", 0) for fold in reviewed.base.data["folds"])
    if not both:
        return answered("No pair of user and item is in training and in test.")
    pairs = counted(both, "pair is", "pairs are")
    if reviewed.experiment.training_items == "keep":
        return answered(f"{pairs} in both parts; this is a task of repeated consumption.")
    return answered(f"{pairs} in both parts, and not counted in test.")


def ranked_items(reviewed: Reviewed) -> Fact:
    """Which items were ranked; samples of them are known to mislead."""
    words = targets_sentence(reviewed.experiment)
    if "sampled" in str(reviewed.experiment.targets):
        return partly(
            words,
            "Rank all items as well: values on sampled items may order systems differently "
            "(Krichene and Rendle, 2020). `cranfield assess sampling` shows how much.",
        )
    return answered(words)


def evaluated_users(reviewed: Reviewed) -> Fact:
    """Who enters the averages, and who does not."""
    return answered(users_sentence(reviewed.experiment, reviewed.base))


def _mean(rows: list[Mapping[str, Any]], name: str) -> float:
    return float(sum(row[name] for row in rows)) / len(rows)


DATA_FACTS: Mapping[str, Answer] = {
    "data-source": data_source,
    "data-sizes": data_sizes,
    "data-fingerprint": data_fingerprint,
    "data-access": data_access,
    "preprocessing": preprocessing,
    "several-data-sets": several_data_sets,
    "split": split,
    "leakage-in-time": leakage_in_time,
    "leakage-of-pairs": leakage_of_pairs,
    "ranked-items": ranked_items,
    "evaluated-users": evaluated_users,
}
