"""Answers: what a user gives for a decision, read where its type alone does not say how."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base import options
from cranfield.base.checking.spelling import path_step, read_spelling
from cranfield.base.checking.values import all_of
from cranfield.base.decisions import Table
from cranfield.base.errors import (
    RUN_FORMS,
    BadParameter,
    InputError,
    OptionError,
    UnknownOption,
    shown,
)
from cranfield.base.options import from_table, fulfils
from cranfield.collection.source import InMemory, Source, in_memory, read_part, source_of
from cranfield.collection.split import Split, Splitter
from cranfield.collection.tables.columns import to_polars
from cranfield.collection.target_choice import TargetChoice, parse_targets
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.runs.objects import is_run_object, run_table
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.workbench.definition.side_tables import Grouping, parse_grouping


def read_source(given: Any) -> Source | None:
    """Where the ratings come from: a file, a data set's name, an option, or ratings in Python.

    These are `Ratings`, all ratings of a `Split`, or any table, alone or with its parameters:
    ``{"source": table, "duplicates": "last"}``. Ids without a rating are left out, as they
    would be if the same ratings came from a file.
    """
    if given is None or fulfils("source", given):
        return given  # type: ignore[no-any-return]
    table = {"source": given}
    if isinstance(given, Mapping) and not _is_table(given):
        table = dict(given)
    if "name" in table:
        return from_table("source", table)  # type: ignore[no-any-return]
    source = table.pop("source", None)
    if isinstance(source, str | Path):
        return source_of(source, **table)
    if source is None or isinstance(source, bool | int | float | list | tuple):
        raise OptionError(
            "it needs a source: a file, a data set's name, an option, or a table of ratings."
        )
    if unknown := sorted(set(table) - {"columns", "duplicates"}):
        known = "A table in Python has columns and duplicates"
        raise OptionError(f"{', '.join(unknown)}: it is for files. {known}.")
    whole = source.ratings if isinstance(source, Split) else source
    return InMemory(in_memory(whole, **table).ratings.compact())


def _is_table(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds columns of a table, rather than the parameters of a source."""
    named = "name" in given or "source" in given
    return not named and any(
        hasattr(each, "__len__") and not isinstance(each, str | Mapping) for each in given.values()
    )


def read_targets(given: Any) -> TargetChoice:
    """Which items are ranked, from its spelling."""
    if isinstance(given, TargetChoice):
        return given
    if not isinstance(given, str):
        raise OptionError(f'{shown(given)} is not a list such as "test-items, one-relevant".')
    return parse_targets(given)


def read_groupings(given: Any) -> tuple[Grouping, ...]:
    """Groups by which scores are broken down, from their spelling."""
    return _members("by", given, _grouping)


def _grouping(given: Any) -> Grouping:
    if isinstance(given, Grouping):
        return given
    if isinstance(given, Mapping):
        return Grouping(**given)
    if not isinstance(given, str):
        raise OptionError(f"{shown(given)} is not a grouping such as activity or FILE:COLUMN.")
    return parse_grouping(given)


def read_metrics(given: Any) -> tuple[Metric | RunMetric, ...]:
    """Metrics of topics and metrics of runs in one list, each once, from their spelling."""
    return tuple(dict.fromkeys(_members("metrics", given, _metric)))


def parse_metrics(given: Any) -> tuple[tuple[Metric, ...], tuple[RunMetric, ...]]:
    """Metrics of topics and metrics of runs, each once, from one list of both.

    >>> from cranfield.workbench import inventory
    >>> inventory.load("metric", "run-metric")
    >>> [len(part) for part in parse_metrics(["nDCG@10", "Gini@10", "RR"])]
    [2, 1]
    """
    found: tuple[Any, ...] = read_metrics(given)
    of_runs = tuple(each for each in found if each.decision == "run-metric")
    return tuple(each for each in found if each.decision == "metric"), of_runs


