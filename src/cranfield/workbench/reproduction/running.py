"""Running: the experiment of a table or figure on each of its data sets, as tables to ask."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.collection.datasets import find_data_set
from cranfield.validity.bias.split_curves import split_curve
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import Study, read_study
from cranfield.workbench.definition.table import with_answer
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.reproduction.reproduction import Answers, Panel, Reproduction
from cranfield.workbench.results.frames import Frames, ask, frames_of, join_panels, ranked_counts
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.store.store import Store

_SOURCES = re.compile(r'\b(?:FROM|JOIN)\s+"?([A-Za-z_]\w*)', re.IGNORECASE)
_NAMING = ("metric", "other")
"""Columns that name metrics."""


@dataclass(frozen=True)
class Edition:
    """How a table or figure is run: small or whole, by which store and workers."""

    store: Store
    small: bool = False
    workers: int | str | None = None


@dataclass(frozen=True, eq=False)
class Figures:
    """The tables of one draw; ``data`` names those of each panel, ``stand_ins`` the others'."""

    frames: Frames
    data: dict[str, str] = field(default_factory=dict)
    stand_ins: tuple[str, ...] = ()

    @property
    def only_panel(self) -> str:
        """The one data set that is the paper's; none if there are several."""
        own = [name for name in self.data if name not in self.stand_ins]
        return own[0] if len(own) == 1 else ""


def run_figures(
    made: Reproduction,
    edition: Edition,
    changes: Answers,
    later: int = 0,
    without: str = "",
    *,
    stand_ins: bool = True,
) -> Figures:
    """Run every panel with some answers changed, and name metrics as the questions do.

    Seeds are ``later`` by so much than those of the definition and of its panels. A system
    may be left out, and so may data that stand in for the paper's.
    """
    panels: dict[str, Frames] = {}
    data: dict[str, str] = {}
    standing: list[str] = []
    for name, answers, standing_in in chosen_panels(made, edition.small):
        if standing_in and not stand_ins:
            continue
        drawn = answers_of_draw(answers, made, later, edition.small)
        asked = answered(made, {**drawn, **changes})
        with open_pipeline(edition.store, edition.workers) as pipeline:
            panels[name] = _run(made.name, _without(asked, without), pipeline)
        data[name] = source_of(answers, made)
        standing += [name] if standing_in else []
    return Figures(called(join_panels(panels), made.called), data, tuple(standing))


def answers_of_draw(
    answers: Answers, made: Reproduction, later: int, small: bool = False
) -> dict[str, Any]:
    """The answers of a panel in a draw: a later one has its own seed, and may have fewer designs.

    The small edition has all designs in every draw.
    """
    if not later:
        return dict(answers)
    fewer = {} if small else made.later
    return {**answers, **fewer, "seed": answers.get("seed", first_seed(made)) + later}


def first_seed(made: Reproduction) -> int:
    """The seed of the first draw."""
    return int(made.definition.get("seed", 0))


def with_tables(frames: Frames, made: Reproduction) -> Frames:
    """The tables with the printed numbers, and with those that the reproduction defines of them."""
    rows = pl.DataFrame(list(made.published)) if made.published else pl.DataFrame({"value": []})
    found = {**frames, "published": rows}
    for name, question in made.tables.items():
        if is_answerable(question, found):
            found[name] = ask(found, question)
    return found


def is_answerable(question: str, frames: Frames) -> bool:
    """Whether there are all tables that a question asks.

    >>> is_answerable("SELECT 1 FROM here JOIN there", {"here": pl.DataFrame()})
    False
    """
    return set(_SOURCES.findall(question)) <= set(frames)


def called(frames: Frames, names: Mapping[str, str]) -> Frames:
    """The tables with other names for some metrics, in their cells and in their columns."""
    if not names:
        return frames
    found = {}
    for kind, table in frames.items():
        known = [name for name in _NAMING if name in table.columns]
        renamed = table.with_columns(pl.col(name).replace(dict(names)) for name in known)
        found[kind] = renamed.rename({key: names[key] for key in table.columns if key in names})
    return found


def chosen_panels(made: Reproduction, small: bool) -> list[tuple[str, dict[str, Any], bool]]:
    """The name and the answers of each panel, and whether it stands in for another."""
    panels = made.panels[:1] if small else made.panels
    return [choose_panel(panel, made, small) for panel in panels]


def choose_panel(panel: Panel, made: Reproduction, small: bool) -> tuple[str, dict[str, Any], bool]:
    """The name and the answers of a panel, and whether it stands in for another.

    Data that nothing stands in for are fetched if they are missing.
    """
    if small:
        return panel.name, {**panel.answers, **made.small}, False
    answers = dict(panel.answers)
    if panel.stand_in is None or is_at_hand(source_of(answers, made)):
        return panel.name, answers, False
    return panel.stand_in_name or panel.name, {**answers, **panel.stand_in}, True


def source_of(answers: Mapping[str, Any], made: Reproduction) -> str:
    """The data as they are called, whatever else is said of them."""
    given = answers.get("data", made.definition.get("data"))
    return str(given["source"] if isinstance(given, Mapping) else given)


def is_at_hand(source: str) -> bool:
    """Whether data can be had: a known set only where it lies, anything else always."""
    known = find_data_set(source)
    return known is None or bool(known.find())


def answered(made: Reproduction, answers: Answers) -> dict[str, Any]:
    """The table of the definition with some answers."""
    table: dict[str, Any] = dict(made.definition)
    for path, value in answers.items():
        table = with_answer(table, path, value)
    return table


def _without(table: dict[str, Any], system: str) -> dict[str, Any]:
    systems = {name: each for name, each in table["systems"].items() if name != system}
    return {**table, "systems": systems} if system else table


def systems_of(made: Reproduction, small: bool) -> list[str]:
    """The systems of which one can be left out: none where a study compares a pair."""
    table = first_table(made, small)
    return [] if "study" in table else list(table["systems"])


def first_table(made: Reproduction, small: bool) -> dict[str, Any]:
    """The definition of the first panel."""
    return answered(made, choose_panel(made.panels[0], made, small)[1])


def _run(name: str, table: dict[str, Any], pipeline: Pipeline) -> Frames:
    where = f"{name}.toml"
    found: Results | StudyResults
    by_data: Frames = {}
    if "study" in table:
        study = read_study(table, where)
        found, base = execute_study(study, pipeline), study.base
        by_data = _popularity_by_data(study, pipeline)
    else:
        base = read_table(table, where)
        found = execute(base, pipeline)
    data = pipeline.prepare(base)
    assert data.ratings is not None  # every reproduction names its data
    split = split_curve(data.ratings, [fold.test for fold in data.folds], base.relevance)
    return {**frames_of(found, data.ratings), "split": split.to_polars(), **by_data}


def _popularity_by_data(study: Study, pipeline: Pipeline) -> Frames:
    """``popularity_by_data``: the items of all data that a study varies, by popularity."""
    varied = [factor for factor in study.factors if factor.partition(".")[0] == "data"]
    if not varied:
        return {}
    answers = {
        tuple(design.answers[factor] for factor in varied): design.experiment
        for design in Universe(study).designs
    }
    tables = []
    for given, experiment in answers.items():
        ratings = pipeline.prepare(experiment).ratings
        assert ratings is not None
        named = {name: pl.lit(each) for name, each in zip(varied, given, strict=True)}
        tables.append(ranked_counts(ratings.item_counts).with_columns(**named))
    return {"popularity_by_data": pl.concat(tables)}
