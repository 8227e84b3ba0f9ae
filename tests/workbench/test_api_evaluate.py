"""Given parts, a catalogue and runs: `evaluate` and `run` take them alike, in every form."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment, CranfieldError, EmptyInput
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.results.evaluation import NO_CATALOGUE, Evaluation
from experiment_cases import same_scores

TRAIN = pl.DataFrame(
    {"user": [1, 1, 2, 2, 3], "item": [10, 11, 10, 12, 13], "rating": [3, 4, 2, 5, 1]}
)
TEST = pl.DataFrame({"user": [1, 1, 2, 3], "item": [12, 10, 13, 10], "rating": [5, 4, 9, 2]})
RUN = pl.DataFrame(
    {"user": [1, 1, 1, 2, 2, 3], "item": [12, 99, 13, 13, 11, 10], "score": [3, 2, 1, 2, 1, 1]}
)
"""User 1's test item 10 is in training too; no item 99 is known; 9 is beyond training's 5."""
METRICS = ["nDCG@3", "P@2", "RR", "Recall", "AUC", "ERR", "CatalogueCoverage@3", "Gini@3"]
IN_BOTH = "1 test pair is in training too; such pairs stay in training and are not targets."
UNKNOWN = "mine: 1 row names 1 item (such as 99) that is not in the collection; it keeps its place."

Evaluate = Callable[..., Evaluation]


def in_python(folder: Path, test: pl.DataFrame, train: Any, **decisions: Any) -> Evaluation:
    asked: dict[str, Any] = {"relevance": 4, "metrics": METRICS, **decisions}
    return cf.evaluate(test, {"mine": RUN}, asked.pop("metrics"), train=train, **asked)


def in_tables(folder: Path, test: pl.DataFrame, train: Any, **decisions: Any) -> Evaluation:
    split = {"name": "given", "test": test, "train": train}
    asked = {"relevance": 4, "metrics": METRICS, **decisions}
    return cf.run({"split": split, "runs": {"mine": RUN}, **asked})


def in_toml(folder: Path, test: pl.DataFrame, train: Any, **decisions: Any) -> Evaluation:
    frames = {"test.csv": test, "train.csv": train, "run.csv": RUN}
    for name, frame in frames.items():
        if frame is not None:
            frame.write_csv(folder / name)
    parts = 'given(test="test.csv")' if train is None else "given(train=train.csv, test=test.csv)"
    asked = {"relevance": 4, "metrics": METRICS, "split": parts, "runs": {"mine": "run.csv"}}
    catalogue = decisions.get("catalogue")
    if catalogue is not None:
        pl.DataFrame({"item": catalogue}).write_csv(folder / "catalogue.csv")
        decisions = {**decisions, "catalogue": "catalogue.csv"}
    (folder / "experiment.toml").write_text(toml_text({**asked, **decisions}))
    return cf.run(folder / "experiment.toml")


WAYS = pytest.mark.parametrize("evaluate", [in_python, in_tables, in_toml])


def value(made: Evaluation, metric: str) -> float:
    return made.summary.row("mine", metric).value


@WAYS
def test_a_pair_in_both_parts_stays_in_training_and_is_no_target(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    made = evaluate(tmp_path, TEST, TRAIN)
    assert made.notes == (UNKNOWN, IN_BOTH)
    (targets,) = made.target_sets
    assert targets.collection.overlap == 1
    assert len(targets.train) == len(TRAIN)
    assert len(targets.judgments.ratings) == len(TEST) - 1
    items = targets.train.item_ids.take(targets.of_topic(0)).to_list()
    assert items == [12, 13], "of items 10 to 13, user 1 has 10 and 11 in training"
    assert value(made, "RR") == 1.0, "users 1 and 2; user 3 has no relevant item left out"


@WAYS
def test_kept_training_items_may_be_targets_and_none_is_counted(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    made = evaluate(tmp_path, TEST, TRAIN, training_items="keep")
    assert made.notes == (UNKNOWN,)
    (targets,) = made.target_sets
    assert targets.collection.overlap == 0
    items = targets.train.item_ids.take(targets.of_topic(0)).to_list()
    assert items == [10, 11, 12, 13]
    assert made.scores.of("mine", "Recall").tolist()[:2] == [1 / 2, 1.0], "10 is not listed"


def test_training_items_in_lists_leave_stay_or_are_refused() -> None:
    listed = {"user": [1, 1], "item": [11, 12], "score": [2, 1]}
    values = {
        rule: cf.evaluate(TEST, {"mine": listed}, ["RR"], relevance=5, train=TRAIN,
                          training_items=rule).scores.of("mine", "RR")[0]
        for rule in ("drop", "keep")
    }  # fmt: skip
    assert values == {"drop": 1.0, "keep": 1 / 2}
    with pytest.raises(CranfieldError, match="training"):
        cf.evaluate(
            TEST, {"mine": listed}, ["RR"], relevance=5, train=TRAIN, training_items="refuse"
        )


@WAYS
def test_without_train_what_needs_a_catalogue_is_not_known(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    made = evaluate(tmp_path, TEST, None)
    assert made.notes[-1] == f"{NO_CATALOGUE}."
    for row in made.summary.rows:
        assert np.isnan(row.random)
        assert np.isnan(row.adjusted)
        assert np.isnan(row.value) == (row.metric == "AUC")
    assert np.isnan(made.lists["mine"]["CatalogueCoverage@3"])
    ideal = 1 / log2(2) * 5 + 1 / log2(3) * 4  # items 12 and 10 of user 1
    assert value(made, "nDCG@3") == pytest.approx((5 / ideal + 1 + 1) / 3)
    assert made.target_sets[0].collection.has_catalogue is False


@WAYS
def test_targets_of_judged_items_need_no_catalogue(evaluate: Evaluate, tmp_path: Path) -> None:
    made = evaluate(tmp_path, TEST, None, targets="condensed", metrics=["AUC", "P@2", "RR"])
    assert not [note for note in made.notes if "catalogue" in note]
    assert made.summary.row("mine", "P@2").random == pytest.approx((1 + 1 / 2) / 2)


@WAYS
def test_a_catalogue_names_the_items_that_could_have_been_ranked(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    made = evaluate(tmp_path, TEST, None, catalogue=[10, 50, 51])
    assert not [note for note in made.notes if "catalogue" in note]
    # T_u is 10, 12, 13, 50 and 51 for everybody; two are relevant to user 1, one to user 2.
    assert made.summary.row("mine", "P@2").random == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert made.lists["mine"]["CatalogueCoverage@3"] == pytest.approx(3 / 5)
    # User 1: 12 is above 13, 50 and 51; 10 is below 13 and, unlisted, level with 50 and 51.
    assert value(made, "AUC") == pytest.approx(((3 + 0 + 1 / 2 + 1 / 2) / 6 + 4 / 4) / 2)


def test_a_catalogue_joins_the_items_of_training_and_test(tmp_path: Path) -> None:
    plain, wider = (in_toml(tmp_path, TEST, TRAIN, **more) for more in ({}, {"catalogue": [50]}))
    assert [len(each.target_sets[0].of_topic(0)) for each in (plain, wider)] == [2, 3]
    assert wider.summary.row("mine", "P@2").random < plain.summary.row("mine", "P@2").random


@pytest.mark.long
@WAYS
def test_times_in_one_part_only_change_nothing(evaluate: Evaluate, tmp_path: Path) -> None:
    plain = evaluate(tmp_path, TEST, TRAIN)
    for test, train in (
        (TEST, TRAIN.with_columns(timestamp=pl.lit(5))),
        (TEST.with_columns(timestamp=pl.lit(9)), TRAIN),
    ):
        made = evaluate(tmp_path, test, train)
        assert same_scores(plain.scores, made.scores)
        assert repr(plain.summary.rows) == repr(made.summary.rows)
        assert plain.notes == made.notes


def test_leakage_is_told_where_both_parts_have_times(tmp_path: Path) -> None:
    timed = TRAIN.with_columns(timestamp=pl.lit(5)), TEST.with_columns(timestamp=pl.lit(4))
    fold = in_toml(tmp_path, timed[1], timed[0]).data["folds"][0]  # type: ignore[attr-defined]
    assert fold["leakage"] == {"per_user": 1.0, "overall": 1.0}
    assert fold["in_both_parts"] == 1
    fold = in_toml(tmp_path, TEST, timed[0]).data["folds"][0]  # type: ignore[attr-defined]
    assert fold["leakage"] is None


@WAYS
def test_the_scale_is_that_of_the_test_ratings_unless_it_is_given(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    own, given = (evaluate(tmp_path, TEST, TRAIN, **more) for more in ({}, {"scale": [0, 10]}))
    judgments = [each.judgments for each in (own, given)]
    assert [(each.lowest, each.highest) for each in judgments] == [(2.0, 9.0), (0.0, 10.0)]
    # ERR: an item rated r satisfies with probability (2^r − 1) / 2^highest.
    chance = [(2**5 - 1) / 2**9, (2**5 - 1) / 2**10]
    assert [each.scores.of("mine", "ERR")[0] for each in (own, given)] == pytest.approx(chance)


@WAYS
def test_other_training_ratings_leave_the_scale_alone(evaluate: Evaluate, tmp_path: Path) -> None:
    loud = TRAIN.with_columns(pl.col("rating") * 100)
    plain, other = (evaluate(tmp_path, TEST, train) for train in (TRAIN, loud))
    assert plain.scores.of("mine", "ERR").tolist() == other.scores.of("mine", "ERR").tolist()


@pytest.mark.long
def test_all_ways_give_the_same_numbers(tmp_path: Path) -> None:
    made = [way(tmp_path, TEST, TRAIN) for way in (in_python, in_tables, in_toml)]
    for other in made[1:]:
        assert same_scores(made[0].scores, other.scores)
        assert repr(made[0].summary.rows) == repr(other.summary.rows)
        assert made[0].lists == other.lists
        assert made[0].notes == other.notes


def test_both_parts_and_data_are_refused_together(tmp_path: Path) -> None:
    TRAIN.write_csv(tmp_path / "train.csv")
    table = {
        "data": "simulated(size=tiny)", "relevance": 4, "metrics": ["RR"],
        "split": {"name": "given", "test": TEST, "train": TRAIN}, "systems": ["Popularity"],
    }  # fmt: skip
    with pytest.raises(BadExperiment, match="data: the split has training ratings of its own"):
        cf.run(table)
    with pytest.raises(BadExperiment, match=r"divides ratings: say which.*given\(train=…, test=…"):
        cf.run({**table, "data": None, "split": "per-user"})


def test_parts_that_cannot_be_evaluated_are_refused_with_the_reason() -> None:
    for wrong in (5, True, [1, 2]):
        with pytest.raises(
            CranfieldError, match="is not a file, a data set's name, a source or a table"
        ):
            cf.evaluate(wrong, {"mine": RUN}, ["RR"], relevance=4)
    with pytest.raises(EmptyInput, match="there are no pairs outside training"):
        cf.evaluate(TRAIN, {"mine": RUN}, ["RR"], relevance=4, train=TRAIN)
    kept = cf.evaluate(
        TRAIN, {"mine": RUN}, ["RR"], relevance=4, train=TRAIN, training_items="keep"
    )
    assert len(kept.scores) == 3


def test_recommenders_learn_from_a_given_part_and_need_one(tmp_path: Path) -> None:
    table = {
        "relevance": 4, "metrics": ["nDCG@3"], "systems": {"most": "Popularity"},
        "split": {"name": "given", "test": TEST, "train": TRAIN}, "unscored": "random",
    }  # fmt: skip
    made = cf.run(table)
    ranked = cf.rank(TRAIN, cf.judge(TEST, 4), {"most": "Popularity"}, unscored="random")
    assert made.scores.covered.all()
    assert len(made.scores) == len(ranked["most"].hits) == 3
    with pytest.raises(CranfieldError, match="training data of Popularity"):
        cf.run({**table, "split": {"name": "given", "test": TEST}})