def _metric(given: Any) -> Any:
    if getattr(given, "decision", None) in ("metric", "run-metric"):
        return given
    if isinstance(given, str):
        return _spelled_metric(given)
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
        raise OptionError(f"{shown(given)} is not a metric such as nDCG@10.")
    return from_table(_kind_of_metric(given["name"]), given)


@lru_cache(1024)  # what a text spells stays the same, and so do metrics
def _spelled_metric(text: str) -> Any:
    return options.parse(_kind_of_metric(read_spelling(text).name), text)


def _kind_of_metric(name: str) -> str:
    """Whether a metric is one of topics or one of runs."""
    for decision in ("metric", "run-metric"):
        try:
            options.find(decision, name)
        except UnknownOption:
            continue
        return decision
    known = [*options.options("metric"), *options.options("run-metric")]
    raise UnknownOption("metric", name, known, parts=("metric", "run-metric"))


def read_systems(given: Any) -> Table:
    """Recommenders by name; those given in a list are called by their spelling."""
    if isinstance(given, Mapping):
        made = [(str(name), partial(_system, each, str(name))) for name, each in given.items()]
        paths = [(path_step(name), make) for name, make in made]
        found = all_of("systems", paths)
        return Table(zip((name for name, _ in made), found, strict=True))
    several = _members("systems", given, _system)
    named = Table({str(each): each for each in several})
    if len(named) < len(several):
        raise OptionError("two of them have the same name. Name them, as in {mine: …}.")
    return named


def _system(given: Any, name: str | None = None) -> Recommender:
    if isinstance(given, str | Mapping):
        return from_table("recommender", given)  # type: ignore[no-any-return]
    if given is None or isinstance(given, bool | int | float | list):
        raise OptionError(f'{shown(given)} is not a recommender such as "user-kNN(k=100)".')
    try:
        from cranfield.recommendation.adapter import adapt  # with all forms of models

        return adapt(given, name=name)
    except BadParameter as error:
        raise OptionError(error.problems[0][1]) from None


def _members(title: str, given: Any, read: Any) -> tuple[Any, ...]:
    """The members of a list, each read; what is no list is one of one."""
    if not isinstance(given, list | tuple):
        return (read(given),)
    made = ((f"[{number}]", partial(read, each)) for number, each in enumerate(given))
    return tuple(all_of(title, made))


def read_runs(given: Any) -> Table:
    """Ranked lists by name: files, tables, `Run` objects, and forms of other libraries."""
    if not isinstance(given, Mapping):
        raise OptionError(
            f"{shown(given)} is not a table of runs by their names, as in "
            'mine = "mine.tsv" (in Python: {"mine": "mine.tsv"}).'
        )
    made = ((path_step(str(name)), partial(_run, each)) for name, each in given.items())
    return Table(zip(map(str, given), all_of("runs", made), strict=True))


def _run(given: Any) -> Any:
    if given is None or isinstance(given, bool | int | float):
        raise OptionError(f"{shown(given)} is not a run: give {RUN_FORMS}.")
    if isinstance(given, Path):
        return str(given)
    if is_run_object(given):
        try:
            return run_table(given, "run")
        except InputError as error:
            raise OptionError(str(error).removeprefix("run: ")) from None
    # A stream can be read only once, and a lazy table would be computed at every look.
    streamed = hasattr(given, "__arrow_c_stream__") and not isinstance(given, pl.DataFrame)
    return to_polars(given, "run") if streamed or isinstance(given, pl.LazyFrame) else given


def given_parts(test: Any, train: Any = None) -> Splitter:
    """A split of two parts as they are: files by their names, tables, ratings, or a `Split`."""
    if isinstance(test, Split):
        test, train = test.test, test.train if train is None else train
    if isinstance(train, Split):
        train = train.train
    named = {"judgments": test, "train": train}  # as the verbs call them, in messages too
    test, train = (read_part(each, name) for name, each in named.items())
    made: Splitter = options.find("split", "given")(test=test, train=train)
    return made
