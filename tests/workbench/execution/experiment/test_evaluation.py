"""Evaluation in parts: blocks of users, order of rows and threads change no digit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield
from cranfield.base.errors import CranfieldError
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import Run
from cranfield.workbench import inventory
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.runs import join_lists
from cranfield.workbench.results.evaluation import Evaluation
from experiment_cases import experiment_of
from suites import spread

inventory.load()

METRICS = ["P@5", "nDCG@10", "RR", "ERR", "InfAP", "AUC", "CatalogueCoverage@3", "EPC@3", "Gini"]
DECISIONS: list[dict[str, Any]] = [
    {},
    {"ties": "random", "seed": 3},
    {"ties": "trec_eval", "topics": "run"},
    {"targets": "one-relevant, sampled(n=10)"},
    {"targets": "condensed", "unknown_items": "drop"},
    {"targets": "percentiles(m=3)", "training_items": "keep"},
]


def collection(text: bool = False) -> tuple[Ratings, Ratings, pl.DataFrame]:
    """Training, test and a run with all that is odd: ties, unknown_items, training items."""
    rng = np.random.default_rng(5)
    pairs = rng.permutation(40 * 30)[:500]
    rated = pl.DataFrame({"user": pairs // 30, "item": pairs % 30, "rating": pairs % 5 + 1})
    rows = np.sort(rng.permutation(50 * 45)[:1500])
    run = pl.DataFrame({"user": rows // 45, "item": rows % 45, "score": rng.integers(0, 9, 1500)})
    run = run.filter(pl.col("user") % 7 != 3)
    if text:
        run = run.with_columns(pl.col("user").cast(pl.String))
    return Ratings.from_frame(rated[:250]), Ratings.from_frame(rated[250:]), run


def evaluated(decisions: dict[str, Any], rows_at_once: int, run: Any, metrics: Any) -> Evaluation:
    train, test, _ = collection()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.recommendation.runs.source.ROWS_AT_ONCE", rows_at_once)
        return cranfield.evaluate(
            test, {"mine": run, "half": run}, metrics, relevance=3, train=train,
            by=("popularity:3", "activity:3"), **{"seed": 1, **decisions},
        )  # fmt: skip


def assert_same(one: Evaluation, other: Evaluation) -> None:
    assert np.array_equal(one.scores.values, other.scores.values, equal_nan=True)
    assert np.array_equal(one.scores.covered, other.scores.covered)
    assert one.reports == other.reports
    assert one.to_dict() == other.to_dict()


@pytest.mark.long
@pytest.mark.parametrize("text", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("decisions", spread(DECISIONS, every=2), ids=str)
def test_blocks_of_users_change_nothing(
    decisions: dict[str, Any], text: bool, tmp_path: Path
) -> None:
    path = tmp_path / "run.parquet"
    collection(text)[2].write_parquet(path, row_group_size=100)
    whole = evaluated(decisions, 10**9, path, METRICS)
    assert any(np.isfinite(whole.scores.values).ravel())
    for rows in (60, 500):
        assert_same(whole, evaluated(decisions, rows, path, METRICS))


@pytest.mark.long
def test_rows_in_any_order_change_no_score_in_any_number_of_blocks(tmp_path: Path) -> None:
    path, mixed = tmp_path / "run.parquet", tmp_path / "mixed.parquet"
    run = collection()[2]
    run.write_parquet(path)
    run.sample(fraction=1, shuffle=True, seed=2).write_parquet(mixed, row_group_size=64)
    whole, parts = evaluated({}, 10**9, path, METRICS), evaluated({}, 200, mixed, METRICS)
    assert np.array_equal(whole.scores.values, parts.scores.values, equal_nan=True)
    assert whole.summary.rows == parts.summary.rows


@pytest.mark.long
def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = collection()[2]
    monkeypatch.setenv("CRANFIELD_THREADS", "1")
    alone = evaluated({}, 300, run, METRICS)
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    assert_same(alone, evaluated({}, 300, run, METRICS))


def test_all_systems_are_scored_on_the_same_topics() -> None:
    run = collection()[2]
    made = evaluated({}, 10**9, run, ["P@5"])
    assert np.array_equal(made.scores.values[0], made.scores.values[1], equal_nan=True)


@pytest.mark.parametrize("rows", [10**9, 100])
def test_a_run_without_a_common_user_is_refused_in_any_number_of_blocks(rows: int) -> None:
    strange = collection()[2].with_columns(pl.col("user") + 1000)
    with pytest.raises(CranfieldError, match="user"):
        evaluated({}, rows, strange, ["P@5"])


@pytest.mark.parametrize("rows", [10**9, 100])
def test_a_missing_id_is_refused_in_any_number_of_blocks(rows: int) -> None:
    holed = collection()[2].with_columns(pl.col("item").replace(5, None))
    with pytest.raises(CranfieldError, match="is not an id"):
        evaluated({}, rows, holed, ["P@5"])


@pytest.mark.parametrize("rows", [10**9, 100])
def test_a_repeated_item_is_refused_in_any_number_of_blocks(rows: int) -> None:
    run = collection()[2]
    twice = pl.concat([run, run[700:701]])
    with pytest.raises(CranfieldError, match="1 row repeats an item of its list"):
        evaluated({}, rows, twice, ["P@5"])


@pytest.mark.long
def test_the_random_expectation_depends_on_no_run() -> None:
    run = collection()[2]
    full = evaluated({}, 10**9, run, ["ERR"])
    half = evaluated({}, 10**9, run.filter(pl.col("score") != 4), ["ERR"])
    depth = [max(r.depth or 0 for r in made.summary.rows) for made in (full, half)]
    assert depth[0] >= depth[1]
    same = replace(full.summary.rows[0], value=0).random
    again = evaluated({}, 10**9, run.sample(fraction=1, shuffle=True, seed=1), ["ERR"])
    assert again.summary.rows[0].random == same


def test_the_python_function_takes_spellings_and_tables() -> None:
    train, test, run = collection()
    made = cranfield.evaluate(
        test, {"mine": run.to_dict(as_series=False)}, ["ndcg@5", "Gini@5"], relevance=3,
        train=train, by=["activity:2"], coverage="forgiving",
    )  # fmt: skip
    assert made.scores.metrics == ("nDCG@5",)
    assert set(made.lists["mine"]) == {"Gini@5"}
    assert made.breakdowns[0].name == "activity"
    assert made.to_dict()["decisions"]["coverage"] == "forgiving"


@pytest.mark.parametrize("decisions", [*DECISIONS, {"ties": "expected"}], ids=str)
def test_scores_alone_are_those_of_an_evaluation(decisions: dict[str, Any]) -> None:
    train, test, run = collection()
    given = test, {"mine": run, "half": run[: run.height // 2]}, ["P@5", "nDCG@10", "RR", "AP"]
    alone = cranfield.score(*given, relevance=3, train=train, **decisions)
    whole = cranfield.evaluate(*given, relevance=3, train=train, **decisions).scores
    assert (alone.systems, alone.metrics) == (whole.systems, whole.metrics)
    assert np.array_equal(alone.values, whole.values, equal_nan=True)
    assert np.array_equal(alone.covered, whole.covered)
    assert alone.to_polars().equals(whole.to_polars())
    for name in ("judged", "relevant"):
        assert np.array_equal(getattr(alone, name), getattr(whole, name))


@pytest.mark.parametrize(
    ("runs", "metrics", "decisions", "said"),
    [
        ({}, ["RR"], {}, "at least one is needed, .* or one run"),
        (None, [], {}, "metrics: at least one is needed, such as nDCG@10"),
        (None, ["Gini"], {}, "a score per user"),
        (None, ["RR"], {"aggregation": "median"}, "score has no keyword"),
    ],
)
def test_scores_alone_take_only_what_changes_them(
    runs: Any, metrics: list[str], decisions: dict[str, Any], said: str
) -> None:
    _, test, run = collection()
    with pytest.raises(CranfieldError, match=said):
        cranfield.score(
            test, {"mine": run} if runs is None else runs, metrics, relevance=3, **decisions
        )


@pytest.mark.parametrize("call", [cranfield.evaluate, cranfield.score])
@pytest.mark.parametrize("missing", ["judgments", "train", "run"])
def test_a_missing_file_is_told_before_any_is_read(
    call: Any, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.workbench.execution.pipeline.run_concurrently", None)
    for name in {"judgments", "train", "run"} - {missing}:
        (tmp_path / name).write_text("user,item,rating,score\n1,2,3,4\n")
    judgments, train, run = (str(tmp_path / name) for name in ("judgments", "train", "run"))
    with pytest.raises(CranfieldError, match=f"{missing}: there is no such file"):
        call(judgments, {"mine": run}, ["P@1"], relevance=3, train=train)


@pytest.mark.parametrize(
    ("metrics", "depth"),
    [(["P@2", "RR"], 2), (["P@2", "Gini@4"], 4), (["P@12", "Gini@4"], 12), (["RR", "Gini"], 10)],
)
def test_lists_are_inspected_down_to_the_deepest_cutoff(metrics: list[str], depth: int) -> None:
    """User 1 has a list of 3 items, user 2 none; without a cut-off the depth is 10."""
    test = {"user": [1, 2], "item": [7, 8], "rating": [5, 5]}
    run = {"user": [1, 1, 1], "item": [7, 8, 9], "score": [3, 2, 1]}
    row = cranfield.evaluate(test, {"mine": run}, metrics, relevance=4).summary.rows[0]
    assert row.depth == depth
    assert row.user_coverage == 1 / 2
    assert row.coverage == pytest.approx(min(3, depth) / (depth * 2))
    assert row.unjudged == pytest.approx(1 - 1 / min(3, depth)), "of the list's items, 7 is judged"


@pytest.mark.parametrize(("metric", "tied"), [("P@1", 0 / 1), ("P@2", 1 / 2), ("P@3", 2 / 3)])
def test_a_tie_with_the_item_below_the_last_position_counts(metric: str, tied: float) -> None:
    """Items 1, 2, 3 and 4 are predicted 9, 8, 8 and 7."""
    predictions = np.array([9.0, 8.0, 8.0, 7.0])
    rated = {"item": [1, 2, 3, 4], "rating": [5, 5, 5, 5]}
    made = cranfield.run({
        "split": {
            "name": "given",
            "train": {"user": [1, 1, 1, 1], **rated}, "test": {"user": [2, 2, 2, 2], **rated},
        },
        "relevance": 4, "metrics": [metric], "least_train": 0,
        "systems": {"mine": lambda train, users: np.tile(predictions, (len(users), 1))},
    })  # fmt: skip
    assert made.summary.row("mine", metric).tied == pytest.approx(tied)


def test_metrics_of_runs_are_averaged_over_folds() -> None:
    asked = experiment_of(split="k-fold(folds=2)", metrics=["P@5", "Gini@5"])
    road = Pipeline()
    data = road.prepare(asked)
    whole = evaluate_prepared(asked, data, road).lists
    apart = [
        evaluate_prepared(asked, replace(data, folds=(fold,)), road).lists for fold in data.folds
    ]
    for name in asked.names:
        one, two = (each[name]["Gini@5"] for each in apart)
        assert whole[name]["Gini@5"] == pytest.approx((one + two) / 2)
        assert one != two


def test_unknown_items_of_several_parts_are_one_unknown_item() -> None:
    """Each part has numbered them by itself, from −1 down."""
    parts = [
        Run(
            "mine",
            Topics(np.array([user], np.int32)),
            np.array([0, 3]),
            np.array([4, -1, -2], np.int32),
            np.array([3.0, 2.0, 1.0]),
            np.array([0]),
            Ids(pl.Series(names)),
        )
        for user, names in enumerate((["x", "y"], ["y", "z"]))
    ]
    joined = join_lists("mine", parts)
    assert joined.items.tolist() == [4, -1, -1] * 2
    assert joined.offsets.tolist() == [0, 3, 6]
    assert joined.topics.users.tolist() == [0, 1]
    assert len(joined.unknown_items) == 1
