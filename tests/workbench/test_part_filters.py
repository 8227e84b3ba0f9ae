"""Filters of training and test are one decision at every door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield as cf
from cranfield.collection.split_files import read_split
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores, study_of, table_of

TRAIN = ["min-ratings(per=user, at_least=6)", "sample(share=0.8)"]
TEST = ["rating-range(at_least=2)"]
BOTH: dict[str, Any] = {"train_filters": TRAIN, "test_filters": TEST}


def parts_by_hand() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, list[Any]]:
    """Training without users of few ratings, test without low ratings, and the catalogue."""
    whole = cf.read("simulated(size=tiny)")
    parts = cf.split(whole, "per-user(test_share=0.4)", seed=0)
    train, test = parts.train.to_polars(), parts.test.to_polars()
    left = train.filter(pl.len().over("user_id") >= 6)
    return left, test.filter(pl.col("rating") >= 2), train, whole.item_ids.values.to_list()


def test_a_run_is_that_of_parts_which_were_filtered_by_hand() -> None:
    train, test, _, items = parts_by_hand()
    made = execute(experiment_of(train_filters=TRAIN[:1], test_filters=TEST))
    split = {"name": "given", "train": train, "test": test}
    by_hand = execute(experiment_of(data=None, split=split, catalogue=items, scale=[1, 5]))
    assert made.scores.values.tobytes() == by_hand.scores.values.tobytes()
    plain = execute(experiment_of())
    assert not same_scores(made.scores, plain.scores)


def test_given_parts_are_filtered_as_the_same_parts_of_a_split_are() -> None:
    train, test, whole, items = parts_by_hand()
    asked = {"data": None, "catalogue": items, "scale": [1, 5]}
    filtered = execute(experiment_of(
        **asked, split={"name": "given", "train": whole, "test": test}, train_filters=TRAIN[:1]
    ))  # fmt: skip
    by_hand = execute(experiment_of(**asked, split={"name": "given", "train": train, "test": test}))
    assert filtered.scores.values.tobytes() == by_hand.scores.values.tobytes()
    assert filtered.data["folds"][0]["filters"][0]["after"]["ratings"] == len(train)


def test_a_file_a_keyword_and_a_flag_mean_the_same(tmp_path: Path) -> None:
    path = tmp_path / "experiment.toml"
    path.write_text(toml_text(table_of(**BOTH)), encoding="utf-8")
    by_file, by_keyword = cf.run(path), execute(experiment_of(**BOTH))
    assert same_scores(by_file.scores, by_keyword.scores)
    assert by_file.experiment.train_filters == by_keyword.experiment.train_filters
    plain = tmp_path / "plain.toml"
    plain.write_text(toml_text(table_of()), encoding="utf-8")
    out = tmp_path / "out"
    spelled = f"train_filters=[{', '.join(TRAIN)}]", f"test_filters=[{', '.join(TEST)}]"
    flags = [part for each in spelled for part in ("--set", each)]
    assert main(["run", str(plain), "--out", str(out), "--store", "none", *flags]) == 0
    read = cf.read_results(out)
    assert isinstance(read, cf.Results)
    assert same_scores(read.scores, by_keyword.scores)


def test_the_command_split_writes_what_the_verb_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [part for each in TRAIN for part in ("--train-filters", each)]
    flags += ["--test-filters", TEST[0], "--split", "per-user(test_share=0.4)", "--seed", "3"]
    out = tmp_path / "split"
    assert main(["split", "simulated(size=tiny)", *flags, "--out", str(out)]) == 0
    made = cf.split("simulated(size=tiny)", "per-user(test_share=0.4)", 3, **BOTH)
    read = read_split(out)
    assert read.fingerprint == made.fingerprint
    assert [fold.steps for fold in read.folds] == [fold.steps for fold in made.folds]
    printed = " ".join(capsys.readouterr().out.split())
    for step in made.folds[0].steps:
        sizes = f"{step.step.before.ratings} to {step.step.after.ratings} ratings"
        assert f"{step.part} filter {step.step.filter}: {sizes}; {step.test_users} users" in printed
    assert "cold users" in printed


def test_rank_evaluate_and_run_agree(tmp_path: Path) -> None:
    train, test, whole, _ = parts_by_hand()
    files = {name: tmp_path / f"{name}.csv" for name in ("train", "test")}
    whole.write_csv(files["train"])
    test.write_csv(files["test"])
    given = ["--train", str(files["train"]), "--test", str(files["test"])]
    run = tmp_path / "kNN.tsv"
    flags = ["--train-filters", TRAIN[0], "--depth", "50", "--system", "user-kNN(k=5)"]
    assert main(["rank", *given, *flags, "--out", str(run)]) == 0
    in_python = cf.rank(
        whole, cf.judge(test, 4), {"kNN": "user-kNN(k=5)"}, depth=50, train_filters=TRAIN[:1]
    )
    by_hand = cf.rank(train, cf.judge(test, 4), {"kNN": "user-kNN(k=5)"}, depth=50)
    assert in_python["kNN"].run.lengths.tolist() == by_hand["kNN"].run.lengths.tolist()
    evaluated = cf.evaluate(
        test, {"kNN": str(run)}, ["nDCG@5"], relevance=4, train=whole, train_filters=TRAIN[:1]
    )
    executed = execute(experiment_of(
        data=None, split={"name": "given", "train": whole, "test": test}, metrics=["nDCG@5"],
        train_filters=TRAIN[:1], systems={"kNN": "user-kNN(k=5)"}, comparison=None,
    ))  # fmt: skip
    value = executed.summary.row("kNN", "nDCG@5").value
    assert evaluated.summary.row("kNN", "nDCG@5").value == pytest.approx(value, abs=1e-12)
    assert evaluated.users == executed.users


def test_pruning_is_an_axis_of_a_study(tmp_path: Path) -> None:
    answers = [[], TRAIN[:1], ["k-core(k=3)"]]
    study = study_of({"vary": {"train_filters": answers, "test_filters": [[], TEST]}, "draws": 0})
    made = execute_study(study, Pipeline(Store(tmp_path / "store")))
    table = made.to_polars()
    assert len(table) == 6
    for answer, spelled in zip(
        answers, table["train_filters"].unique(maintain_order=True), strict=True
    ):
        alone = execute(experiment_of(train_filters=answer, metrics=["nDCG@5"]))
        row = table.filter(train_filters=spelled).row(0, named=True)
        values = {each["system"]: each["value"] for each in row["values"]}
        for system, value in values.items():
            assert alone.summary.row(system, "nDCG@5").value == value
    different = {tuple(each["value"] for each in row) for row in table["values"]}
    assert len(different) == 6  # pruning training or test changes what systems score


def test_filters_are_among_the_decisions_that_a_record_has() -> None:
    made = execute(experiment_of(**BOTH))
    decisions = made.to_dict()["decisions"]
    assert decisions["train_filters"] == ["min-ratings(per=user, at_least=6)", "sample(share=0.8)"]
    assert [each.partition("(")[0] for each in decisions["test_filters"]] == ["rating-range"]
    assert execute(experiment_of()).to_dict()["decisions"]["train_filters"] == []
