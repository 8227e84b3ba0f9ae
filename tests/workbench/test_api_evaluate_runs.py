"""Runs in `evaluate` and `run`: whom they list, where they end, and what is beside them."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import cranfield as cf

TRAIN = pl.DataFrame(
    {"user": [1, 1, 2, 2, 3], "item": [10, 11, 10, 12, 13], "rating": [3, 4, 2, 5, 1]}
)
TEST = pl.DataFrame({"user": [1, 2, 3], "item": [12, 13, 10], "rating": [5, 9, 2]})
RUN = pl.DataFrame(
    {"user": [1, 1, 1, 2, 2, 3], "item": [12, 99, 13, 13, 11, 10], "score": [3, 2, 1, 2, 1, 1]}
)


@pytest.mark.parametrize(("topics", "users"), [("judged", [1, 2, 3]), ("run", [1, 2])])
def test_topics_of_runs_are_the_users_with_a_list_and_a_test_rating(
    topics: Any, users: list[int]
) -> None:
    lists = RUN.filter(pl.col("user") < 3)
    extra = lists.with_columns(user=pl.col("user") + 900)
    made = cf.evaluate(
        TEST, {"mine": pl.concat([lists, extra])}, ["RR"], relevance=4, train=TRAIN, topics=topics
    )
    assert made.scores.user_ids.take(made.scores.topics.users).to_list() == users


def test_a_recommender_has_a_list_for_everybody() -> None:
    table = {
        "relevance": 4, "metrics": ["RR"], "topics": "run", "systems": {"most": "Popularity"},
        "split": {"name": "given", "test": TEST, "train": TRAIN},
        "runs": {"mine": RUN.filter(pl.col("user") == 1)},
    }  # fmt: skip
    made = cf.run(table)
    assert made.scores.user_ids.take(made.scores.topics.users).to_list() == [1, 2, 3]


@pytest.mark.parametrize("depth", [None, 1, 2])
def test_lists_of_recommenders_and_runs_end_at_the_same_depth(depth: int | None) -> None:
    parts = cf.split(cf.read("simulated(size=tiny)"), "per-user(test_share=0.4)")
    system = {"kNN": "user-kNN(k=5)"}
    run = cf.rank(parts.train, cf.judge(parts.test, 4), system, depth=10**6)["kNN"].run
    made = cf.run({
        "data": "simulated(size=tiny)", "split": "per-user(test_share=0.4)", "relevance": 4,
        "metrics": ["Recall", "AP", "nDCG@5", "Gini"], "depth": depth, "systems": system,
        "runs": {"file": run},
    })  # fmt: skip
    for metric in made.scores.metrics:
        of_run, of_system = (made.scores.of(name, metric) for name in ("file", "kNN"))
        assert of_run.tobytes() == of_system.tobytes()
    assert made.lists["kNN"] == made.lists["file"]
    if depth is not None:
        rows = [made.summary.row(name, "Recall") for name in ("kNN", "file")]
        assert rows[0].random == rows[1].random < 1


JUDGED = {"user": [1, 1, 1], "item": [1, 2, 3], "rating": [5, 2, 1]}
SHORT = {"user": [1, 1], "item": [2, 1], "score": [2, 1]}
LONG = {"user": [1] * 4, "item": [2, 1, 98, 99], "score": [4, 3, 2, 1]}


def test_values_of_a_run_do_not_depend_on_runs_beside_it() -> None:
    def rows(runs: dict[str, Any]) -> str:
        made = cf.evaluate(
            JUDGED, runs, ["AUC", "P@1", "Recall", "AP", "RR"], relevance=4, catalogue=[1, 2, 3]
        )
        return repr([row for row in made.summary.rows if row.system == "C"])

    alone = cf.evaluate(JUDGED, {"C": SHORT}, ["AUC", "P@1"], relevance=4, catalogue=[1, 2, 3])
    assert alone.summary.row("C", "AUC").value == 1 / 2, "1 is above 3 and below 2"
    assert alone.summary.row("C", "P@1").random == pytest.approx(1 / 3)
    assert rows({"C": SHORT}) == rows({"C": SHORT, "B": LONG}) == rows({"B": LONG, "C": SHORT})


def test_random_lists_end_at_the_cutoff_or_where_the_longest_list_of_the_system_does() -> None:
    items = list(range(1, 11))
    test = {"user": [1], "item": [1], "rating": [5]}
    runs = {
        str(size): {"user": [1] * size, "item": items[:size], "score": items[:size]}
        for size in (1, 4, 10)
    }
    made = cf.evaluate(test, runs, ["Recall", "Recall@2"], relevance=4, catalogue=items)
    random = {name: made.summary.row(name, "Recall").random for name in runs}
    assert random == {"1": pytest.approx(1 / 10), "4": pytest.approx(4 / 10), "10": 1.0}
    for name in runs:
        assert made.summary.row(name, "Recall@2").random == pytest.approx(2 / 10)


def test_a_run_without_a_list_for_anybody_judged_has_random_lists_of_no_length() -> None:
    test = {"user": [1], "item": [1], "rating": [5]}
    train = {"user": [1, 2], "item": [2, 3], "rating": [5, 5]}
    run = {"user": [2, 2], "item": [1, 4], "score": [2, 1]}
    made = cf.evaluate(
        test, {"mine": run}, ["Recall", "Recall@1"], relevance=4, train=train, catalogue=[1, 4]
    )
    assert made.summary.row("mine", "Recall").random == 0
    assert made.summary.row("mine", "Recall@1").random == pytest.approx(1 / 3)


@pytest.mark.parametrize("depth", [None, 1])
@pytest.mark.parametrize(("ties", "first"), [("item-id", "a"), ("trec_eval", "b")])
def test_lists_are_ordered_as_ties_are_broken(depth: int | None, ties: Any, first: str) -> None:
    """Items a and b have equal scores, and of the two b alone is rated; trec_eval has it first."""
    test = {"user": ["u", "u"], "item": ["b", "c"], "rating": [5, 5]}
    run = {"user": ["u"] * 3, "item": ["a", "b", "c"], "score": [1.0, 1.0, 0.5]}
    made = cf.evaluate(
        test, {"mine": run}, ["P@1", "UnratedShare@1"], relevance=4, catalogue=["a"], ties=ties,
        depth=depth,
    )  # fmt: skip
    assert made.summary.row("mine", "P@1").value == (1 if first == "b" else 0)
    assert made.lists["mine"] == {"UnratedShare@1": 0 if first == "b" else 1}
