"""Results read back are those that were written, to the last byte."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield
from cranfield.base.errors import CranfieldError, MissingFile, NotRecorded, UnreadableFile
from cranfield.base.serialisation.plain import plain
from cranfield.collection.ratings import Ratings
from cranfield.validity.assessment import Assessment
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import base_of, write_results
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from experiment_cases import experiment_of, same_scores, study_of, write_ratings
from noun_cases import HOSTILE

ROWS = [(f"u{u}", f"i{i}", float((u * i) % 5 + 1)) for u in range(12) for i in range(u % 3, 12, 2)]


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def again(made: Results | StudyResults, folder: Path) -> Results | StudyResults:
    """The results after writing and reading; written once more they give the same files."""
    write_results(made, folder / "once")
    read = read_results(folder / "once")
    write_results(read, folder / "twice")
    first, second = written(folder / "once"), written(folder / "twice")
    assert set(first) == set(second)
    for name, content in first.items():
        assert content == second[name], name
    return read


def same_table(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether two tables hold the same; NaN and null are both what is not known."""
    return one.columns == other.columns and bool(plain(one) == plain(other))


def assert_same(one: Results, other: Results) -> None:
    assert one.experiment == other.experiment
    assert one.failed == other.failed
    assert same_scores(one.scores, other.scores)
    assert one.summary.to_polars().equals(other.summary.to_polars())
    assert one.summary.choice == other.summary.choice
    assert plain(one.lists) == plain(other.lists)
    assert (one.notes, one.users) == (other.notes, other.users)
    assert one.unknown_random == other.unknown_random
    assert one.targets == other.targets
    assert [each.to_polars().to_dicts() for each in one.breakdowns] == [
        each.to_polars().to_dicts() for each in other.breakdowns
    ]
    if one.comparison is None or other.comparison is None:
        assert one.comparison is other.comparison
    else:
        assert one.comparison.to_dict() == other.comparison.to_dict(), "but for infinite numbers"
        assert np.array_equal(one.comparison.values, other.comparison.values, equal_nan=True)
        assert (one.comparison.choice, one.comparison.notes) == (
            other.comparison.choice, other.comparison.notes,
        )  # fmt: skip
    assert len(one.assessments) == len(other.assessments)
    for mine, theirs in zip(one.assessments, other.assessments, strict=True):
        assert_same_assessment(mine, theirs)


def assert_same_assessment(one: Assessment, other: Assessment) -> None:
    assert (one.criterion, one.reading, one.notes) == (other.criterion, other.reading, other.notes)
    assert plain(one.charts) == plain(other.charts)
    for mine, theirs in ((one.tables, other.tables), (one.details, other.details)):
        assert list(mine) == list(theirs)
        assert all(same_table(mine[name], theirs[name]) for name in mine if len(mine[name]))


