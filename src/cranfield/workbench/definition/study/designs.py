"""The designs of a study: every combination of answers, as an experiment to be run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.checking.spelling import read_spelling
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadExperiment, OptionError
from cranfield.base.options import find, from_table, parameters, to_table, written
from cranfield.base.seeds import Seeds
from cranfield.scoring.metric import Metric
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.paths import path_steps, path_text
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study.design_answers import (
    answer_column,
    same_answer,
    shown_answer,
)
from cranfield.workbench.definition.study.study import Answers, Study
from cranfield.workbench.definition.table import value_at, with_answer, write_table

_BASE = "base"
_AFTER = ("undefined", "aggregation", "coverage", "comparison")
"""Decisions that are taken after the scores of topics: they need no ranking of their own."""


@dataclass(frozen=True, eq=False)
class Design:
    """One answer to every varied decision; the experiment has a single metric.

    ``answers`` are as shown to readers; None where a decision does not apply. Designs
    with equal ``cell`` share their rankings.
    """

    answers: Mapping[str, str | float | None]
    experiment: Experiment
    cell: Experiment

    @property
    def metric(self) -> Metric:
        """The one metric of the design."""
        return self.experiment.metrics[0]


class Universe:
    """All designs of a study, each once, in the order of their answers."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._table = write_table(study.base)
        self._experiments: dict[str, Experiment] = {}
        self._metrics: dict[str, tuple[Metric, tuple[str, ...]]] = {}

    @cached_property
    def designs(self) -> list[Design]:
        """The designs that are tried."""
        found: dict[tuple[object, ...], Design] = {}
        problems: dict[tuple[str, str], None] = {}
        for chosen in self._chosen():
            try:
                design = self._design(chosen)
            except BadExperiment as error:
                problems |= {(self._place(path, chosen), why): None for path, why in error.problems}
            else:
                found.setdefault((design.experiment,), design)
        if problems:
            raise BadExperiment(self._study.where, list(problems))
        return list(found.values())

    def _place(self, problem: str, chosen: Mapping[str, tuple[Any, Answers]]) -> str:
        """Where the answer stands that a problem comes from."""
        for factor, (shown, sets) in chosen.items():
            for path in sets:
                if problem == path or problem.startswith((f"{path}.", f"{path}[")):
                    named = path_text([factor, str(shown)])
                    together = factor in self._study.together
                    return f"study.together.{named}.{problem}" if together else _varying(problem)
        return _varying(problem)

    @cached_property
    def base(self) -> int | None:
        """The place of the design whose decisions are those of the base."""
        wanted = self._study.base.with_metrics(self._study.base.metrics[:1])
        wanted = replace(wanted, run_metrics=())
        places = [at for at, each in enumerate(self.designs) if each.experiment == wanted]
        return places[0] if places else None

    def decisions(self) -> pl.DataFrame:
        """A row per design and a column per varied decision."""
        return pl.DataFrame(
            {
                factor: answer_column([each.answers[factor] for each in self.designs])
                for factor in self._study.factors
            }
        )

    def weights(self) -> npt.NDArray[np.float64] | None:
        """How much each design counts by the weights of its answers; None without any."""
        if not self._study.weights:
            return None
        weighed: dict[str, dict[Any, float]] = {
            factor: {shown: weight for (shown, _), weight in zip(self._answers_of(factor), given,
                                                                 strict=True)}
            for factor, given in self._study.weights.items()
        }  # fmt: skip
        return np.array(
            [
                np.prod([known.get(each.answers[factor], 1.0) for factor, known in weighed.items()])
                for each in self.designs
            ]
        )

    def _answers_of(self, factor: str) -> list[tuple[str, Answers]]:
        """The answers of one factor: how each is shown, and what it sets."""
        if factor in self._study.together:
            return list(self._study.together[factor].items())
        return [(shown_answer(factor, each), {factor: each}) for each in self._study.vary[factor]]

    def _chosen(self) -> Iterator[dict[str, tuple[Any, Answers]]]:
        """Combinations of answers, factor by factor."""
        factors = self._study.factors
        every = {factor: self._answers_of(factor) for factor in factors}
        if self._study.way == "one-at-a-time":
            base = {factor: self._base_answer(factor, every[factor]) for factor in factors}
            yield base
            for factor in factors:
                yield from ({**base, factor: answer} for answer in every[factor])
            return
        total = prod(len(answers) for answers in every.values())
        wanted = set(range(total))
        if self._study.share < 1:
            drawn = Seeds(self._study.base.seed).words("study", "share", size=total)
            kept = max(1, round(self._study.share * total))
            wanted = set(np.argsort(drawn, kind="stable")[:kept].tolist())
        for number, answers in enumerate(product(*every.values())):
            if number in wanted:
                yield dict(zip(factors, answers, strict=True))

    def _base_answer(self, factor: str, answers: list[tuple[str, Answers]]) -> tuple[str, Answers]:
        """The answer that the base gives; it need not be among those of the study."""
        if factor in self._study.together:
            for shown, sets in answers:
                if all(
                    same_answer(self._base_value(path), shown_answer(path, value))
                    for path, value in sets.items()
                ):
                    return shown, sets
            return _BASE, {}
        value = self._base_value(factor)
        base = shown_answer(factor, value)
        same = [(shown, sets) for shown, sets in answers if same_answer(base, shown)]
        return same[0] if same else (base, {factor: value})

    def _base_value(self, path: str) -> Any:
        name = _metric_parameter(path)
        if name is None:
            return value_at(self._table, path)
        table = to_table(self._study.base.metrics[0])
        if name == "":
            return str(from_table("metric", {k: v for k, v in table.items() if k != "cutoff"}))
        return table.get(name)

    def _design(self, chosen: Mapping[str, tuple[Any, Answers]]) -> Design:
        changes = {path: v for _, sets in chosen.values() for path, v in sets.items()}
        before = {path: v for path, v in changes.items() if not _is_after(path)}
        cell = self._experiment({p: v for p, v in before.items() if _metric_parameter(p) is None})
        whole = self._experiment({p: v for p, v in changes.items() if _metric_parameter(p) is None})
        metric, absent = self._metric({p: v for p, v in changes.items() if _is_metric(p)})
        answers = {
            factor: None if factor in absent else shown for factor, (shown, _) in chosen.items()
        }
        return Design(answers, replace(whole, metrics=(metric,), run_metrics=()), cell)

    def _experiment(self, changes: Answers) -> Experiment:
        """The base with some answers changed; made once for equal answers."""
        key = json.dumps(changes, sort_keys=True, default=str)
        if key not in self._experiments:
            table: dict[str, Any] = dict(self._table)
            for path, value in sorted(changes.items(), key=_depth):
                try:
                    table = with_answer(table, path, value)
                except OptionError as error:
                    raise BadExperiment("study", [(path, str(error))]) from None
            given = _with_changed(self._study.base, table, changes)
            self._experiments[key] = read_table(given, "study.vary", self._study.home)
        return self._experiments[key]

    def _metric(self, changes: Answers) -> tuple[Metric, tuple[str, ...]]:
        """The base's metric with some answers changed, and those that do not apply to it."""
        key = json.dumps(changes, sort_keys=True, default=str)
        if key not in self._metrics:
            try:
                self._metrics[key] = _varied(self._study.base.metrics[0], changes)
            except OptionError as error:
                told = [(_blamed(path, changes), text) for path, text in error.problems]
                raise BadExperiment("study", told) from None
        return self._metrics[key]


