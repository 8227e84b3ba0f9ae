"""What can be wrong with the table of a study, besides the experiment that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cranfield.base.errors import OptionError, near, shown
from cranfield.workbench.definition.paths import inner_path, path_steps

Problems = list[tuple[str, str]]

_KNOWN = ("way", "share", "pair", "draws", "vary", "together")
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


def problems_of(
    given: Mapping[str, Any], vary: Mapping[str, Any], names: tuple[str, ...] | None
) -> Problems:
    """All that is wrong; ``names`` are the base's systems, None where it has none yet."""
    found = [
        (f"study.{name}", f"a study has nothing of that name.{near(str(name), _KNOWN)}")
        for name in given
        if name not in _KNOWN
    ]
    for name, (fine, wanted) in _PLAIN.items():
        if name in given and not fine(given[name]):
            found.append((f"study.{name}", f"{shown(given[name])} is not {wanted}."))
    if given.get("way") == "one-at-a-time" and given.get("share", 1) != 1:
        found.append(("study.share", "it is for crossed designs; one at a time, all are tried."))
    if names is not None:
        found += _of_pair(given.get("pair"), names)
    return [*found, *_of_answers(given, vary, names)]


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_PLAIN: dict[str, tuple[Callable[[Any], bool], str]] = {
    "way": (lambda value: value in ("crossed", "one-at-a-time"), '"crossed" or "one-at-a-time"'),
    "share": (_is_share, "a number above 0 and of at most 1"),
    "draws": (_is_count, "a whole number of at least 0"),
}


def _of_pair(pair: Any, names: tuple[str, ...]) -> Problems:
    two = isinstance(pair, list | tuple) and len(pair) == 2
    if pair is None or (two and pair[0] != pair[1] and all(each in names for each in pair)):
        return []
    return [("study.pair", f"{shown(pair)} is not a list of two of: {', '.join(names)}.")]


def _of_answers(
    given: Mapping[str, Any], vary: Mapping[str, Any], names: tuple[str, ...] | None
) -> Problems:
    together = given.get("together", {})
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
    if not vary and not together and not given.get("vary"):
        found.append(("study.vary", "it must give at least one decision several answers."))
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