CASES: dict[str, dict[str, Any]] = {
    "usual": {"title": "A title", "metrics": ["nDCG@5", "P@5", "Gini@5"], "seed": 3},
    "one system": {"systems": {"only": "Popularity"}, "comparison": None},
    "hostile names": {"title": HOSTILE, "systems": {HOSTILE: "Popularity", "b": "Random"}},
    "groups and criteria": {
        "by": ["activity:2", "popularity:2"], "assess": ["correlation", "discriminative-power"],
    },
    "one relevant": {"targets": "test-items, one-relevant, all-nonrelevant"},
    "segments": {"targets": "all-items, percentiles(m=2), all-nonrelevant"},
    "aliases": {"metrics": ["MRR@5", "HitRate@5"]},
    "nothing relevant": {"relevance": 6},
    "folds": {"split": "k-fold(folds=2)", "aggregation": "median"},
    "a baseline": {"comparison": {"test": "t", "baseline": "Random"}, "coverage": "common"},
    "a failed system": {
        "systems": {"a": "Popularity", "too many items": "EASE(most_items=1)", "b": "Random"},
    },
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_results_are_read_as_they_were_written(name: str, tmp_path: Path) -> None:
    made = execute(experiment_of(**CASES[name]))
    read = again(made, tmp_path)
    assert isinstance(read, Results)
    assert_same(made, read)


STUDIES: dict[str, dict[str, Any]] = {
    "crossed": {"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 200},
    "same designs": {"vary": {"coverage": ["full", "forgiving"], "cutoff": [3, 5]}, "draws": 200},
    "not tested": {"vary": {"cutoff": [3, 5]}, "draws": 0, "weights": {"cutoff": [1, 3]}},
    "together": {
        "together": {"way": {"a": {"relevance": 3}, "b": {"relevance": 4, "depth": 3}}},
        "vary": {"metric": ["P", "nDCG"]}, "draws": 100,
    },
    "repeated": {"vary": {"cutoff": [3, 5]}, "draws": 100, "repeat": {"split_seeds": 2}},
}  # fmt: skip


@pytest.mark.parametrize("name", STUDIES)
def test_studies_are_read_as_they_were_written(name: str, tmp_path: Path) -> None:
    made = execute_study(study_of(STUDIES[name]))
    read = again(made, tmp_path)
    assert isinstance(read, StudyResults)
    assert made.study == read.study
    assert_same(made.base, read.base)
    assert made.conclusion.to_dict() == read.conclusion.to_dict()
    assert made.conclusion.verdict == read.conclusion.verdict
    assert made.conclusion.pairs == read.conclusion.pairs
    for each in fields(made.designs):
        mine, theirs = getattr(made.designs, each.name), getattr(read.designs, each.name)
        if isinstance(mine, np.ndarray):
            assert np.array_equal(mine, theirs, equal_nan=True), each.name
        elif isinstance(mine, pl.DataFrame):
            assert mine.equals(theirs)
        else:
            assert mine == theirs, each.name
    assert plain(made.repeats) == plain(read.repeats)
    assert len(made.assessments) == len(read.assessments)
    for one, other in zip(made.assessments, read.assessments, strict=True):
        assert_same_assessment(one, other)


def test_a_study_is_read_with_what_criteria_say_of_its_designs(tmp_path: Path) -> None:
    asked = {"vary": {"relevance": [3, 4]}, "draws": 0, "assessed": "designs"}
    made = execute_study(study_of(asked, assess=["discriminative-power"]))
    read = again(made, tmp_path)
    assert isinstance(read, StudyResults)
    assert len(read.assessments) == 1
    assert_same_assessment(made.assessments[0], read.assessments[0])


def test_systems_and_data_made_in_python_are_known_by_name(tmp_path: Path) -> None:
    def mine(train: Ratings, users: Any) -> Any:
        return [train.item_counts] * len(users)

    users, items, values = (list(each) for each in zip(*ROWS, strict=True))
    ratings = Ratings.from_triples(users, items, values)
    made = execute(experiment_of(systems={"mine": mine, "Random": "Random"}))
    read = again(made, tmp_path / "one")
    assert base_of(read).experiment.names == ("mine", "Random")
    assert "made in Python" in execute(base_of(read).experiment).failed["mine"]
    run = {"user": ["u1", "u2"], "item": ["i1", "i2"], "score": [1.0, 2.0]}
    parts = cranfield.split(ratings, "per-user(test_share=0.4)")
    evaluated = execute(
        experiment_of(
            data=None, systems=None, runs={"mine": run, "other": run}, comparison=None,
            split=given_parts(parts.test, parts.train),
        )
    )  # fmt: skip
    asked = base_of(again(evaluated, tmp_path / "two")).experiment
    assert set(asked.runs) == {"mine", "other"}
    with pytest.raises(NotRecorded, match="given in Python"):
        execute(asked)


def test_files_that_are_gone_do_not_matter(tmp_path: Path) -> None:
    data = write_ratings(tmp_path / "ratings.csv", ROWS)
    made = execute(experiment_of(data=str(data), split="per-user(test_share=0.4)"))
    write_results(made, tmp_path / "out")
    data.unlink()
    assert_same(made, base_of(read_results(tmp_path / "out")))


def test_results_that_were_read_show_themselves(tmp_path: Path) -> None:
    made = execute(experiment_of())
    write_results(made, tmp_path / "out")
    read = base_of(read_results(tmp_path / "out"))
    assert repr(read) == repr(made)
    assert read._repr_html_() == made._repr_html_()
    assert read.to_latex() == made.to_latex()
    assert cranfield.compare(read).to_polars().equals(cranfield.compare(made).to_polars())


def test_what_a_folder_does_not_hold_is_refused_by_name(tmp_path: Path) -> None:
    write_results(execute(experiment_of()), tmp_path / "out")
    with pytest.raises(NotRecorded, match=r"has no judgments\. Run the experiment"):
        _ = base_of(read_results(tmp_path / "out")).judgments


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("written") / "out"
    write_results(execute_study(study_of(STUDIES["crossed"])), place)
    return place


@pytest.mark.parametrize("name", ["experiment.toml", "results.json", "scores.parquet",
                                  "designs.parquet"])  # fmt: skip
def test_a_missing_or_broken_file_is_named(name: str, folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    (place / name).write_text("[broken")
    with pytest.raises(CranfieldError, match=name):
        read_results(place)
    (place / name).unlink()
    with pytest.raises(MissingFile, match=name):
        read_results(place)


@pytest.mark.parametrize("path", [
    ("conclusion",), ("conclusion", "pair", "wins"), ("base", "systems"), ("base", "comparison"),
    ("base", "users", "users"), ("design_facts", "alpha"), ("base", "assessments"),
])  # fmt: skip
@pytest.mark.parametrize("value", [7.5, "text", {"other": 1}, [None]])
def test_a_record_of_something_else_is_refused(
    path: tuple[str, ...], value: Any, folder: Path, tmp_path: Path
) -> None:
    if (path, value) == (("design_facts", "alpha"), 7.5):
        return
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    record = json.loads((place / "results.json").read_text())
    inner = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    (place / "results.json").write_text(json.dumps(record))
    with pytest.raises(UnreadableFile, match=r"results\.json"):
        read_results(place)


def test_a_record_in_which_a_system_lacks_a_metric_is_refused(folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    record = json.loads((place / "results.json").read_text())
    next(iter(record["base"]["systems"].values())).popitem()
    (place / "results.json").write_text(json.dumps(record))
    with pytest.raises(UnreadableFile, match=r"results\.json"):
        read_results(place)


def test_what_is_not_known_stays_unknown(tmp_path: Path) -> None:
    made = execute(experiment_of(relevance=6))
    value = base_of(again(made, tmp_path)).summary.row("kNN", "P@5").value
    assert np.isnan([value, nan]).all() or value == 0
