"""The same lists give the same run, whatever the form in which they come."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import MissingObjects
from cranfield.base.ids import Ids
from cranfield.recommendation.runs import source
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.run import Run
from run_forms import FORMS, Form, Lists, table
from suites import spread, tries

USERS, ITEMS = Ids(pl.Series([1, 2, 3, 4])), Ids(pl.Series([0, 7, 8, 9, 10]))
NAMED: dict[str, Any] = {"user_ids": USERS, "item_ids": ITEMS, "system": "A"}
DOCS = Path(__file__).parents[3] / "docs" / "3-recommendation.md"

scores = st.floats(-100, 100, width=32).filter(bool) | st.sampled_from([1.0, 0.1, 1 / 3])
items = st.dictionaries(st.sampled_from([0, 7, 8, 9, 10, 99]), scores, max_size=5)
several = st.dictionaries(st.sampled_from([1, 2, 3]), items, min_size=1).map(
    lambda drawn: {
        user: sorted(each.items(), key=lambda pair: (-pair[1], pair[0]))
        for user, each in drawn.items()
    }
)
some_lists = several.filter(lambda lists: any(i != 99 for each in lists.values() for i, _ in each))

LISTS: Lists = {2: [(7, 0.1)], 3: [], 1: [(9, 0.5), (7, 0.25), (8, 0.25)]}
TEST = {"user": [1, 1, 2, 3, 4], "item": [7, 8, 7, 9, 9], "rating": [5, 2, 5, 5, 5]}


def expected(lists: Lists, form: Form) -> Run:
    """The run by definition: the flat table, and the empty lists that the form can say."""
    flat = table(lists) if form.scores else table(lists).drop("score")
    if form.text:
        flat = flat.with_columns(pl.col("user_id", "item_id").cast(pl.String))
    users = [user - 1 for user, each in lists.items() if form.empty and not each]
    return read_run(flat, **NAMED).run.with_empty(np.array(users, np.int32))


@pytest.mark.parametrize("name", FORMS)
@settings(deadline=None, max_examples=tries(15))
@given(lists=some_lists)
def test_every_form_gives_the_same_run(name: str, lists: Lists) -> None:
    form = FORMS[name]
    with TemporaryDirectory() as folder:
        run = read_run(form.make(lists, Path(folder)), **NAMED).run
    assert run == expected(lists, form)


def through(source: Any, door: str, folder: Path) -> Any:
    """The scores that a run has through one of the verbs."""
    metrics = ["nDCG@3", "RR"]
    if door == "score":
        return cf.score(TEST, {"A": source}, metrics, relevance=4)
    if door == "evaluate":
        return cf.evaluate(TEST, {"A": source}, metrics, relevance=4).scores
    split = {"name": "given", "test": str(folder / "test.csv")}
    pl.DataFrame(TEST).write_csv(folder / "test.csv")
    made = {"split": split, "runs": {"A": source}, "metrics": metrics, "relevance": 4}
    return cf.run(made).scores


@pytest.mark.parametrize("name", spread(FORMS, every=3))
@pytest.mark.parametrize("door", ["score", "evaluate", "run"])
def test_every_form_has_the_same_scores_through_every_door(
    name: str, door: str, tmp_path: Path
) -> None:
    form = FORMS[name]
    flat = table(LISTS) if form.scores else table(LISTS).drop("score")
    ours = through(form.make(LISTS, tmp_path), door, tmp_path)
    assert np.array_equal(ours.values, through(flat, "score", tmp_path).values, equal_nan=True)


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.empty])
def test_a_user_with_an_empty_list_enters_where_runs_decide_who_does(
    name: str, tmp_path: Path
) -> None:
    run = FORMS[name].make(LISTS, tmp_path)
    scores = cf.score(TEST, {"A": run}, ["RR"], relevance=4, topics="run")
    assert scores.user_ids.take(scores.topics.users).to_list() == [1, 2, 3]
    assert scores.of("A", "RR").tolist() == [0.5, 1.0, 0.0]


def rows_of_forms() -> list[list[str]]:
    text = DOCS.read_text(encoding="utf-8").partition("<!-- forms: begin -->")[2]
    lines = text.partition("<!-- forms: end -->")[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_documentation_has_every_form_and_says_what_it_keeps() -> None:
    shown = {row[0]: (row[2] == "yes", row[3] == "yes") for row in rows_of_forms()}
    assert shown == {name: (form.scores, form.empty) for name, form in FORMS.items()}


def test_every_form_of_the_documentation_names_the_test_that_holds_it() -> None:
    for *_, held_by in rows_of_forms():
        file, _, name = held_by.strip("`").partition("::")
        assert f"def {name}(" in (DOCS.parents[1] / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["LensKit Parquet", "Spark Parquet", "Parquet", "part folder"])
def test_a_run_that_stays_in_its_files_is_the_same_read_some_users_at_a_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists: Lists = {user: [(7, 0.5), (8 + user % 3, 0.25)][: user % 3] for user in range(1, 30)}
    test = {"user": list(range(1, 30)), "item": [7, 8, 9] * 9 + [7, 8], "rating": [5] * 29}
    made = FORMS[name].make(lists, tmp_path)

    def scores() -> Any:
        return cf.score(test, {"A": made}, ["nDCG@2", "RR"], relevance=4, topics="run")

    whole = scores()
    monkeypatch.setattr(source, "_FEW_ROWS", 2)
    monkeypatch.setattr(source, "ROWS_AT_ONCE", 5)
    parts = scores()
    assert parts.topics.users.tolist() == whole.topics.users.tolist()
    assert parts.values.tobytes() == whole.values.tobytes()
    assert len(whole.topics.users) == (29 if FORMS[name].empty else 20)


@pytest.mark.parametrize("name", ["scores by user", "implicit arrays", "Surprise predictions"])
def test_results_of_runs_in_python_are_written_and_name_them(name: str, tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("user,item,rating\n1,7,5\n2,7,5\n")
    run = FORMS[name].make(LISTS, tmp_path)
    split = {"name": "given", "test": str(tmp_path / "test.csv")}
    made = cf.run({"split": split, "runs": {"A": run}, "metrics": ["RR"], "relevance": 4})
    cf.write_results(made, tmp_path / "out")
    assert 'A = "table ' in (tmp_path / "out" / "experiment.toml").read_text()
    with pytest.raises(MissingObjects, match="runs"):
        cf.run(tmp_path / "out" / "experiment.toml")
