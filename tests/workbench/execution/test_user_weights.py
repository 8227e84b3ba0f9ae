"""Weights of users and reference systems on every road: runs, studies, files of scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError, MissingFile
from cranfield.collection.split import split
from cranfield.workbench.api import verify
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.files import write_results
from experiment_cases import experiment_of, file_of, study_of, table_of
from suites import spread

RATINGS = cf.read("simulated(size=tiny)")
IDS = RATINGS.user_ids.take(np.arange(RATINGS.n_users)).to_list()
USERS = pl.DataFrame(
    {
        "user": [*IDS, "nobody"] if RATINGS.user_ids.are_text else [*IDS, 10**6],
        "age": [float(18 + 7 * n % 53) / 4 for n in range(len(IDS) + 1)],
        "name": [f"n{n}" for n in range(len(IDS) + 1)],
    }
)
COLUMN = "weighted-mean(by=column(age))"
FORMS = ("weighted-mean(by=train)", "weighted-mean(by=all)", COLUMN)
REFERENCE = "standardised(reference=[Popularity, Random])"


def rows_of(made: Any) -> pl.DataFrame:
    found: pl.DataFrame = made.summary.to_polars()
    return found


def by_hand(made: Any, weight: dict[Any, float], system: str = "kNN") -> float:
    """Σ w·x/Σ w over the defined scores by nDCG@5, uncovered users scoring 0."""
    rows = made.scores.to_polars().filter(
        (pl.col("system") == system)
        & (pl.col("metric") == "nDCG@5")
        & pl.col("score").is_not_null()
    )
    scores = rows["score"].to_numpy() * rows["covered"].to_numpy()
    return float(np.average(scores, weights=[weight[user] for user in rows["user_id"]]))


def counts(ratings: cf.Ratings) -> dict[Any, float]:
    users = ratings.user_ids.take(ratings.users)
    return {user: float(count) for user, count in users.value_counts().iter_rows()}


def test_users_weigh_by_their_ratings_in_training_in_all_and_by_a_column() -> None:
    parts = split(RATINGS, experiment_of().split, 0)
    ages = dict(zip(USERS["user"], USERS["age"], strict=True))
    known = dict(zip(FORMS, (counts(parts.train), counts(RATINGS), ages), strict=True))
    for aggregation, weight in known.items():
        made = cf.run(table_of(aggregation=aggregation, user_columns=USERS))
        row = made.summary.row("kNN", "nDCG@5")
        assert row.value == pytest.approx(by_hand(made, weight), rel=1e-12)
        assert made.comparison is not None
        pair = made.comparison.pair("nDCG@5", "Random", "kNN")
        assert pair.second_value == row.value
        assert str(made.comparison.choice.test).startswith("weighted-t(by=")


def test_over_folds_all_ratings_are_those_of_the_user_and_training_ratings_their_mean() -> None:
    made = cf.run(table_of(split="k-fold(folds=3)", aggregation="weighted-mean(by=all)"))
    every, columns = counts(RATINGS), made.scores.user_columns
    users = made.scores.user_ids.take(made.scores.topics.users)
    assert columns["all_ratings"].tolist() == [every[user] for user in users]
    folds = split(RATINGS, experiment_of(split="k-fold(folds=3)").split, 0).folds
    both = [(counts(fold.train), counts(fold.test)) for fold in folds]
    means = [
        np.mean([train[user] for train, test in both if user in test and user in train])
        for user in users
    ]
    np.testing.assert_allclose(columns["train_ratings"], means)
    assert made.summary.row("kNN", "nDCG@5").value == pytest.approx(by_hand(made, every))


@pytest.mark.parametrize("aggregation", [COLUMN, "weighted-mean(by=train)", REFERENCE])
def test_a_file_and_a_table_give_the_same_bit_for_bit(tmp_path: Path, aggregation: str) -> None:
    USERS.write_csv(tmp_path / "users.csv")
    path = file_of(tmp_path, aggregation=aggregation, user_columns="users.csv")
    of_file = cf.run(path)
    of_table = cf.run(table_of(aggregation=aggregation, user_columns=USERS))
    assert rows_of(of_file).equals(rows_of(of_table))
    assert of_file.comparison is not None
    assert of_table.comparison is not None
    assert of_file.comparison.to_dict() == of_table.comparison.to_dict()


@pytest.mark.parametrize("aggregation", [*FORMS, REFERENCE])
def test_a_file_of_scores_is_compared_as_the_run_was(tmp_path: Path, aggregation: str) -> None:
    made = cf.run(table_of(aggregation=aggregation, user_columns=USERS))
    made.scores.to_parquet(tmp_path / "scores.parquet")
    table = pl.read_parquet(tmp_path / "scores.parquet")
    assert table.columns[-3:] == ["train_ratings", "all_ratings", "age"]
    found = cf.compare(
        tmp_path / "scores.parquet",
        aggregation=aggregation,
        test=made.comparison.choice.test,  # type: ignore[union-attr]
    )
    assert found.to_dict()["pairs"] == made.comparison.to_dict()["pairs"]  # type: ignore[union-attr]


def test_runs_are_evaluated_as_the_recommenders_that_made_them() -> None:
    parts = split(RATINGS, experiment_of().split, 0)
    ranked = cf.rank(parts.train, cf.judge(parts.test, 4), ["user-kNN(k=5)"], depth=10**6)
    for aggregation in FORMS:
        made = cf.run(table_of(aggregation=aggregation, user_columns=USERS))
        other = cf.evaluate(
            parts.test, {"kNN": ranked["user-kNN(k=5)"].run}, ["nDCG@5"], relevance=4,
            train=parts.train, aggregation=aggregation, user_columns=USERS,
        )  # fmt: skip
        wanted = made.summary.row("kNN", "nDCG@5").value
        assert other.summary.row("kNN", "nDCG@5").value == wanted


def test_a_study_has_the_values_of_single_runs() -> None:
    answers = ["mean", *FORMS, REFERENCE]
    study = study_of({"vary": {"aggregation": answers}}, user_columns=USERS, metrics=["nDCG@5"])
    found = cf.study(study).designs
    for place, aggregation in enumerate(answers):
        made = cf.run(table_of(aggregation=aggregation, user_columns=USERS, metrics=["nDCG@5"]))
        wanted = [made.summary.row(name, "nDCG@5").value for name in made.scores.systems]
        assert found.values[place].tolist() == wanted
        assert found.decisions["aggregation"][place] == aggregation


def test_a_reference_file_beside_the_definition_is_found(tmp_path: Path) -> None:
    """The value of a system is the same with other systems, and with none."""
    whole = cf.run(table_of(aggregation=REFERENCE))
    rows = whole.scores.to_polars()
    rows.filter(pl.col("system") != "kNN").write_parquet(tmp_path / "old.parquet")
    wanted = whole.summary.row("kNN", "nDCG@5").value
    for systems in ({"kNN": "user-kNN(k=5)"}, {"kNN": "user-kNN(k=5)", "other": "Random"}):
        path = file_of(tmp_path, systems=systems, aggregation="standardised(reference=old.parquet)")
        row = cf.run(path).summary.row("kNN", "nDCG@5")
        assert row.value == pytest.approx(wanted, rel=1e-12)
        assert row.random == pytest.approx(row.random)  # random rankings stand somewhere too
        assert 0 < row.random < 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"aggregation": COLUMN}, r'user_columns: .* has the column "age"'),
        ({"aggregation": "standardised(reference=[kNN, kkNN])"}, 'no system is called "kkNN"'),
    ],
)
def test_what_an_aggregation_lacks_is_said_where_it_is_defined(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(CranfieldError, match=said):
        read_table(table_of(**changes))


@pytest.mark.parametrize(
    ("users", "said"),
    [
        (USERS.rename({"age": "ages"}), r'no column is called "age".* Did you mean "ages"'),
        (USERS.with_columns(age=pl.lit("old")), 'no column is called "age"'),
        (USERS.tail(-1), rf'user "?{IDS[0]}"? has no "age"'),
        (USERS.with_columns(age=pl.lit(-1.0)), 'has -1 as "age"'),
        (pl.concat([USERS, USERS.head(1)]), "is not a user once"),
        (USERS.rename({"age": "score"}), 'scores have a column "score" already'),
        (USERS.drop("user"), 'no column for "user'),
    ],
)
def test_a_table_of_users_that_does_not_do_is_refused(users: pl.DataFrame, said: str) -> None:
    with pytest.raises(CranfieldError, match=said):
        cf.run(table_of(aggregation=COLUMN, user_columns=users))


def test_a_reference_file_that_is_missing_is_refused_before_anything_is_read() -> None:
    asked = experiment_of(aggregation="standardised(reference=nowhere.parquet)")
    pipeline = Pipeline()
    with pytest.raises(MissingFile, match=r"nowhere\.parquet"):
        pipeline.prepare(asked)
    assert pipeline.seconds == {}


@pytest.mark.parametrize("kind", spread(["column", "file"], every=2))
def test_results_with_weights_and_a_reference_are_verified(tmp_path: Path, kind: str) -> None:
    """Names of files may hold blanks, which the record must spell."""
    USERS.write_csv(tmp_path / "all users.csv")
    execute(experiment_of()).scores.to_parquet(tmp_path / "old scores.parquet")
    asked = {"aggregation": COLUMN, "user_columns": str(tmp_path / "all users.csv")}
    if kind == "file":
        asked = {"aggregation": f'standardised(reference="{tmp_path}/old scores.parquet")'}
    made = execute(experiment_of(**asked))
    write_results(made, tmp_path / "results")
    again = verify(tmp_path / "results")
    assert rows_of(again).equals(rows_of(made))
