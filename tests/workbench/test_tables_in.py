"""Every verb takes the same ratings in any form, and results say what they were computed from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import (
    BadExperiment,
    InfeasibleSplit,
    MissingObjects,
    OptionError,
    OtherData,
    Unverified,
)
from cranfield.workbench.definition.answers import read_source
from cranfield.workbench.results.methods.methods import methods_of
from cranfield.workbench.results.verify import NOT_COMPARED
from table_forms import NAMED, UNNAMED, as_file

TABLE = cf.read("simulated(size=tiny)").to_polars()
NUMBERED = TABLE.with_columns(pl.col("user_id", "item_id").rank("dense").cast(pl.Int64))
SPLIT = "per-user(test_share=0.3)"
ASKED: dict[str, Any] = {
    "split": SPLIT,
    "relevance": 4,
    "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    "metrics": ["nDCG@10"],
    "seed": 1,
}


def record(results: cf.Results) -> dict[str, Any]:
    made = results.to_dict()
    return {key: made[key] for key in made if key not in NOT_COMPARED}


@cache
def base() -> dict[str, Any]:
    """The record of the experiment on the table itself."""
    return record(cf.run({**ASKED, "data": TABLE}))


@pytest.mark.parametrize("form", NAMED)
def test_an_experiment_on_any_form_has_the_same_record(form: str) -> None:
    assert record(cf.run({**ASKED, "data": NAMED[form](TABLE)})) == base()


@pytest.mark.parametrize("form", UNNAMED)
def test_an_experiment_on_an_array_or_matrix_has_the_same_record(form: str) -> None:
    triples = NUMBERED.drop("timestamp")
    made = cf.run({**ASKED, "data": UNNAMED[form](triples)})
    assert record(made) == record(cf.run({**ASKED, "data": triples}))


@pytest.mark.parametrize("name", ["r.parquet", "r.csv"])
def test_a_file_and_its_table_give_the_same_scores(tmp_path: Path, name: str) -> None:
    made = record(cf.run({**ASKED, "data": str(as_file(TABLE, tmp_path / name))}))
    assert [made[key] for key in ("scores", "targets", "data")] == [
        base()[key] for key in ("scores", "targets", "data")
    ]


def test_every_door_to_the_data_gives_the_same_record(tmp_path: Path) -> None:
    ratings = cf.read(TABLE)
    parts = cf.split(TABLE, SPLIT, seed=1)
    whole = cf.Experiment(data=TABLE, **ASKED)  # type: ignore[arg-type]
    doors = [
        ratings,
        {"source": TABLE},
        {"source": TABLE, "columns": {"rating": "rating"}, "duplicates": "last"},
        parts,
        parts.ratings.reindex(parts.ratings.user_ids, ratings.item_ids),
    ]
    for door in doors:
        assert record(cf.run({**ASKED, "data": door})) == base()
    assert record(cf.run(whole)) == base()


def test_ids_without_ratings_are_left_out_as_a_file_would_leave_them_out() -> None:
    train = cf.split(TABLE, SPLIT, seed=1).train
    assert record(cf.run({**ASKED, "data": train})) == record(
        cf.run({**ASKED, "data": train.to_polars()})
    )


def test_a_split_that_was_made_is_the_split_that_would_be_made() -> None:
    parts = cf.split(TABLE, SPLIT, seed=1)
    for asked in ({"split": parts}, {"split": parts, "data": TABLE}):
        made = record(cf.run({**ASKED, **asked}))
        assert made["scores"] == base()["scores"]
        assert made["data"]["folds"] == base()["data"]["folds"]
        assert made["decisions"]["split"] == f"Split {parts.fingerprint}"
        assert made["data"]["split"]["option"] == {
            "name": f"Split {parts.fingerprint}", "splitter": SPLIT, "seed": 1,
        }  # fmt: skip


def test_a_split_of_several_folds_is_taken_whole() -> None:
    parts = cf.split(TABLE, "k-fold(folds=3)", seed=1)
    made = record(cf.run({**ASKED, "split": parts}))
    assert (
        made["scores"]
        == record(cf.run({**ASKED, "split": "k-fold(folds=3)", "data": TABLE}))["scores"]
    )


def test_validation_ratings_of_a_split_are_neither_training_nor_test() -> None:
    parts = cf.split(TABLE, SPLIT, seed=1, validation="per-user(test_share=0.2)")
    made = cf.run({**ASKED, "split": parts})
    fold = made.data["folds"][0]
    assert fold["train"] == parts.train.fingerprint
    assert fold["test"] == parts.test.fingerprint
    several = cf.split(TABLE, "k-fold(folds=2)", seed=1, validation="per-user(test_share=0.2)")
    with pytest.raises(InfeasibleSplit, match="its folds hold out different ratings"):
        cf.run({**ASKED, "split": several})


def test_a_split_of_other_ratings_is_refused() -> None:
    parts = cf.split(TABLE, SPLIT, seed=1)
    with pytest.raises(OtherData, match="the split: it was made for other ratings"):
        cf.run({**ASKED, "split": parts, "data": TABLE[:-1]})


def test_verbs_take_tables_and_splits() -> None:
    parts, ratings = cf.split(TABLE.lazy(), SPLIT, seed=1), cf.read(TABLE)
    assert cf.describe(NAMED["arrow"](TABLE)).users == cf.describe(parts).users == ratings.n_users
    kept = cf.filter(NAMED["pandas"](TABLE), "min-ratings(at_least=3)").ratings
    assert kept.fingerprint == cf.filter(parts, "min-ratings(at_least=3)").ratings.fingerprint
    judged = cf.judge(parts, relevance=4)
    assert judged.ratings.fingerprint == parts.test.fingerprint
    made = [cf.rank(each, judged, ["Popularity"], depth=5) for each in (parts, parts.train)]
    assert made[0]["Popularity"].run.items.tolist() == made[1]["Popularity"].run.items.tolist()


RUN = TABLE.select("user_id", "item_id", score=pl.col("rating"))


@pytest.mark.parametrize("form", NAMED)
def test_evaluate_and_score_take_a_split_and_runs_in_any_form(form: str) -> None:
    parts = cf.split(TABLE, SPLIT, seed=1)
    test, train = NAMED[form](parts.test.to_polars()), NAMED[form](parts.train.to_polars())
    wanted = cf.evaluate(parts, {"mine": RUN}, ["nDCG@10"], relevance=4)
    made = cf.evaluate(test, {"mine": NAMED[form](RUN)}, ["nDCG@10"], relevance=4, train=train)
    assert made.scores.values.tobytes() == wanted.scores.values.tobytes()
    scored = cf.score(parts, {"mine": NAMED[form](RUN)}, ["nDCG@10"], relevance=4)
    assert scored.values.tobytes() == wanted.scores.values.tobytes()


def test_a_run_may_be_an_array_or_a_matrix_of_scores() -> None:
    triples = NUMBERED.select("user_id", "item_id", "rating")
    asked: dict[str, Any] = {"metrics": ["nDCG@10"], "relevance": 4}
    named = triples.rename({"rating": "score"})
    wanted = cf.score(triples, {"mine": named}, **asked).values.tobytes()
    for form in UNNAMED.values():
        assert cf.score(triples, {"mine": form(triples)}, **asked).values.tobytes() == wanted


def test_studies_take_tables() -> None:
    study = {"vary": {"cutoff": [5, 10]}}
    made = cf.study({**ASKED, "data": TABLE, "study": study})
    other = cf.study({**ASKED, "data": NAMED["arrow batches"](TABLE), "study": study})
    assert made.to_polars().equals(other.to_polars())


def test_methods_name_the_table_by_its_fingerprint_and_the_split_by_its_seed() -> None:
    parts = cf.split(TABLE, SPLIT, seed=7)
    text = methods_of(cf.run({**ASKED, "split": parts}))
    short = parts.ratings.fingerprint[:16]
    assert f"We used a table of ratings (fingerprint {short}): 40 users" in text
    assert "divided at random, with 30 % of the ratings of each user in test (by seed 7)" in text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"format": "csv"}, "it needs a source: a file, a data set's name, an option, or a table"),
        ([1, 2], "it needs a source"),
        (5, "it needs a source"),
        (object(), "table: object is not a table"),
        (np.ones((2, 9)), "table: an array of 2 × 9 is not a table"),
        ({"source": TABLE, "header": True}, "header: it is for files"),
        ({"source": cf.read(TABLE), "duplicates": "last"}, "Ratings have neither columns to be"),
        ({"user": [1], "thing": [2]}, 'table: no column for "item_id" among "user", "thing"'),
        ("part-*.parquet", "part-*.parquet: there is no such file"),
    ],
)
def test_data_that_cannot_be_read_are_told_in_one_short_line(data: Any, told: str) -> None:
    with pytest.raises(BadExperiment) as caught:
        cf.run({**ASKED, "data": data})
    text = str(caught.value)
    assert text.startswith(f"experiment, data: {told}")
    assert len(text) < 300
    assert "\n" not in text


def test_ratings_have_no_columns_to_be_named() -> None:
    with pytest.raises(OptionError, match="Ratings have neither columns to be named"):
        cf.read(cf.read(TABLE), columns={"user_id": "who"})


def test_a_source_stays_the_source_that_it_is() -> None:
    source = read_source("simulated(size=tiny)")
    assert read_source(source) is source


def test_results_of_a_table_are_verified_from_python(tmp_path: Path) -> None:
    place = tmp_path / "out"
    cf.write_results(cf.run({**ASKED, "data": TABLE}), place)
    assert record(cf.verify(place, data=NAMED["pandas"](TABLE))) == base()  # type: ignore[arg-type]
    with pytest.raises(MissingObjects, match=r"data was .* cranfield\.verify\(folder, data="):
        cf.verify(place)
    with pytest.raises(OtherData, match="it was made for other ratings"):
        cf.verify(place, data=TABLE[:-1])
    with pytest.raises(Unverified, match=r"differ in decisions\.seed"):
        cf.verify(place, data=TABLE, seed=2)


def test_results_of_a_split_and_of_runs_are_verified_from_python(tmp_path: Path) -> None:
    parts, place = cf.split(TABLE, SPLIT, seed=1), tmp_path / "out"
    asked = {**ASKED, "split": parts, "runs": {"mine": RUN, "other": RUN.reverse()}}
    cf.write_results(cf.run(asked), place)
    with pytest.raises(MissingObjects, match="data, split and runs were given in Python"):
        cf.verify(place)
    with pytest.raises(MissingObjects, match="runs was given in Python"):
        cf.verify(place, data=TABLE, split=parts, runs={"mine": RUN})
    runs = {"mine": RUN, "other": RUN.reverse()}
    assert cf.verify(place, data=TABLE, split=parts, runs=runs)
    with pytest.raises(Unverified, match=r"decisions\.runs\.mine"):
        cf.verify(place, data=TABLE, split=parts, runs={**runs, "mine": RUN[:-9]})


def test_results_of_a_study_on_a_table_are_verified_from_python(tmp_path: Path) -> None:
    place = tmp_path / "out"
    cf.write_results(
        cf.study({**ASKED, "data": TABLE, "study": {"vary": {"cutoff": [5, 10]}}}), place
    )
    assert cf.verify(place, data=TABLE)


def test_definitions_may_name_parts_that_stand_beside_them(tmp_path: Path) -> None:
    for number in (0, 1):
        TABLE[number::2].write_parquet(tmp_path / f"part-{number}.parquet")
    (tmp_path / "e.toml").write_text(
        f'data = "part-*.parquet"\nsplit = "{SPLIT}"\nrelevance = 4\nseed = 1\n'
        'metrics = ["nDCG@10"]\n[systems]\nkNN = "user-kNN(k=5)"\nPopularity = "Popularity"\n'
    )
    assert record(cf.run(tmp_path / "e.toml"))["scores"] == base()["scores"]


def test_a_title_may_read_like_the_name_of_a_table(tmp_path: Path) -> None:
    title = "table-0123456789abcdef"
    made = cf.run({**ASKED, "title": title, "data": "simulated(size=tiny)"})
    cf.write_results(made, tmp_path / "out")
    assert cf.verify(tmp_path / "out").experiment.title == title  # type: ignore[union-attr]


def test_what_is_given_must_be_a_decision(tmp_path: Path) -> None:
    cf.write_results(cf.run({**ASKED, "data": TABLE}), tmp_path / "out")
    with pytest.raises(cf.CranfieldError, match=r'no decision "dta"\. Did you mean "data"'):
        cf.verify(tmp_path / "out", data=TABLE, dta=TABLE)


@pytest.mark.parametrize("form", ["pandas", "polars", "polars lazy", "arrow", "structured array"])
@pytest.mark.parametrize(
    "decision",
    ["split", "relevance", "runs", "metrics", "systems", "filters", "targets", "seed", "scale",
     "topics", "by", "comparison", "aggregation", "depth"],
)  # fmt: skip
def test_a_table_in_the_wrong_place_is_refused_without_being_printed(
    decision: str, form: str
) -> None:
    with pytest.raises(BadExperiment) as caught:
        cf.run({**ASKED, "data": TABLE, decision: NAMED[form](TABLE)})
    text = str(caught.value)
    assert text.startswith(f"experiment, {decision}")
    assert "\n" not in text
    assert len(text) < 400


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow"])
def test_a_table_is_no_option(form: str) -> None:
    table = NAMED[form](TABLE)
    wrong: list[Any] = [
        lambda: cf.split(table, table),
        lambda: cf.filter(table, table),
        lambda: cf.simulate(table),
    ]
    for call in wrong:
        with pytest.raises(OptionError, match=r"(DataFrame|Table) is not a (split|filter|source)"):
            call()
