"""Several data sets in one definition: which there are, and what differs on each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment
from cranfield.workbench.definition.data_sets import StudyOfDataSets, names_several
from cranfield.workbench.definition.definition import read_asked, read_asked_table, read_definition
from cranfield.workbench.definition.study.study import Study

BASE: dict[str, Any] = {
    "title": "Both",
    "split": "per-user(test_share=0.4)",
    "relevance": 4,
    "metrics": ["nDCG@5"],
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=5)"},
}
TINY = "simulated(size=tiny)"
OTHER = "simulated(size=tiny, mnar=0)"


def read(**more: Any) -> StudyOfDataSets:
    made = read_asked_table({**BASE, **more})
    assert isinstance(made, StudyOfDataSets)
    return made


def test_a_list_of_data_sets_is_one_experiment_each() -> None:
    made = read(data=[TINY, OTHER])
    assert list(made.parts) == [TINY, OTHER]
    assert [str(each.data) for each in made.bases.values()] == [TINY, OTHER]
    assert {each.title for each in made.bases.values()} == {f"Both: {TINY}", f"Both: {OTHER}"}


def test_a_data_set_may_have_answers_of_its_own() -> None:
    own = {"relevance": 3, "systems": {"kNN": "user-kNN(k=9)"}}
    made = read(data={"a": {"source": TINY}, "b": {"source": OTHER, **own}})
    assert made.bases["a"].relevance == 4
    assert made.bases["b"].relevance == 3
    assert str(made.bases["a"].systems["kNN"]) == "user-kNN(k=5)"
    assert str(made.bases["b"].systems["kNN"]) == "user-kNN(k=9)"
    assert list(made.bases["b"].systems) == ["Popularity", "kNN"]


def test_varying_data_is_the_same_as_listing_it() -> None:
    study = {"vary": {"cutoff": [5, 10]}}
    listed = read(data=[TINY, OTHER], study=study)
    varied = read(study={"vary": {"data": [TINY, OTHER], "cutoff": [5, 10]}})
    assert listed.parts == varied.parts
    assert all(isinstance(each, Study) for each in varied.parts.values())
    alone = read(study={"vary": {"data": [TINY, OTHER]}})
    assert all(isinstance(each, cf.Experiment) for each in alone.parts.values())


def test_answers_stand_beside_a_varied_list() -> None:
    made = read(study={"vary": {"data": [TINY, OTHER]}}, data={OTHER: {"relevance": 2}})
    assert [each.relevance for each in made.bases.values()] == [4, 2]


def test_tables_in_python_are_data_sets_too() -> None:
    frame = pl.DataFrame({"user": [1, 1, 2, 2], "item": [1, 2, 1, 3], "rating": [5, 1, 4, 5]})
    made = read(data={"mine": frame, "theirs": cf.read(TINY)})
    assert list(made.parts) == ["mine", "theirs"]
    assert list(read(data=[frame, TINY]).parts) == ["data set 1", TINY]


@pytest.mark.parametrize(
    "data",
    [TINY, {"name": "simulated", "size": "tiny"}, {"source": "mine.csv"},
     {"user": [1], "item": [2], "rating": [3]}],
)  # fmt: skip
def test_one_data_set_is_no_study_of_several(data: Any) -> None:
    assert not names_several({**BASE, "data": data})
    assert not names_several({**BASE, "data": TINY, "study": {"vary": {"data": [TINY]}}})


@pytest.mark.parametrize(
    ("more", "path", "said"),
    [
        ({"data": {"a": {"source": TINY}, "b": {"source": OTHER, "relevanc": 3}}},
         "data.b.relevanc", "relevance"),
        ({"data": {"a": {"source": TINY}, "b": {"source": "nowhere.csv"}}}, "data.b", "nowhere"),
        ({"data": [TINY, OTHER], "metrics": ["nDGC@5"]}, "metrics[0]", "nDCG"),
        ({"data": {"c": {"relevance": 2}}, "study": {"vary": {"data": [TINY, OTHER]}}},
         "data.c", "no such data set"),
        ({"study": {"vary": {"data": [TINY, OTHER]}, "draws": 10}}, "study", "no designs"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(more: Any, path: str, said: str) -> None:
    with pytest.raises(BadExperiment) as raised:
        read(**more)
    told = dict(raised.value.problems)
    assert path in told
    assert said in told[path]


def test_files_stand_beside_the_definition(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("user,item,rating\na,x,5\na,y,2\nb,x,4\nb,z,5\n")
    place = tmp_path / "study.toml"
    place.write_text(
        'data = ["mine.csv", "simulated(size=tiny)"]\nsplit = "per-user"\nrelevance = 4\n'
        'metrics = ["P@5"]\nsystems = { Popularity = "Popularity", Random = "Random" }\n'
    )
    made = read_asked(place)
    assert isinstance(made, StudyOfDataSets)
    assert list(made.parts) == ["mine", "simulated(size=tiny)"]
    assert made.title == "study"
    with pytest.raises(BadExperiment, match="takes several"):
        read_definition(place)


def test_a_list_with_something_that_is_no_data_set_is_refused() -> None:
    assert not names_several({**BASE, "data": [TINY, 5]})
    with pytest.raises(BadExperiment, match="data"):
        read_asked_table({**BASE, "data": [TINY, 5]})


def test_only_decisions_made_of_parts_are_merged() -> None:
    """Systems are added to those of all; another split takes the place of the common one."""
    made = read(
        split={"name": "per-user", "test_share": 0.4, "repeats": 2},
        data={
            "one": {"source": TINY, "systems": {"Chance": "Random"}},
            "two": {"source": OTHER, "split": {"name": "random", "test_share": 0.5}},
        },
    )
    one, two = made.bases.values()
    assert [len(each.systems) for each in (one, two)] == [3, 2]
    assert str(two.split) == "random(test_share=0.5)"