def _varied(metric: Any, changes: Answers) -> tuple[Metric, tuple[str, ...]]:
    table = dict(to_table(metric))
    if "metric" in changes:
        spelled = read_spelling(str(changes["metric"]))
        if spelled.positional:
            raise OptionError(f"{spelled}: name its parameters, as in RBP(p=0.8).")
        mine = {"cutoff": table.get("cutoff")} if table.get("cutoff") is not None else {}
        own = {} if spelled.cutoff is None else {"cutoff": spelled.cutoff}
        known = _known(spelled.name)
        table = {"name": spelled.name, **{k: v for k, v in mine.items() if k in known}}
        table |= {**spelled.named, **own}
    known, absent = _known(str(table["name"])), []
    for path, value in changes.items():
        name = _metric_parameter(path)
        if not name:
            continue
        if name in known:
            table[name] = value
        else:
            absent.append(path)
    return from_table("metric", table), tuple(absent)


def _blamed(parameter: str, changes: Answers) -> str:
    """The path of the answer that a metric cannot take: the metric's own if no other is."""
    named = [path for path in changes if _metric_parameter(path) == parameter.partition(".")[0]]
    return named[0] if named else "metric" if "metric" in changes else next(iter(changes))


def _known(metric: str) -> set[str]:
    return {written(each.name) for each in parameters(find("metric", metric))}


def _metric_parameter(path: str) -> str | None:
    """The parameter of the metric that a path means; empty for the metric itself."""
    if path in ("cutoff", "gain"):
        return path
    first, _, rest = path.partition(".")
    return rest if first == "metric" else None


def _varying(path: str) -> str:
    return f"study.vary.{path}" if path else "study.vary"


def _depth(change: tuple[str, Any]) -> int:
    """Whole decisions are answered before their parameters."""
    return len(path_steps(change[0]))


def _is_metric(path: str) -> bool:
    return _metric_parameter(path) is not None


def _is_after(path: str) -> bool:
    return path.partition(".")[0] in _AFTER


def _with_changed(base: Experiment, table: Mapping[str, Any], changes: Answers) -> dict[str, Any]:
    """The decisions of the base, those that were changed as a table has them.

    The others stay the objects that they are: tables and models have no text to be read from.
    """
    given = {each.name: getattr(base, each.name) for each in fields(base)}
    for first, *rest in map(path_steps, changes):
        if first in ("systems", "runs") and rest:
            given[first] = {**given[first], rest[0]: table[first][rest[0]]}
        else:
            given[first] = table[first]
    return given
