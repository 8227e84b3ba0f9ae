"""Results are recomputed and compared, figure by figure; what was touched is found."""

from __future__ import annotations

import json
import re
import shutil
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import (
    CranfieldError,
    FingerprintMismatch,
    MissingFile,
    OtherData,
    UnreadableFile,
    Unverified,
)
from cranfield.workbench.api import verify
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.files import write_results
from cranfield.workbench.results.verify import differences
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of
from suites import spread, tries

RECORDS = st.recursive(
    st.none() | st.integers(0, 2) | st.sampled_from(["a", "b"]),
    lambda inner: st.dictionaries(st.sampled_from("xyz"), inner, max_size=3) | st.lists(inner),
    max_leaves=6,
)


@settings(deadline=None, max_examples=tries(60))
@given(RECORDS, RECORDS)
def test_records_differ_exactly_where_they_are_not_equal(one: Any, other: Any) -> None:
    assert differences(one, deepcopy(one)) == []
    assert bool(differences(one, other)) == (_without_none(one) != _without_none(other))
    assert sorted(differences(one, other)) == sorted(differences(other, one))


def _without_none(record: Any) -> Any:
    """A name that holds nothing is as good as no name."""
    if not isinstance(record, dict):
        return record
    return {key: _without_none(value) for key, value in record.items() if value is not None}


def test_the_paths_of_differences_are_told() -> None:
    one = {"a": {"b": 1, "c": [1, 2]}, "d": 3}
    other = {"a": {"b": 2, "c": [1, 3]}, "e": 3}
    assert differences(one, other) == ["a.b", "a.c", "d", "e"]


def test_time_and_versions_may_differ() -> None:
    assert differences({"seconds": 1, "base": {"versions": {}}}, {"seconds": 2, "base": {}}) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("verified") / "out"
    write_results(execute(experiment_of(metrics=["P@5"])), place, charts=("svg",))
    return place


def touched(folder: Path, tmp_path: Path, name: str, content: bytes) -> Path:
    """The results with one file replaced."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.long
def test_results_that_nobody_touched_are_verified(folder: Path) -> None:
    weighing = "propensity=none, estimator=snips(clip=0, over=judged)"
    assert verify(folder).to_dict()["decisions"]["metrics"] == [
        f"P(relevance=none, {weighing}, unjudged=non-relevant, correction=none, as=none)@5"
    ]


def test_a_figure_that_was_changed_is_found(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "results.json").read_text())
    record["systems"]["kNN"]["P@5"]["value"] += 0.0001
    place = touched(folder, tmp_path, "results.json", json.dumps(record).encode())
    with pytest.raises(Unverified, match=r"systems\.kNN\.P@5\.value"):
        verify(place)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    spread(
        ["tables.tex", "methods.txt", "charts/coverage.svg", "experiment.toml", "report.html"],
        every=4,
    ),
)
def test_any_file_that_was_changed_is_found(folder: Path, tmp_path: Path, name: str) -> None:
    chart = next(iter(sorted((folder / "charts").iterdir())))
    changed = f"charts/{chart.name}" if name.startswith("charts") else name
    content = (folder / changed).read_bytes()
    with pytest.raises(Unverified, match=rf"differ in {re.escape(changed)}\.$"):
        verify(touched(folder, tmp_path, changed, content + b"\n"))
    (tmp_path / changed).unlink()
    if not name.startswith("charts"):  # charts are compared if there are any
        with pytest.raises(MissingFile, match=re.escape(changed)):
            verify(tmp_path)


@pytest.mark.long
def test_a_score_that_no_figure_depends_on_is_compared(folder: Path, tmp_path: Path) -> None:
    scores = pl.read_parquet(folder / "scores.parquet").with_columns(pl.col("judged") + 1)
    place = touched(folder, tmp_path, "methods.txt", (folder / "methods.txt").read_bytes())
    scores.write_parquet(place / "scores.parquet")
    with pytest.raises(Unverified, match=r"differ in scores\.parquet\."):
        verify(place)


def test_other_versions_and_times_make_no_difference(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "results.json").read_text())
    made = execute(experiment_of(metrics=["P@5"]))
    versions = {**made.versions, "polars": "0.0.1", "cranfield": "0.0.2"}
    seconds = dict.fromkeys(made.seconds, 1.2345)
    write_results(replace(made, versions=versions, seconds=seconds), tmp_path / "older")
    assert json.loads((tmp_path / "older" / "results.json").read_text()) != record
    assert "0.0.2" in (tmp_path / "older" / "methods.txt").read_text()
    verify(tmp_path / "older")


@pytest.mark.long
def test_what_differs_is_told_with_the_versions_that_made_it(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "results.json").read_text())
    record["versions"]["scipy"] = "1.0.3"
    record["versions"]["numpy"] = 3
    record["seed"] += 1
    place = touched(folder, tmp_path, "results.json", json.dumps(record).encode())
    told = rf"which may be why: scipy 1\.0\.3 \(here {scipy.__version__}\)\.$"
    with pytest.raises(Unverified, match=told):
        verify(place)


def test_results_of_stages_that_were_cached_are_verified(tmp_path: Path) -> None:
    """Only their seconds are lacking."""
    asked = experiment_of(metrics=["P@5"])
    for name in ("first", "cached"):
        write_results(execute(asked, Pipeline(Store(tmp_path / "store"))), tmp_path / name)
    seconds = [
        json.loads((tmp_path / name / "results.json").read_text())["seconds"]
        for name in ("first", "cached")
    ]
    assert "fitting" in seconds[0]
    assert "fitting" not in seconds[1]
    verify(tmp_path / "cached")


def test_changed_data_are_told_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{user},{item},{1 + (user * item) % 5}" for user in range(9) for item in range(20)]
    Path("ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    write_results(execute(experiment_of(data="ratings.csv", metrics=["P@5"])), "out")
    Path("ratings.csv").write_text("\n".join(["user,item,rating", *rows[:-1], "8,19,1"]))
    with pytest.raises(OtherData, match=r"^out: it was made for other ratings \(fingerprint"):
        verify("out")


def test_a_decision_that_was_changed_is_found(folder: Path, tmp_path: Path) -> None:
    text = (folder / "experiment.toml").read_text().replace("seed = 0", "seed = 1")
    with pytest.raises(Unverified, match=r"differ in decisions\.seed, "):
        verify(touched(folder, tmp_path, "experiment.toml", text.encode()))


def test_scores_that_are_not_those_recorded_are_found(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "results.json").read_text())
    record["scores"] = "0" * 32
    with pytest.raises(FingerprintMismatch):
        verify(touched(folder, tmp_path, "results.json", json.dumps(record).encode()))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"scores": 3}', b'{"base": []}'])
def test_what_is_no_record_is_refused(folder: Path, tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="it is not"):
        verify(touched(folder, tmp_path, "results.json", content))


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match="there is no such file"):
        verify(tmp_path)


def test_files_named_from_another_folder_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{user},{item},{1 + (user * item) % 5}" for user in range(9) for item in range(20)]
    Path("ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    write_results(execute(experiment_of(data="ratings.csv", metrics=["P@5"])), "out")
    verify("out")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    with pytest.raises(MissingFile, match=r"^ratings\.csv: .*Verify from there\.$"):
        verify("../out")
