"""Experiments to test with: small ones on built-in data, as tables and as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from cranfield.scoring.scores import Scores
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study.study import Study, read_study

TABLE: dict[str, Any] = {
    "data": "simulated(size=tiny)",
    "split": "per-user(test_share=0.4)",
    "relevance": 4,
    "metrics": ["nDCG@5", "P@5"],
    "systems": {"Popularity": "Popularity", "Random": "Random", "kNN": "user-kNN(k=5)"},
    "comparison": {"test": "t"},
}
"""A run of a moment: 40 users, 50 items, 400 ratings."""


def table_of(**changes: Any) -> dict[str, Any]:
    """The table of the small experiment, with other answers; None takes one away.

    The t test goes with means: with another aggregation, the test is the one that fits.
    """
    if "aggregation" in changes:
        changes = {"comparison": None, **changes}
    return {name: value for name, value in {**TABLE, **changes}.items() if value is not None}


def experiment_of(**changes: Any) -> Experiment:
    """The small experiment, with other answers."""
    return read_table(table_of(**changes))


def study_of(study: dict[str, Any], **changes: Any) -> Study:
    """A study of the small experiment, with the test that fits where it varies the average."""
    if "aggregation" in study.get("vary", {}):
        changes = {"comparison": None, **changes}
    return read_study({**table_of(**changes), "study": study})


def file_of(folder: Path, name: str = "experiment.toml", **changes: Any) -> Path:
    """The small experiment as a file."""
    path = folder / name
    path.write_text(toml_text(table_of(**changes)), encoding="utf-8")
    return path


def same_scores(one: Scores, other: Scores) -> bool:
    """Whether two scores agree in every bit, and in whom and what they are of."""
    users = [each.user_ids.take(each.topics.users).to_list() for each in (one, other)]
    return (
        (one.systems, one.metrics) == (other.systems, other.metrics)
        and users[0] == users[1]
        and one.values.tobytes() == other.values.tobytes()
        and np.array_equal(one.covered, other.covered)
    )


def write_ratings(path: Path, rows: list[tuple[Any, Any, float]]) -> Path:
    """A file of ratings."""
    columns = zip(*rows, strict=True)
    names = ("user", "item", "rating")
    pl.DataFrame(dict(zip(names, map(list, columns), strict=True))).write_csv(path)
    return path
