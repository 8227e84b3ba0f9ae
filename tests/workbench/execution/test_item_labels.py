"""Labels of items in an experiment: files and tables, every command, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError
from cranfield.collection.split import split
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.results.methods.methods import methods_of
from experiment_cases import experiment_of, file_of, same_scores, table_of

RATINGS = cf.read("simulated(size=tiny)")
ITEMS = RATINGS.item_ids.values.to_list()
LABELS = pl.DataFrame(
    {
        "item": ITEMS,
        "genre": [["War|Drama", "Drama", "Comedy|War", None][at % 4] for at in range(len(ITEMS))],
        "year": [1990 + at % 3 for at in range(len(ITEMS))],
    }
)
PER_LIST = [
    "AWRF(by=label(column=genre))@5",
    "Miscalibration(by=label(column=year))@5",
    "APLT@5",
    "ACLT@5",
]
OF_RUNS = [
    "RSP(by=label(column=genre))@5",
    "REO(by=label(column=year))@5",
    "EEL(by=label(column=genre))@5",
    "Entropy@5",
]
METRICS = ["P@5", *PER_LIST, *OF_RUNS, "ItemMAD(by=label(column=year))@5", "RSP@5", "REO@5"]
KNN = {"kNN": "user-kNN(k=5)"}


def of_tables(**changes: Any) -> Any:
    return execute(experiment_of(metrics=METRICS, item_labels=LABELS, **changes))


def test_labels_of_files_are_those_of_tables(tmp_path: Path) -> None:
    LABELS.write_csv(tmp_path / "labels.csv")
    path = file_of(tmp_path, metrics=METRICS, item_labels="labels.csv")
    from_file, from_table = cf.run(path), cf.run(table_of(metrics=METRICS, item_labels=LABELS))
    assert from_file.lists == from_table.lists
    assert same_scores(from_file.scores, from_table.scores)
    assert all(np.isfinite(list(values.values())).all() for values in from_file.lists.values())


def test_a_recommender_and_its_run_have_the_same_values() -> None:
    parts = split(RATINGS, experiment_of().split, 0)
    run = cf.rank(parts.train, cf.judge(parts.test, 4), KNN, depth=10**6)["kNN"].run
    made = of_tables(systems=KNN)
    scale = float(RATINGS.values.min()), float(RATINGS.values.max())
    given: dict[str, Any] = {"train": parts.train, "scale": scale, "item_labels": LABELS}
    other = cf.evaluate(parts.test, {"kNN": run}, METRICS, relevance=4, **given)
    assert made.lists == other.lists
    assert same_scores(made.scores, other.scores)
    alone = cf.score(parts.test, {"kNN": run}, ["P@5", *PER_LIST], relevance=4, **given)
    assert same_scores(alone, other.scores)


def test_values_are_averaged_over_folds() -> None:
    values = []
    made = of_tables(split="k-fold(folds=3)", systems=KNN)
    for fold in split(RATINGS, made.experiment.split, 0).folds:
        run = cf.rank(fold.train, cf.judge(fold.test, 4), KNN)["kNN"].run
        given: dict[str, Any] = {"train": fold.train, "item_labels": LABELS}
        other = cf.evaluate(fold.test, {"kNN": run}, OF_RUNS, relevance=4, **given)
        values.append([other.lists["kNN"][name] for name in OF_RUNS])
    found = [made.lists["kNN"][name] for name in OF_RUNS]
    assert found == pytest.approx(np.mean(values, axis=0).tolist(), rel=1e-12)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a split, a run of it, and labels."""
    monkeypatch.chdir(tmp_path)
    parts = split(RATINGS, experiment_of().split, 0)
    names = ("kNN", "Popularity")
    made = cf.rank(
        parts.train, cf.judge(parts.test, 4), {"kNN": KNN["kNN"], "Popularity": "Popularity"}
    )
    for name in names:
        table = made[name].run.table(RATINGS.user_ids, RATINGS.item_ids)
        table.write_csv(f"{name}.csv")
    for name, part in (("train", parts.train), ("test", parts.test)):
        part.to_polars().write_csv(f"{name}.csv")
    LABELS.write_csv("labels.csv")
    return tmp_path


GIVEN = [
    *("--judgments", "test.csv", "--train", "train.csv", "--relevance", "4"),
    *("--run", "kNN=kNN.csv", "--run", "Popularity=Popularity.csv", "--item-labels", "labels.csv"),
]


def test_the_commands_take_labels_as_python_does(folder: Path) -> None:
    asked = [word for metric in METRICS for word in ("-m", metric)]
    assert main(["evaluate", *GIVEN, *asked, "--json", "out.json"]) == 0
    record = json.loads((folder / "out.json").read_text())
    runs = {name: f"{name}.csv" for name in ("kNN", "Popularity")}
    given: dict[str, Any] = {"train": "train.csv", "item_labels": "labels.csv"}
    made = cf.evaluate("test.csv", runs, METRICS, relevance=4, **given)
    for name in METRICS:
        row = made.lists["kNN"].get(name)
        wanted = made.summary.row("kNN", name).value if row is None else row
        assert record["systems"]["kNN"][name]["value"] == wanted
    assert record["decisions"]["item_labels"] == "labels.csv"
    assert main(["compare", *GIVEN, "-m", PER_LIST[0], "-m", PER_LIST[1]]) == 0


def test_the_store_tells_labels_apart(tmp_path: Path) -> None:
    other = LABELS.with_columns(pl.col("year").sort())
    changes: dict[str, Any] = {"metrics": PER_LIST[:2], "systems": KNN}
    found = [
        cf.run(table_of(item_labels=labels, **changes), store=tmp_path).scores
        for labels in (LABELS, other, LABELS)
    ]
    assert same_scores(found[0], found[2])
    assert not same_scores(found[0], found[1])


def test_items_without_a_label_are_noted_and_labels_told_of() -> None:
    made = of_tables(systems=KNN)
    missing = LABELS["genre"].null_count()
    assert f'{missing} items have no label in column "genre" and belong to no group.' in made.notes
    assert not any('"year"' in note for note in made.notes)
    assert "; labels of items are those of a table." in methods_of(made)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, r'needs a column of labels called "genre". Give a table .*item_labels'),
        (LABELS.drop("genre"), r'no column is called "genre", which was named for "label"'),
        (LABELS.rename({"genre": "genres"}), r'Did you mean "genres"\?'),
        (LABELS.rename({"item": "thing"}), 'no column for "item_id"'),
        (pl.concat([LABELS, LABELS[:1]]), "is not an item once"),
        (
            pl.concat([LABELS, pl.DataFrame({"item": ["none"], "genre": ["Noir"], "year": [1]})]),
            r'column "genre": "Noir" is not a label of at least one item',
        ),
        (LABELS.with_columns(genre=pl.lit("")), 'no item has a label in column "genre"'),
        (LABELS.with_columns(genre=pl.col("genre").str.split("|")), "is not of text or numbers"),
        ("nowhere.csv", "nowhere.csv"),
    ],
)
def test_labels_that_are_of_no_use_are_refused_by_name(labels: Any, words: str) -> None:
    for metric in ("RSP(by=label(column=genre))@5", "AWRF(by=label(column=genre))@5"):
        with pytest.raises(CranfieldError, match=words):
            cf.run(table_of(metrics=["P@5", metric], item_labels=labels, systems=KNN))
