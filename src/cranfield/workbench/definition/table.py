"""An Experiment as a table, and single answers in such a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_origin

from cranfield.base.checking.spelling import read_spelling, write_spelling
from cranfield.base.decisions import Table, declared, is_decisions, parameters
from cranfield.base.errors import OptionError
from cranfield.base.options import (
    contract_of,
    find,
    from_table,
    is_option,
    to_table,
    typed_name,
    written,
)
from cranfield.collection.target_choice import TargetChoice
from cranfield.view.names import metric_name, targets_name
from cranfield.workbench.definition.compared import FITTING
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.paths import path_steps, path_text
from cranfield.workbench.definition.side_tables import Grouping, object_text


def write_table(
    chosen: Any, without: frozenset[str] = frozenset(), *, complete: bool = False
) -> dict[str, Any]:
    """An experiment as a table: every decision as declared, also those at their defaults.

    Options are spelled, with every parameter if the table is to be ``complete``. What a user
    made in Python is called by its name or fingerprint, and cannot be read again.
    """
    table = {}
    for known in parameters(type(chosen)):
        value = getattr(chosen, known.name)
        if known.name in without or (isinstance(value, Table) and not value):
            continue
        table[known.name] = known.none or None if value is None else _plain(value, complete)
    return table


def _plain(value: Any, complete: bool) -> Any:
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain(each, complete) for each in value]
    if isinstance(value, Table):
        return {name: _plain(each, complete) for name, each in value.items()}
    if complete and isinstance(value, TargetChoice):
        return ", ".join(spell_completely(each) for each in vars(value).values())
    if complete and is_option(value):
        return spell_completely(value)
    spelled = isinstance(value, Grouping) or not is_decisions(value)
    return object_text(value) if spelled else write_table(value, complete=complete)


def spell_completely(option: Any) -> str:
    """An option as its user named it, with every parameter, also those of inner options.

    >>> from cranfield.workbench import inventory
    >>> inventory.load("metric", "gain")
    >>> spell_completely(from_table("metric", "nDCG@10"))
    'nDCG(gain=rating, relevance=none, as=none, ideal=cut, propensity=none, ...)@10'
    """
    given = {written(p.name): getattr(option, p.name) for p in parameters(type(option))}
    whole = {key: _Spelled(value) if is_option(value) else value for key, value in given.items()}
    numbered = isinstance(whole.get("cutoff"), int | float)
    cutoff = whole.pop("cutoff") if numbered else None
    return write_spelling(typed_name(option), whole, cutoff)


class _Spelled:
    """An option within another, which writes itself completely."""

    def __init__(self, option: Any) -> None:
        self._text = spell_completely(option)

    def __str__(self) -> str:
        return self._text


def decisions_of(experiment: Experiment) -> list[tuple[str, str, str]]:
    """Code, decision and answer of everything that was decided, in the papers' order.

    Options are spelled with all their parameters, also those that nobody gave.
    """
    rows = list[tuple[str, str, str]]()
    for known in sorted(declared(Experiment), key=lambda each: each.code or "E"):
        value = _answer(experiment, known.path)
        if isinstance(value, Table):
            rows += [("", path_text([known.path, name]), _text(value[name])) for name in value]
        elif value is not None and (known.code or not isinstance(value, str | tuple) or value):
            rows.append((known.code, known.path, _text(value)))
    return rows


def _answer(experiment: Experiment, path: str) -> Any:
    """What an experiment decides; None where an inner table is not given."""
    if path == "comparison.test":
        return experiment.comparison_choice.test  # never None, unlike the answer
    value: Any = experiment
    for step in path.split("."):
        value = getattr(value, step, None)
    return value


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(_text, value)) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    if getattr(value, "decision", "") in ("metric", "run-metric"):
        return metric_name(value)  # as it heads its column
    if isinstance(value, TargetChoice):
        return targets_name(value)
    return spell_completely(value) if is_option(value) else object_text(value)


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
    decision = _options().get(".".join(path)) or _options().get(path[0])
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


@cache
def _options() -> dict[str, str]:
    """Where single options stand in a table, and which decisions they answer."""
    return {
        known.path: decision
        for known in declared(Experiment)
        if get_origin(known.type) is not tuple and (decision := contract_of(known.type))
    }


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
    if rest[0] == "name" or not (within_systems or place in _options()):
        return
    if within_systems and len(rest) > 1:
        quoted = path_text(["systems", ".".join([path[1], *rest[:-1]]), rest[-1]])
        raise OptionError(
            f"{place}: there is no such system. A name with dots stands in quotes: {quoted}."
        )
    whole = f"{place}=NAME({path_text(rest)}=…)"
    raise OptionError(f"{place}: nothing is given there yet. Give it whole, as in {whole}.")
