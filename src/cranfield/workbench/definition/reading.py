"""An Experiment from a table, the way TOML and YAML hold it; all problems at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from cranfield.base import options as _o
from cranfield.base.decisions import Bounds, Table, convert
from cranfield.base.errors import (
    BadExperiment,
    CranfieldError,
    OptionError,
    UnknownOption,
    near,
    shown,
)
from cranfield.base.options import from_table, is_option
from cranfield.base.spelling import read_spelling
from cranfield.collection.source import source_of
from cranfield.collection.target import TargetChoice, parse_targets
from cranfield.recommendation.adapter import adapt
from cranfield.significance.resampling import Subsets
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import FITTING, Compared, Experiment
from cranfield.workbench.definition.paths import path_text


def parse_metrics(given):
    found = dict.fromkeys(_metric1(e) if isinstance(e, str) else e for e in given)
    lists = tuple(e for e in found if e.decision == "run-metric")
    return tuple(e for e in found if e not in lists), lists


def _metric1(text):
    name = read_spelling(text).name
    for decision in ("metric", "run-metric"):
        try:
            _o.find(decision, name)
        except UnknownOption:
            continue
        return _o.parse(decision, text)
    raise UnknownOption("metric", name, [*_o.options("metric"), *_o.options("run-metric")])


def read_table(
    table: Mapping[str, Any], where: str = "experiment", home: Path | None = None
) -> Experiment:
    """The experiment that a table defines; files are looked for in ``home`` first.

    >>> read_table({
    ...     "data": "simulated(size=tiny)", "split": "per-user", "relevance": 4,
    ...     "systems": {"best": "Popularity"}, "metrics": ["P@10"],
    ... }).names
    ('best',)
    """
    inventory.load()
    reader = _Reader(home)
    made = reader.experiment(table)
    if reader.problems or made is None:
        raise BadExperiment(where, reader.problems)
    return made


def found_beside(home: Path | None, name: str) -> str:
    """A file beside the one that names it, if there is one; else the name as it is."""
    beside = None if home is None or not name else home / name
    return str(beside) if beside is not None and beside.exists() else name


class _Reader:
    """Reads the decisions of a table one by one, and notes what is wrong with each."""

    def __init__(self, home: Path | None) -> None:
        self.problems: list[tuple[str, str]] = []
        self._home = home

    def experiment(self, table: Mapping[str, Any]) -> Experiment | None:
        known = {each.name for each in fields(Experiment)} - {"run_metrics"}
        self._refuse_unknown("", table, known)
        given = {name: value for name, value in table.items() if name in known}
        for name in ("data", "split", "relevance", "metrics"):
            if name not in given:
                self._note(name, "it must be decided.")
        if not given.get("systems") and not given.get("runs"):
            self._note("systems", 'at least one is needed, as in kNN = "user-kNN(k=100)".')
        made = {name: self._field(name, value) for name, value in given.items()}
        if self.problems:
            return None
        metrics, run_metrics = parse_metrics(made.pop("metrics"))
        if not metrics:
            self._note("metrics", "at least one must be of single users, such as nDCG@10.")
            return None
        try:
            return Experiment(**made, metrics=metrics, run_metrics=run_metrics)
        except CranfieldError as error:
            self._note("", str(error))
            return None

    def _field(self, name: str, value: Any) -> Any:
        special: dict[str, Callable[[Any], Any]] = {
            "data": self._data,
            "filters": lambda given: self._several("filter", name, given),
            "assess": lambda given: self._several("criterion", name, given),
            "metrics": self._metrics,
            "systems": self._systems,
            "runs": self._runs,
            "targets": self._targets,
            "comparison": self._comparison,
            "split": lambda given: self._option("split", name, given),
            "aggregation": lambda given: self._option("aggregation", name, given),
        }
        if name in special:
            return special[name](value)
        return self._plain(Experiment, name, name, value)

    def _note(self, path: str, problem: str) -> None:
        self.problems.append((path, problem))

    def _refuse_unknown(self, path: str, table: Mapping[str, Any], known: set[str]) -> None:
        for name in table:
            if name not in known:
                self._note(
                    _path(path, str(name)),
                    f"nothing is decided by that name.{near(str(name), known)}",
                )

    def _option(self, decision: str, path: str, given: Any) -> Any:
        """An option from its spelling or table; every bad parameter of it is noted."""
        if is_option(given):
            return given
        table, bad = given, set[str]()
        while True:
            try:
                return from_table(decision, table)
            except OptionError as error:
                name = error.parameter
                lacking = any(f" needs {each}:" in str(error) for each in bad)
                if not lacking:
                    place = f"{path}.{name}" if name is not None else path
                    self._note(place, error.problem or str(error))
                if lacking or name is None or not isinstance(table, Mapping) or name not in table:
                    return None
                bad.add(name)
                table = {key: value for key, value in table.items() if key != name}
            except CranfieldError as error:
                self._note(path, str(error))
                return None

    def _several(self, decision: str, path: str, given: Any) -> tuple[Any, ...]:
        many = given if isinstance(given, list | tuple) else [given]
        return tuple(
            self._option(decision, f"{path}[{number}]", each) for number, each in enumerate(many)
        )

    def _data(self, given: Any) -> Any:
        if is_option(given):
            return given
        table = dict(given) if isinstance(given, Mapping) else {"source": given}
        if "name" in table:
            return self._option("source", "data", table)
        name = table.pop("source", None)
        if not isinstance(name, str):
            self._note("data", "it needs a source: a file, a data set's name, or an option.")
            return None
        try:
            return source_of(self._found(name), **table)
        except OptionError as error:
            place = "data" if error.parameter is None else f"data.{error.parameter}"
            self._note(place, error.problem or str(error))
        except CranfieldError as error:
            self._note("data", str(error))
        return None

    def _found(self, name: str) -> str:
        return found_beside(self._home, name)

    def _metrics(self, given: Any) -> tuple[Any, ...]:
        many = given if isinstance(given, list | tuple) else [given]
        if not many:
            self._note("metrics", "at least one is needed.")
        return tuple(
            metric
            for number, each in enumerate(many)
            for metric in self._metric(f"metrics[{number}]", each)
        )

    def _metric(self, path: str, given: Any) -> list[Any]:
        if isinstance(given, Mapping):
            return [self._option("metric", path, given)]
        if not isinstance(given, str) and not is_option(given):
            self._note(path, f"{shown(given)} is not a metric such as nDCG@10.")
            return []
        try:
            scored, listed = parse_metrics([given])
        except CranfieldError as error:
            self._note(path, str(error))
            return []
        return [*scored, *listed]

    def _systems(self, given: Any) -> Table:
        if not isinstance(given, Mapping):
            self._note("systems", 'it is not a table of names, as in kNN = "user-kNN(k=100)".')
            return Table()
        named = _named(given)
        return Table(
            {name: self._system(_path("systems", name), name, each) for name, each in named}
        )

    def _system(self, path: str, name: str, given: Any) -> Any:
        if isinstance(given, str | Mapping):
            return self._option("recommender", path, given)
        if isinstance(given, bool | int | float | list):
            self._note(path, f'{shown(given)} is not a recommender such as "user-kNN(k=100)".')
            return None
        try:
            return adapt(given, name=name)
        except CranfieldError as error:
            self._note(path, str(error))
            return None

    def _runs(self, given: Any) -> Table:
        if not isinstance(given, Mapping) or not all(isinstance(v, str) for v in given.values()):
            self._note("runs", 'it is not a table of files, as in mine = "mine.tsv".')
            return Table()
        for name, file in _named(given):
            if not Path(self._found(file)).is_file():
                self._note(_path("runs", name), f"there is no file {shown(file)}.")
        return Table({name: self._found(file) for name, file in _named(given)})

    def _targets(self, given: Any) -> Any:
        if isinstance(given, TargetChoice):
            return given
        if not isinstance(given, str):
            self._note(
                "targets", f'{shown(given)} is not a list such as "test-items, one-relevant".'
            )
            return None
        try:
            return parse_targets(given)
        except CranfieldError as error:
            self._note("targets", str(error))
            return None

    def _comparison(self, given: Any) -> Any:
        if isinstance(given, Compared) or not isinstance(given, Mapping):
            return self._part(Compared, "comparison", given)
        table = dict(given)
        if table.get("test") == FITTING:
            del table["test"]
        for name in ("test", "correction"):
            if name in table:
                table[name] = self._option(name, f"comparison.{name}", table[name])
        if "subsets" in table:
            table["subsets"] = self._part(Subsets, "comparison.subsets", table["subsets"])
        return self._part(Compared, "comparison", table, ready=("test", "correction", "subsets"))

    def _part(self, kind: Any, path: str, given: Any, ready: tuple[str, ...] = ()) -> Any:
        """A small table of plain values, such as that of users."""
        if isinstance(given, kind):
            return given
        known = {each.name for each in fields(kind)}
        if not isinstance(given, Mapping):
            self._note(path, f"{shown(given)} is not a table of {', '.join(sorted(known))}.")
            return None
        self._refuse_unknown(path, given, known)
        made = {
            name: value if name in ready else self._plain(kind, name, f"{path}.{name}", value)
            for name, value in given.items()
            if name in known
        }
        return None if self.problems else kind(**made)

    def _plain(self, kind: Any, name: str, path: str, value: Any) -> Any:
        """A number, a text or a word of a closed list."""
        hint = get_type_hints(kind)[name]
        try:
            return convert(value, hint, _BOUNDS.get(name, Bounds()), (kind.__name__, name), _none)
        except OptionError as error:
            self._note(path, error.problem or str(error))
            return None


_BOUNDS = {
    "seed": Bounds(at_least=0),
    "least_train": Bounds(at_least=0),
    "judged_share": Bounds(above=0, at_most=1),
    "alpha": Bounds(above=0, below=1),
    "power": Bounds(above=0, below=1),
    "share": Bounds(above=0, below=1),
    "rope": Bounds(at_least=0),
    "count": Bounds(at_least=1),
}


def _path(*steps: str) -> str:
    return path_text([step for step in steps if step])


def _named(given: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """The entries of a table; a name that YAML reads as a number is a name all the same."""
    return [(str(name), value) for name, value in given.items()]


def _none(hint: object, value: object, place: tuple[str, str]) -> None:
    """No nested option is expected."""
