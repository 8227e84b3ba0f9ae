"""Reproducing: run what a reproduction defines, and hold the paper's claims to our figures."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.collection.datasets import find_data_set
from cranfield.validity.bias.split_curves import split_curve
from cranfield.workbench import inventory
from cranfield.workbench.definition.designs import Universe
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study import Study, read_study
from cranfield.workbench.definition.table import with_answer
from cranfield.workbench.execution.experiments import execute
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.studies import execute_study
from cranfield.workbench.reproduction.records import labelled_rows
from cranfield.workbench.reproduction.reproduction import Claim, Panel, Reproduction, Show
from cranfield.workbench.results.frames import Frames, ask, frames_of, join_panels, ranked_counts
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.store.store import Store

HOLDS, IN_PART, FAILS = "holds", "holds in part", "does not hold here"
UNTESTED = "cannot be tested here"
PUBLISHED_VARIABLE = "CRANFIELD_PUBLISHED"


@dataclass(frozen=True, eq=False)
class Judgment:
    """A claim, whether it holds on our figures, and the figures.

    ``held`` of ``tested`` figures bear it out, and ``held_elsewhere`` of
    ``tested_elsewhere`` figures of data that stand in for the paper's, which do not count.
    """

    claim: Claim
    state: str
    held: int
    tested: int
    figures: pl.DataFrame
    held_elsewhere: int = 0
    tested_elsewhere: int = 0

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "says": self.claim.says,
            "state": self.state,
            "held": self.held,
            "tested": self.tested,
            "held_elsewhere": self.held_elsewhere,
            "tested_elsewhere": self.tested_elsewhere,
            **labelled_rows(self.figures, "figures"),
        }


@dataclass(frozen=True, eq=False)
class Shown:
    """Something to show, with its rows."""

    show: Show
    rows: pl.DataFrame


@dataclass(frozen=True, eq=False)
class Reproduced:
    """A reproduced table or figure: what is shown, and what holds of the claims.

    ``data`` names the data of each panel; those in ``stand_ins`` are not the paper's, so
    that nothing is reproduced by them. ``small`` means that all data are built in.
    """

    reproduction: Reproduction
    shown: tuple[Shown, ...]
    judgments: tuple[Judgment, ...]
    data: Mapping[str, str]
    stand_ins: tuple[str, ...]
    small: bool
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        made = self.reproduction
        return {
            "paper": made.paper,
            "item": made.item,
            "title": made.title,
            "data": [{"panel": name, "source": each} for name, each in self.data.items()],
            "stand_ins": list(self.stand_ins),
            "small": self.small,
            "differs": made.differs,
            "seconds": round(self.seconds, 1),
            "shows": [
                {
                    "title": each.show.title,
                    "kind": each.show.kind,
                    "x": each.show.x,
                    "y": each.show.y,
                    **labelled_rows(each.rows, "rows"),
                }
                for each in self.shown
            ],
            "claims": [each.to_dict() for each in self.judgments],
        }


def reproduce(
    made: Reproduction,
    store: Store,
    *,
    small: bool = False,
    workers: int | str | None = None,
) -> Reproduced:
    """Run every panel, by ``workers`` if there are any, then show and judge by what came out."""
    inventory.load()
    start = time.perf_counter()
    panels: dict[str, Frames] = {}
    data: dict[str, str] = {}
    stand_ins: list[str] = []
    for panel in made.panels[:1] if small else made.panels:
        name, answers, standing_in = _chosen(panel, made, small)
        with open_pipeline(store, workers) as pipeline:
            panels[name] = _run(made, answers, pipeline)
        data[name] = _source(answers, made)
        stand_ins += [name] if standing_in else []
    frames = join_panels(panels)
    frames["published"] = _published(made)
    for name, question in made.tables.items():
        frames[name] = ask(frames, question)
    return Reproduced(
        made,
        tuple(shown for show in made.shows for shown in _shown(show, ask(frames, show.select))),
        tuple(judge_claim(claim, frames, stand_ins) for claim in made.claims),
        data,
        tuple(stand_ins),
        small,
        time.perf_counter() - start,
    )


def _shown(show: Show, rows: pl.DataFrame) -> list[Shown]:
    """What a question gives; lines and bars of several panels as one picture for each."""
    if show.kind == "table" or "panel" not in rows.columns:
        return [Shown(show, rows)]
    return [
        Shown(replace(show, title=f"{show.title}, {panel}"), part.drop("panel"))
        for (panel,), part in rows.group_by("panel", maintain_order=True)
    ]


def _chosen(panel: Panel, made: Reproduction, small: bool) -> tuple[str, dict[str, Any], bool]:
    """The name and the answers of a panel, and whether it stands in for another.

    Data that nothing stands in for are fetched if they are missing.
    """
    if small:
        return panel.name, {**panel.answers, **made.small}, False
    answers = dict(panel.answers)
    if panel.stand_in is None or is_at_hand(_source(answers, made)):
        return panel.name, answers, False
    return panel.stand_in_name or panel.name, {**answers, **panel.stand_in}, True


def _source(answers: Mapping[str, Any], made: Reproduction) -> str:
    """The data as they are called, whatever else is said of them."""
    given = answers.get("data", made.definition.get("data"))
    return str(given["source"] if isinstance(given, Mapping) else given)


def is_at_hand(source: str) -> bool:
    """Whether data can be had: a known set only where it lies, anything else always."""
    known = find_data_set(source)
    return known is None or bool(known.find())


def _run(made: Reproduction, answers: Mapping[str, Any], pipeline: Pipeline) -> Frames:
    table: dict[str, Any] = dict(made.definition)
    for path, value in answers.items():
        table = with_answer(table, path, value)
    where = f"{made.name}.toml"
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


def judge_claim(claim: Claim, frames: Frames, stand_ins: Sequence[str] = ()) -> Judgment:
    """Whether a claim holds: in all rows of its test, in some, or in none.

    Rows of panels that stand in for the paper's data are counted apart.
    """
    rows = ask(frames, claim.test)
    known = rows.filter(pl.col("holds").is_not_null())
    elsewhere = pl.col("panel").is_in(list(stand_ins)) if "panel" in rows.columns else pl.lit(False)
    ours, others = known.filter(~elsewhere), known.filter(elsewhere)
    held = int(ours["holds"].sum())
    state = HOLDS if held == len(ours) and held else IN_PART if held else FAILS
    state = state if len(ours) else UNTESTED
    return Judgment(claim, state, held, len(ours), rows, int(others["holds"].sum()), len(others))


def _published(made: Reproduction) -> pl.DataFrame:
    """The numbers that the paper prints, and those that its authors published, if available."""
    rows = pl.DataFrame(list(made.published)) if made.published else pl.DataFrame({"value": []})
    folder = os.environ.get(PUBLISHED_VARIABLE)
    if made.published_file is None or folder is None:
        return rows
    path = Path(folder) / made.published_file
    return pl.read_csv(path) if path.is_file() else rows
