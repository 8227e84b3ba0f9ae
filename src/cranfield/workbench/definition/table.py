"""An Experiment as a table, and single answers in such a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cranfield.base.errors import OptionError
from cranfield.base.options import find, from_table, is_option, to_table
from cranfield.base.spelling import read_spelling, write_spelling
from cranfield.workbench.definition.experiment import FITTING, Experiment
from cranfield.workbench.definition.paths import path_steps, path_text


def write_table(experiment: Experiment) -> dict[str, Any]:
    """The whole experiment as a table: every decision, also those at their defaults.

    Options are spelled; what a user made in Python is called by its name alone, and cannot
    be read again.
    """
    asked = experiment.comparison
    return {
        "title": experiment.title,
        "seed": experiment.seed,
        "data": str(experiment.data),
        "filters": [str(each) for each in experiment.filters],
        "split": str(experiment.split),
        "judged_share": experiment.judged_share,
        "judged_by": experiment.judged_by,
        "relevance": experiment.relevance,
        "unscored": experiment.unscored,
        "targets": str(experiment.targets),
        "ties": experiment.ties,
        "metrics": [str(each) for each in (*experiment.metrics, *experiment.run_metrics)],
        "undefined": experiment.undefined,
        "aggregation": str(experiment.aggregation),
        "coverage": experiment.coverage,
        "assess": [str(each) for each in experiment.assess],
        "topics": experiment.topics,
        "least_train": experiment.least_train,
        "training_items": experiment.training_items,
        "comparison": {
            "test": FITTING if asked.test is None else str(asked.test),
            "correction": str(asked.correction),
            "family": asked.family,
            "alpha": asked.alpha,
            "power": asked.power,
            "rope": asked.rope,
            **(
                {"subsets": {"count": asked.subsets.count, "share": asked.subsets.share}}
                if asked.subsets
                else {}
            ),
        },
        "systems": {name: str(system) for name, system in experiment.systems.items()},
        **({"runs": dict(experiment.runs)} if experiment.runs else {}),
    }


_CODES = {
    "data": "A1", "filters": "A1", "split": "A2", "judged_share": "A2", "judged_by": "A2",
    "topics": "B1", "unscored": "B2", "targets": "C1",
    "ties": "C1", "metrics": "C2", "relevance": "C2", "undefined": "C2", "aggregation": "C3",
    "coverage": "C4", "comparison.test": "D", "comparison.correction": "D",
    "comparison.family": "D", "comparison.alpha": "D",
}  # fmt: skip
"""The decisions in the order of canamares2020, with its codes."""


def decisions_of(experiment: Experiment) -> list[tuple[str, str, str]]:
    """Code, decision and answer of everything that was decided, in the papers' order."""
    table = write_table(experiment) | _in_full(experiment)
    rows = [
        (code, path, _text(table[path] if path in table else value_at(table, path)))
        for path, code in _CODES.items()
    ]
    systems = [
        ("", path_text(["systems", name]), full(each)) for name, each in experiment.systems.items()
    ]
    runs = [("", path_text(["runs", name]), file) for name, file in experiment.runs.items()]
    return [*rows, *systems, *runs, ("", "seed", str(experiment.seed))]


def _in_full(experiment: Experiment) -> dict[str, Any]:
    """Options with all their parameters, also those that nobody gave."""
    choice = experiment.comparison_choice
    return {
        "data": full(experiment.data),
        "filters": [full(each) for each in experiment.filters],
        "split": full(experiment.split),
        "aggregation": full(experiment.aggregation),
        "comparison.test": full(choice.test),
        "comparison.correction": full(choice.correction),
    }


def full(option: Any) -> str:
    """An option with all its parameters that have a value; else the text that it has."""
    if not is_option(option):
        return str(option)
    given = {key: value for key, value in to_table(option).items() if value is not None}
    name = str(given.pop("name"))
    return write_spelling(name, {key: getattr(option, key, value) for key, value in given.items()})


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:g}"
    return str(value)


def value_at(table: Mapping[str, Any], path: str) -> Any:
    """What a table holds at a path such as ``split.test_share``; None if nothing.

    An option that is spelled is looked into as a table.
    """
    value: Any = table
    so_far: list[str] = []
    for step in path_steps(path):
        if isinstance(value, str):
            value = opened(value, so_far)
        value = value.get(step) if isinstance(value, Mapping) else None
        so_far.append(step)
    return value


def opened(spelling: str, path: list[str]) -> dict[str, Any]:
    """A spelled option as the table of its name and all its parameters."""
    decision = _DECISIONS.get(".".join(path)) or _DECISIONS.get(path[0])
    if decision is None:
        raise OptionError(f"{path_text(path)}: it has no parameters.")
    if spelling == FITTING and decision == "test":
        raise OptionError(f"{path_text(path)}: it is left to the aggregation. Name a test first.")
    if decision == "source" and not _is_spelled_source(spelling):
        return {"source": spelling}
    return dict(to_table(from_table(decision, spelling)))


def _is_spelled_source(text: str) -> bool:
    """Whether a text spells a source, rather than being a file or a data set's name."""
    try:
        find("source", read_spelling(text).name)
    except OptionError:
        return False
    return True


_DECISIONS = {
    "data": "source",
    "split": "split",
    "aggregation": "aggregation",
    "systems": "recommender",
    "comparison.test": "test",
    "comparison.correction": "correction",
}
"""Where options stand in a table, and which decisions they answer."""
_OPTIONS = frozenset(_DECISIONS) - {"systems"}


def with_answer(table: Mapping[str, Any], path: str, answer: Any) -> dict[str, Any]:
    """The same table with another answer at a path; nothing that was given is changed."""
    changed: dict[str, Any] = _changed(table, [], list(path_steps(path)), answer)
    return changed


def _changed(value: Any, so_far: list[str], rest: list[str], answer: Any) -> Any:
    if not rest:
        return answer
    if value is None:
        _refuse_part_of_nothing(so_far, rest)
        value = {}
    if isinstance(value, str):
        value = opened(value, so_far)
    if not isinstance(value, Mapping):
        raise OptionError(f"{path_text(so_far)}: it has no part {path_text(rest)}.")
    step, *further = rest
    return {**value, step: _changed(value.get(step), [*so_far, step], further, answer)}


def _refuse_part_of_nothing(path: list[str], rest: list[str]) -> None:
    """Of an option that nobody gave, nothing can be changed but its name."""
    place = path_text(path)
    within_systems = len(path) == 2 and path[0] == "systems"
    if rest[0] == "name" or not (within_systems or place in _OPTIONS):
        return
    if within_systems and len(rest) > 1:
        quoted = path_text(["systems", ".".join([path[1], *rest[:-1]]), rest[-1]])
        raise OptionError(
            f"{place}: there is no such system. A name with dots stands in quotes: {quoted}."
        )
    whole = f"{place}=NAME({path_text(rest)}=…)"
    raise OptionError(f"{place}: nothing is given there yet. Give it whole, as in {whole}.")
