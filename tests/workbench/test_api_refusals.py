"""What is of the wrong kind is refused in a sentence, in every public verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import cranfield as cf

TEST = {"user": [1, 1, 2], "item": [7, 8, 7], "rating": [5, 2, 4]}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda cf: cf.rank(TEST, "test.csv", ["Random"]), '"test.csv" is not Judgments.'),
        (lambda cf: cf.rank(TEST, TEST, ["Random"]), "dict is not Judgments."),
        (lambda cf: cf.run(3), "3 is not an experiment. Give an Experiment, a table or a file."),
        (lambda cf: cf.run(None), "NoneType is not an experiment"),
        (lambda cf: cf.study([1]), "list is not an experiment"),
        (lambda cf: cf.compare(3), "3 is not Scores, an Evaluation or a file of scores."),
        (lambda cf: cf.assess("correlation", 3), "3 is not Scores"),
        (
            lambda cf: cf.assess(3, "scores.parquet"),
            "3 is not a criterion. `cranfield options criterion`",
        ),
        (lambda cf: cf.split(TEST, "per-user", seed="one"), 'seed: "one" is not a whole number'),
        (lambda cf: cf.split(TEST, "per-user", seed=-1), "seed: -1 is not a whole number"),
        (lambda cf: cf.filter(TEST, "k-core(k=1)", seed=1.5), "seed: 1.5 is not a whole"),
        (
            lambda cf: cf.evaluate({"user": [1]}, {"a": "a.tsv"}, ["P@5"], relevance=4),
            'judgments: no column for "item_id"',
        ),
        (
            lambda cf: cf.evaluate(TEST, {"a": "a.tsv"}, ["P@5"], relevance=4, train={"user": [1]}),
            'train: no column for "item_id"',
        ),
        (
            lambda cf: cf.evaluate(TEST, "a.tsv", ["P@5"], relevance=4),
            '"a.tsv" is not a table of runs by their names, as in mine = "mine.tsv"',
        ),
        (
            lambda cf: cf.read_results("nowhere"),
            "there is no such file. Give a folder that `cranfield run --out` wrote.",
        ),
    ],
)
def test_a_wrong_kind_is_refused_in_a_sentence(call: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(cf.CranfieldError) as refused:
        call(cf)
    assert said in str(refused.value)


def test_judgments_of_the_right_kind_are_ranked_for() -> None:
    judgments = cf.judge(cf.read(TEST), relevance=4)
    made = cf.rank(cf.read({"user": [1, 2], "item": [9, 8]}), judgments, ["Random"])
    assert list(made) == ["Random"]
