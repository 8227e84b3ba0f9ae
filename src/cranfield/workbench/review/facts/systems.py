"""Facts about systems: which were compared, with which parameters, and how these were chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.base.errors import counted
from cranfield.base.options import is_option
from cranfield.view.prose import listed
from cranfield.workbench.results.methods.methods_systems import systems_sentence
from cranfield.workbench.review.fact import (
    Answer,
    Fact,
    Reviewed,
    answered,
    capital,
    missing,
    partly,
)
from cranfield.workbench.tuning.trials import Tuned

_UNPERSONALISED = ("Popularity", "AverageRating", "MedianRating", "Random")
_CLASSICAL = (
    "user-kNN", "item-kNN", "NNCosNgbr-UB", "NNCosNgbr-IB", "EASE", "SLIM", "PureSVD", "WRMF", "MF",
    "SVD", "BPRMF", "RW",
)  # fmt: skip
"""Baselines that are simple, known to be strong, and often left out."""


def baselines(reviewed: Reviewed) -> Fact:
    """Whether simple and strong known systems are among those compared."""
    kinds = reviewed.base.kinds
    plain = [name for name, kind in kinds.items() if kind in _UNPERSONALISED]
    strong = [name for name, kind in kinds.items() if kind in _CLASSICAL]
    told = [
        *([f"Not personalised: {listed(plain)}."] if plain else []),
        *([f"Neighbourhood, linear and factor models: {listed(strong)}."] if strong else []),
    ]
    text = " ".join(told) or "No known baseline is among the systems."
    if plain and strong:
        return answered(text)
    lacking = [
        *([] if plain else ["Popularity"]),
        *([] if strong else ["a tuned neighbourhood or linear model (user-kNN, EASE)"]),
    ]
    return partly(text, f"Add {listed(lacking)}, or say why not.")


def parameters(reviewed: Reviewed) -> Fact:
    """Every parameter of every system, also those at their defaults."""
    text = systems_sentence(reviewed.base)
    if unknown := list(reviewed.experiment.runs):
        return partly(
            text,
            f"Give the parameters of {listed(unknown)}: the lists do not record them.",
        )
    opaque = [name for name, model in reviewed.base.models.items() if not model.parameters]
    if opaque:
        advice = f"Give the parameters of {listed(opaque)}: nothing is recorded but the name."
        return partly(text, advice)
    return answered(text)


def tuning(reviewed: Reviewed) -> Fact:
    """How the parameters of all systems were chosen, baselines included."""
    names = list(reviewed.experiment.names)
    recorded = {each.name: each for each in reviewed.base.tuned}
    tuned = [name for name in names if name in recorded]
    rest = [name for name in names if name not in recorded and _tunable(reviewed, name)]
    if not rest and tuned:
        return answered(f"{_tuned(tuned, recorded)} {_untuned(names, tuned)}".strip())
    if not rest:
        return answered("No system has a parameter to tune.")
    advice = (
        f"Tune {listed(rest)} on validation data, every system with the same budget, and report "
        "ranges, number of trials, criterion and chosen values."
    )
    if tuned:
        return partly(f"{_tuned(tuned, recorded)} Of {listed(rest)}, nothing is recorded.", advice)
    defaults = [name for name in rest if _at_defaults(reviewed, name)]
    text = f"Nothing is recorded of how the parameters of {listed(rest)} were chosen."
    if defaults:
        text += f" Those of {listed(defaults)} are defaults of the program."
    return missing(text, advice)


def _tuned(names: list[str], recorded: Mapping[str, Tuned]) -> str:
    """By which search, and how many settings, the parameters of systems were chosen."""
    ways = [
        f"{name} was tuned by {each.search} over {counted(each.settings, 'setting')}, judged by "
        f"{each.metric} on validation ratings ({each.validation}); chosen: {each.chosen.system}."
        for name in names
        for each in (recorded[name],)
    ]
    return " ".join(ways)


def _untuned(names: list[str], tuned: list[str]) -> str:
    others = [name for name in names if name not in tuned]
    return f"{capital(listed(others))}: nothing to tune." if others else ""


def _tunable(reviewed: Reviewed, name: str) -> bool:
    """Whether a system has parameters, or none is known of it."""
    system = reviewed.experiment.systems.get(name)
    return not is_option(system) or bool(_parameters(system))


def _at_defaults(reviewed: Reviewed, name: str) -> bool:
    system = reviewed.experiment.systems.get(name)
    return is_option(system) and system == type(system)()  # type: ignore[misc]


def _parameters(option: Any) -> list[str]:
    return list(vars(option))


def failures(reviewed: Reviewed) -> Fact:
    """Whether systems failed, and why."""
    failed = reviewed.base.failed
    if not failed:
        return answered("Every system was evaluated; none failed.")
    told = "; ".join(f"{name}: {why.rstrip('.')}" for name, why in failed.items())
    many = counted(len(failed), "system failed and is", "systems failed and are")
    return partly(f"{many} not in the tables. {told}.", "Fix what failed, or leave it out.")


def own_models(reviewed: Reviewed) -> Fact:
    """Whether others can make the systems themselves."""
    own = [*reviewed.base.models, *reviewed.experiment.runs]
    if not own:
        return answered("Every system ships with Cranfield, by the version that is recorded.")
    return missing(
        f"{listed(own)} {'was' if len(own) == 1 else 'were'} made outside Cranfield.",
        f"Publish the code of {listed(own)}, with the versions that it needs.",
    )


SYSTEM_FACTS: Mapping[str, Answer] = {
    "baselines": baselines,
    "parameters": parameters,
    "tuning": tuning,
    "failures": failures,
    "own-models": own_models,
}
