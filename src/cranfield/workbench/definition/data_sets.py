"""Studies of several data sets: the same experiment or study on each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadExperiment
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study.study import Study, read_study

_WHOLE = {"name", "source"}
"""What a table has that is one data set."""
_MERGED = ("systems", "runs", "comparison", "tuning")
"""Decisions made of parts, of which a data set may change some."""


@dataclass(frozen=True)
class StudyOfDataSets:
    """The same question asked of several data sets, by name.

    ``parts`` are experiments or studies that differ in their data, and where a data set
    asks for other answers. ``table`` is what defined them.
    """

    parts: Mapping[str, Experiment | Study]
    table: Mapping[str, Any]
    where: str = "study"

    @property
    def title(self) -> str:
        """What all parts together are called."""
        return str(self.table.get("title", ""))

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two systems that the conclusion is about, where they were named."""
        first = next(iter(self.parts.values()))
        return first.pair if isinstance(first, Study) else None

    @property
    def alpha(self) -> float:
        """The level of significance."""
        return self.bases[next(iter(self.parts))].comparison.alpha

    @property
    def bases(self) -> dict[str, Experiment]:
        """The experiment on each data set, or the base of its study."""
        return {
            name: part.base if isinstance(part, Study) else part
            for name, part in self.parts.items()
        }


def names_several(table: Mapping[str, Any]) -> bool:
    """Whether a definition is about several data sets."""
    return bool(_sources(table))


def read_data_sets(
    table: Mapping[str, Any], where: str = "study", home: Path | None = None
) -> StudyOfDataSets:
    """The experiment or study that a table defines, once for each of its data sets.

    Data sets are a list, as ``data`` or as ``study.vary.data``, or tables ``[data.NAME]``
    with the answers that differ on it. ``source`` is where its ratings come from, the name
    itself by default.
    """
    own = _own_answers(table)
    common, parts = _without_data(table), {}
    problems: list[tuple[str, str]] = []
    sources = _sources(table)
    if unknown := [name for name in own if name not in sources]:
        problems += [(f"data.{name}", "the study has no such data set.") for name in unknown]
    for name, source in sources.items():
        answers = {key: each for key, each in own.get(name, {}).items() if key != "source"}
        title = {"title": f"{table['title']}: {name}"} if table.get("title") else {"title": name}
        given = {**_merged(common, answers), "data": source, **title}
        try:
            parts[name] = _read(given, where, home)
        except BadExperiment as error:
            problems += [(_blamed(name, path, answers), text) for path, text in error.problems]
    if problems:
        raise BadExperiment(where, list(dict.fromkeys(problems)))
    defined = {**common, "data": {name: {"source": sources[name], **own.get(name, {})}
                                  for name in sources}}  # fmt: skip
    return StudyOfDataSets(parts, defined, where)


def _read(given: dict[str, Any], where: str, home: Path | None) -> Experiment | Study:
    study = given.get("study")
    varied = isinstance(study, Mapping) and (study.get("vary") or study.get("together"))
    if varied:
        return read_study(given, where, home)
    asked = {key: each for key, each in given.items() if key != "study"}
    if isinstance(study, Mapping) and set(study) - {"vary"}:
        names = ", ".join(sorted(set(study) - {"vary"}))
        problem = f"only data sets are varied, so that there are no designs to decide on: {names}."
        raise BadExperiment(where, [("study", problem)])
    return read_table(asked, where, home)


def _sources(table: Mapping[str, Any]) -> dict[str, Any]:
    """The data sets by name, with where their ratings come from; empty for a single one."""
    data, varied = table.get("data"), _varied(table)
    listed = data if varied is None and isinstance(data, list | tuple) else varied
    if listed is not None and all(isinstance(e, str) or _is_data_set(e) for e in listed):
        return {_name(each, place): each for place, each in enumerate(listed, start=1)}
    whole = isinstance(data, Mapping) and _WHOLE & set(data)
    if isinstance(data, Mapping) and data and not whole and all(map(_is_data_set, data.values())):
        return {
            str(name): each.get("source", name) if isinstance(each, Mapping) else each
            for name, each in data.items()
        }
    return {}


def _is_data_set(given: Any) -> bool:
    """Whether it stands for a data set: its answers, or its ratings as an object in Python."""
    return isinstance(given, Mapping) or not isinstance(
        given, Sequence | int | float | None | np.ndarray
    )


def _own_answers(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    data = table.get("data")
    if not isinstance(data, Mapping):
        return {}
    return {str(name): dict(each) for name, each in data.items() if isinstance(each, Mapping)}


def _varied(table: Mapping[str, Any]) -> Sequence[Any] | None:
    """The answers of ``study.vary.data``, if there are several."""
    study = table.get("study")
    vary = study.get("vary") if isinstance(study, Mapping) else None
    found = vary.get("data") if isinstance(vary, Mapping) else None
    return found if isinstance(found, list | tuple) and len(found) > 1 else None


def _without_data(table: Mapping[str, Any]) -> dict[str, Any]:
    """What all data sets have in common."""
    common = {key: each for key, each in table.items() if key != "data"}
    if _varied(table) is not None:
        study = dict(common["study"])
        study["vary"] = {key: each for key, each in study["vary"].items() if key != "data"}
        common["study"] = study
    return common


def _merged(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The common answers, with those of a data set in their place."""
    parts = {
        key: {**common[key], **each}
        for key, each in own.items()
        if key in _MERGED and isinstance(each, Mapping) and isinstance(common.get(key), Mapping)
    }
    return {**common, **own, **parts}


def _blamed(name: str, path: str, own: Mapping[str, Any]) -> str:
    """Where the answer stands that a problem comes from: the data set's own, or all's."""
    first = path.partition(".")[0]
    return f"data.{name}.{path}" if first in own else f"data.{name}" if first == "data" else path


def _name(source: Any, place: int) -> str:
    """What a data set is called: a file by its name, an option by its spelling."""
    if not isinstance(source, str):
        return f"data set {place}"
    return Path(source).stem if Path(source).suffix and "(" not in source else source
