"""An Experiment from a table, the way TOML and YAML hold it; all problems at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_args

from cranfield.base.checking.spelling import read_spelling, split_list, write_value
from cranfield.base.decisions import fold
from cranfield.base.errors import BadExperiment, BadSpelling, CranfieldError, shown
from cranfield.collection.tables.locations import names_files
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.paths import path_text
from cranfield.workbench.definition.side_tables import Quantiles, attribute_of

_WITH_FILES = (
    "data", "runs", "catalogue", "item_vectors", "item_labels", "user_columns", "by", "split",
    "split.train", "split.test", "judged_by", "judged_by.file", "aggregation",
    "aggregation.reference", "targets",
)  # fmt: skip
"""Decisions whose answers may name files."""

_OPTIONS = {
    "split": (("given",), ("train", "test")),
    "judged_by": (("random",), ("file",)),
    "aggregation": (("standardised", "standardized"), ("reference",)),
}
"""Of decisions that are options: which of these name files, and by which parameters."""


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
    given = {str(name): with_files(str(name), each, home) for name, each in table.items()}
    problems = list[tuple[str, str]]()
    try:
        made = Experiment(**given)
        if not made.metrics and not made.run_metrics:
            problems.append(("metrics", "at least one is needed, such as nDCG@10."))
    except CranfieldError as error:
        problems += error.problems
    problems += _missing_runs(given.get("runs"))
    if problems:
        raise BadExperiment(where, problems)
    return made


def _missing_runs(runs: Any) -> list[tuple[str, str]]:
    """Run files that are not there."""
    return [
        (path_text(["runs", str(name)]), f"there is no file {shown(file)}.")
        for name, file in (runs.items() if isinstance(runs, Mapping) else ())
        if isinstance(file, str) and not names_files(file)
    ]


def with_files(path: str, given: Any, home: Path | None) -> Any:
    """An answer whose files are named by where they are, if they stand beside the definition."""
    first = path.partition(".")[0]
    if home is None or (path if first in _OPTIONS else first) not in _WITH_FILES:
        return given
    if isinstance(given, list | tuple) and path != "aggregation.reference":  # names of systems
        return [with_files(path, each, home) for each in given]
    if path == "targets" or path in _OPTIONS:
        found = _targets_with_files if path == "targets" else partial(_option_with_files, path)
        return found(given, home)
    if isinstance(given, Mapping):
        names = set(given) if first == "runs" else {"source", "path", "table"}
        return {key: _beside(each, home) if key in names else each for key, each in given.items()}
    if first == "by" and isinstance(given, str):
        return _grouping_with_file(given, home)
    return _beside(given, home)


def _grouping_with_file(given: str, home: Path) -> str:
    """A grouping; one by an attribute has its file found."""
    if given.rpartition(":")[0] in ("", *get_args(Quantiles)):
        return given
    name = attribute_of(given)[0]
    return f"{_beside(name, home)}{given.removeprefix(name)}"


def _option_with_files(path: str, given: Any, home: Path) -> Any:
    """An option; one that names files is a table with these found."""
    names, with_file = _OPTIONS[path]
    table = given
    if isinstance(given, str):
        try:
            spelled = read_spelling(given)
        except BadSpelling:
            return given
        table = {"name": spelled.name, **spelled.named}
        if spelled.positional:
            return given
    if not isinstance(table, Mapping) or fold(str(table.get("name"))) not in names:
        return given
    return {key: _beside(each, home) if key in with_file else each for key, each in table.items()}


def _targets_with_files(given: Any, home: Path) -> Any:
    """A choice of targets; that of listed items with its file found."""
    if not isinstance(given, str):
        return given
    return ", ".join(_listed_with_file(word, home) for word in split_list(given))


def _listed_with_file(word: str, home: Path) -> str:
    try:
        spelled = read_spelling(word)
    except BadSpelling:
        return word
    if fold(spelled.name) != "listed" or set(spelled.named) != {"file"}:
        return word
    return f"{spelled.name}(file={write_value(_beside(spelled.named['file'], home))})"


def _beside(name: Any, home: Path) -> Any:
    """A file in a folder, or files, if there are any of that name; else what was given."""
    found = isinstance(name, str) and name and names_files(str(home / name))
    return str(home / name) if found else name
