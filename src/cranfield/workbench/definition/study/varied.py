"""Varied: which decisions of an experiment a study can vary, and what is wrong with others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.base.errors import OptionError, near, shown
from cranfield.workbench.definition.paths import inner_path, path_steps

Problems = list[tuple[str, str]]

_WHOLE = {"name", "source"}
"""What a table has that is an option or data as a whole, not parts of a decision."""
_ONE_FOR_ALL = {
    "metrics": "a design has one metric: give `metric`, `cutoff` or `gain` several answers.",
    "systems": "all designs compare the same systems: vary their parameters, as systems.kNN.k.",
    "runs": "all designs compare the same systems: vary the file of one, as runs.mine.",
    "title": "it decides nothing.",
    "comparison": "only its test is made in every design: vary comparison.test.",
}
"""Decisions that cannot differ between designs, and what can instead."""


def problems_of(vary: Mapping[str, Any], together: Any, names: tuple[str, ...] | None) -> Problems:
    """All that is wrong; ``names`` are the base's systems, None where it has none yet."""
    named = isinstance(together, Mapping) and all(
        isinstance(answers, Mapping)
        and answers
        and all(isinstance(sets, Mapping) for sets in answers.values())
        for answers in together.values()
    )
    if not named:
        wanted = 'such as protocol.AR = { targets = "test-items" }'
        return [("study.together", f"it is not a table of named answers, {wanted}.")]
    found = [
        (f"study.together.{name}", "study.vary has one of that name; call it something else.")
        for name in together
        if name in vary
    ]
    places = {f"study.vary.{path}": path for path in vary} | {
        f"study.together.{name}.{answer}.{path}": path
        for name, answers in together.items()
        for answer, sets in answers.items()
        for path, _ in paths_of(sets)
    }
    for place, path in places.items():
        problem = _of_path(str(path), names)
        found += [] if problem is None else [(place, problem)]
    return [*found, *_answered_twice(vary, together)]


def _answered_twice(
    vary: Mapping[str, Any], together: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, str]]:
    """Decisions that two factors answer, of which only the last would count."""
    whose = {str(path): f"study.vary.{path}" for path in vary}
    for name, answers in together.items():
        own = dict.fromkeys(path for sets in answers.values() for path, _ in paths_of(sets))
        for path in own:
            if path in whose and name not in vary:
                yield f"study.together.{name}", f"{whose[path]} answers {path} too; only one can."
            whose[path] = f"study.together.{name}"


def _of_path(path: str, names: tuple[str, ...] | None) -> str | None:
    """Why a decision cannot differ between designs."""
    try:
        first, *rest = path_steps(path)
    except OptionError as error:
        return str(error)
    if first == "comparison" and rest[:1] == ["test"]:
        return None
    if first not in ("systems", "runs") or not rest:
        return _ONE_FOR_ALL.get(first)
    if names is None or rest[0] in names:
        return None
    return f"there is no system {shown(rest[0])}.{near(rest[0], names)}"


def paths_of(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Answers by path: TOML reads ``split.test_share = 0.1`` as a table in a table."""
    for key, value in table.items():
        inner = inner_path(path, key)
        if isinstance(value, Mapping) and not _WHOLE & set(value):
            yield from paths_of(value, inner)
        else:
            yield inner, value
