"""What a user gives for a decision is read as the command line and files spell it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import BadDecisions, CranfieldError, OptionError
from cranfield.base.options import parse
from cranfield.scoring.metrics import NDCG
from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import (
    parse_metrics,
    read_groupings,
    read_metrics,
    read_runs,
    read_source,
    read_systems,
    read_targets,
)

inventory.load()


def test_one_text_is_a_list_of_one_metric() -> None:
    assert [str(each) for each in read_metrics("RR")] == ["RR"]
    assert parse_metrics(
        ["RR", "Gini@5", NDCG(cutoff=5), "nDCG@5", {"name": "P", "cutoff": 3}]
    ) == (
        (parse("metric", "RR"), NDCG(cutoff=5), parse("metric", "P@3")),
        (parse("run-metric", "Gini@5"),),
    )


@pytest.mark.parametrize(
    ("given", "path", "text"),
    [
        ("nDGC", "", 'no metric is called "nDGC". Did you mean "nDCG"?'),
        (["RR", "Gni@5"], "[1]", 'no metric is called "Gni". Did you mean "Gini"?'),
        (
            [{"name": "P", "cutoff": 0}],
            "[0].cutoff",
            "0 is not a whole number from 1 to",
        ),
        ([None], "[0]", "null is not a metric such as nDCG@10"),
        ([parse("gain", "binary")], "[0]", "binary is not a metric such as nDCG@10"),
    ],
)
def test_a_metric_that_is_none_is_refused_with_its_place(given: Any, path: str, text: str) -> None:
    with pytest.raises(CranfieldError) as caught:
        read_metrics(given)
    ((where, said),) = caught.value.problems
    assert where == path
    assert text.replace("null", "none") in said


def test_sources_are_files_data_sets_options_and_tables_of_them(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("user,item,rating\n1,2,3\n")
    by_path = read_source(path)
    assert by_path == read_source(str(path)) == read_source({"source": str(path)})
    assert by_path == read_source({"name": "file", "path": str(path)}) == read_source(by_path)
    assert read_source("simulated(size=tiny)") == read_source({"name": "simulated", "size": "tiny"})
    assert read_source(None) is None
    with pytest.raises(OptionError, match="it needs a source"):
        read_source(5)


def test_systems_may_be_listed_and_are_called_by_their_spelling() -> None:
    popular = parse("recommender", "Popularity")
    assert read_systems(["Popularity", "user-kNN(k=3)"]) == {
        "Popularity": popular,
        "user-kNN(k=3)": parse("recommender", "user-kNN(k=3)"),
    }
    assert read_systems("Popularity") == {"Popularity": popular}
    with pytest.raises(OptionError, match="two of them have the same name"):
        read_systems(["Popularity", "popularity"])
    with pytest.raises(BadDecisions) as caught:
        read_systems({"a.b": 5, "c": "user-kNN(k=0)", "d": popular})
    assert [path for path, _ in caught.value.problems] == ['"a.b"', "c.k"]


def test_runs_are_files_tables_and_run_objects() -> None:
    frame = pl.DataFrame({"user": [1], "item": [2], "score": [0.5]})
    found = read_runs({"a": "a.tsv", 2: Path("b.tsv"), "c": frame})
    assert list(found) == ["a", "2", "c"]
    assert found["2"] == "b.tsv"
    assert found["c"] is frame
    with pytest.raises(OptionError, match="is not a table of runs by their names"):
        read_runs(["a.tsv"])
    with pytest.raises(BadDecisions) as caught:
        read_runs({"a": None, "b": 3, "c": "c.tsv"})
    assert [path for path, _ in caught.value.problems] == ["a", "b"]


def test_targets_and_groupings_are_spelled() -> None:
    chosen = read_targets("TI, 1R")
    assert str(chosen) == "test-items, one-relevant, all-nonrelevant"
    assert read_targets(chosen) is chosen
    assert [str(each) for each in read_groupings(["activity:4", "users.csv:age"])] == [
        "activity:4", "users.csv:age",
    ]  # fmt: skip
    assert read_groupings([{"kind": "popularity", "parts": 4}]) == read_groupings("popularity:4")
    with pytest.raises(OptionError) as caught:
        read_groupings(["activity", "age"])
    assert caught.value.problems[0][0] == "[1]"
