"""What goes into the store comes out of it as the same noun."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.expectation import Expectation
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.workbench.store import encoding
from cranfield.workbench.store.entry import read_entry, write_entry
from cranfield.workbench.store.store import Entry
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
    assert same(hits, encoding.decode_hits(through_a_file(encoding.encode_hits(hits), tmp_path)))


@pytest.mark.parametrize("segments", [None, [0, 1]])
def test_runs_come_back_under_any_name(segments: list[int] | None, tmp_path: Path) -> None:
    held = None if segments is None else np.array(segments, dtype=np.int32)
    run = Run(
        system="mine",
        topics=Topics(np.array([3, 8], dtype=np.int32), segments=held),
        offsets=np.array([0, 2, 3], dtype=np.int64),
        items=np.array([5, 1, 2], dtype=np.int32),
        predictions=np.array([0.5, 0.5, np.nan]),
        tied=np.array([True, True, False]),
    )
    again = encoding.decode_run(through_a_file(encoding.encode_run(run), tmp_path), "mine")
    assert same(run, again)
    assert encoding.decode_run(encoding.encode_run(run), "other").system == "other"


def test_expectations_come_back(tmp_path: Path) -> None:
    made = Expectation(
        ("P@5", "RBP(p=0.8)"),
        np.array([[0.1, np.nan], [0.2, 0.3]]),
        np.array([[1.0, 1.0], [0.9, np.nan]]),
        (False, True),
        (0.0, 0.01),
    )
    again = encoding.decode_expectation(through_a_file(encoding.encode_expectation(made), tmp_path))
    assert same(made, again)


def test_assessments_come_back(tmp_path: Path) -> None:
    chart = Chart("title", "x", "y", (Line("a", (0.0, 1.0), (0.5, 0.25)),))
    made = Assessment(criterion="c", reading="So it is.", tables={}, decisions={}, charts=(chart,))
    entry = through_a_file(encoding.encode_object("assessment", made), tmp_path)
    again = encoding.decode_object("assessment", entry)
    assert again.to_dict() == made.to_dict()
    assert again.charts == (chart,)
