"""What goes into the store comes out of it as the same noun."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.storable import Undecodable
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.expectation.expectation import Expectation
from cranfield.testing.strategies import random_ratings
from cranfield.validity.assessment import Assessment, Chart, HeatMap, Line
from cranfield.workbench.store import encoding
from cranfield.workbench.store.entry import read_entry, write_entry
from cranfield.workbench.store.store import Coding, Entry
from hit_cases import Ranking, hits_of


def through_a_file(entry: Entry, folder: Path) -> Entry:
    path = folder / "a.entry"
    write_entry(path, "kind", {}, entry)
    return read_entry(path, "kind", {})


def same(one: Any, other: Any) -> bool:
    """Whether two nouns agree in every field, array by array."""
    for each in fields(one):
        a, b = getattr(one, each.name), getattr(other, each.name)
        if isinstance(a, Topics):
            if not same(a, b):
                return False
        elif isinstance(a, np.ndarray):
            if a.dtype != b.dtype or not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                return False
        elif a != b:
            return False
    return True


def targets_of(topics: Topics, n_items: int = 9, population: Any = None) -> Any:
    """All that codings ask of targets."""
    train = SimpleNamespace(n_items=n_items)
    return SimpleNamespace(topics=topics, train=train, population=population)


def again(coding: Coding[Any], noun: Any, folder: Path) -> Any:
    return coding.decode(through_a_file(coding.encode(noun), folder))


def test_hits_know_what_their_targets_are_a_sample_of(tmp_path: Path) -> None:
    hits = hits_of([Ranking((5.0, None)), Ranking((4.0,))])
    sizes = np.array([7, 9])
    coding = encoding.hits_coding(targets_of(hits.topics, population=sizes))
    found = again(coding, replace(hits, population=np.array([1, 1])), tmp_path)
    assert found.population is sizes


@pytest.mark.parametrize(
    "rankings",
    [
        [Ranking((5.0, None, 3.0), unranked=(4.0,), others=2), Ranking((None,))],
        [Ranking((4.0, 2.0), ties=(2,))],
        [Ranking(())],
    ],
)
def test_hits_come_back(rankings: list[Ranking], tmp_path: Path) -> None:
    hits = replace(hits_of(rankings), lists=None)
    coding = encoding.hits_coding(targets_of(hits.topics))
    assert same(hits, again(coding, hits, tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        {"items": np.array([9, 0], np.int32)},
        {"items": np.array([-1, 0], np.int32)},
        {"ranks": np.array([1, 10], np.int32)},
        {"ranks": np.array([1, 2, 3], np.int32)},
        {"ratings": np.array([[4.0, 2.0]])},
        {"offsets": np.array([0, 3])},
        {"offsets": np.array([1, 2])},
        {"offsets": np.array([0, 1, 2])},
        {"offsets": np.array([0, 2], np.int32)},
        {"lengths": np.array([-1])},
        {"targets": np.array([2, 2])},
    ],
    ids=str,
)
def test_hits_that_point_outside_of_their_arrays_are_refused(change: dict[str, Any]) -> None:
    hits = replace(hits_of([Ranking((4.0, 2.0))]), lists=None)
    coding = encoding.hits_coding(targets_of(hits.topics))
    coding.decode(coding.encode(hits))
    with pytest.raises(Undecodable):
        coding.decode(coding.encode(replace(hits, **change)))


def a_run(segments: list[int] | None = None) -> Run:
    held = None if segments is None else np.array(segments, dtype=np.int32)
    return Run(
        system="mine",
        topics=Topics(np.array([3, 8], dtype=np.int32), segments=held),
        offsets=np.array([0, 2, 3], dtype=np.int64),
        items=np.array([5, 1, 2], dtype=np.int32),
        predictions=np.array([0.5, 0.5, np.nan]),
        tied=np.array([2, 0]),
    )


@pytest.mark.parametrize("segments", [None, [0, 1]])
def test_runs_come_back_under_any_name(segments: list[int] | None, tmp_path: Path) -> None:
    run = a_run(segments)
    targets = targets_of(run.topics)
    assert same(run, again(encoding.run_coding(targets, "mine"), run, tmp_path))
    assert again(encoding.run_coding(targets, "other"), run, tmp_path).system == "other"


@pytest.mark.parametrize("items", [[5, 1, 9], [5, -1, 2], [5, 1]])
def test_runs_of_items_that_there_are_not_are_refused(items: list[int]) -> None:
    run = a_run()
    coding = encoding.run_coding(targets_of(run.topics), "mine")
    with pytest.raises(Undecodable):
        coding.decode(coding.encode(replace(run, items=np.array(items, np.int32))))


def test_expectations_come_back(tmp_path: Path) -> None:
    made = Expectation(
        ("P@5", "RBP(p=0.8)"),
        np.array([[0.1, np.nan, 0.4], [0.2, 0.3, 0.5]]),
        np.array([[1.0, 1.0, 1.0], [0.9, np.nan, 1.0]]),
        (False, True),
        (0.0, 0.01),
    )
    assert same(made, again(encoding.expectation_coding(2, 3), made, tmp_path))
    with pytest.raises(Undecodable):
        again(encoding.expectation_coding(3, 2), made, tmp_path)


def test_assessments_come_back(tmp_path: Path) -> None:
    chart = Chart("title", "x", "y", (Line("a", (0.0, 1.0), (0.5, 0.25)),))
    heat = HeatMap("title", ("a",), ("b",), ((float("nan"),),))
    figures = pl.DataFrame(
        {
            "metric": ["P", None],
            "τ": [0.1 + 0.2, float("nan")],
            "pairs": [3, None],
            "ok": [True] * 2,
        }
    )
    made = Assessment(
        criterion="c",
        reading="So it is.",
        tables={"figures": figures},
        details={"none": figures.clear()},
        decisions={"draws": 3, "options": {"alpha": 0.05, "steps": [1, 2], "ends": (3,)}},
        charts=(chart, heat),
        notes=("Mind the gap.",),
    )
    found = again(encoding.object_coding(Assessment), made, tmp_path)
    assert found.tables["figures"].equals(figures)
    assert found.details["none"].schema == figures.schema
    assert found.decisions == made.decisions
    assert json.dumps(found.to_dict()) == json.dumps(made.to_dict())
    assert (found.charts[0], found.charts[1].rows, found.notes) == (chart, heat.rows, made.notes)


def test_an_entry_of_another_noun_is_refused() -> None:
    entry = encoding.object_coding(Chart).encode(Chart("title", "x", "y", ()))
    with pytest.raises(Undecodable, match="it holds Chart"):
        encoding.object_coding(Assessment).decode(entry)
    with pytest.raises(Undecodable):
        encoding.predictor_coding(random_ratings(4, 5, 0.5)).decode(entry)
