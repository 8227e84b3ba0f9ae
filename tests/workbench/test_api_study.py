"""Studies of runs in memory: each design scores what `evaluate` scores by the same decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from suites import STEPS

USERS, ITEMS = 12, 15


def tables() -> tuple[pl.DataFrame, pl.DataFrame, dict[str, pl.DataFrame]]:
    """Training, test and two runs, drawn once; 99 is an item that nobody knows."""
    rng = np.random.default_rng(7)

    def chosen(size: int) -> dict[str, Any]:
        items = [rng.choice(ITEMS, size, replace=False) for _ in range(USERS)]
        return {"user": np.repeat(np.arange(USERS), size), "item": np.concatenate(items)}

    train, test = pl.DataFrame(chosen(3)), pl.DataFrame(chosen(6))
    test = test.with_columns(rating=pl.Series(rng.integers(1, 6, len(test))))
    runs = {}
    for name in "AB":
        run = pl.DataFrame(chosen(8)).with_columns(
            score=pl.Series(np.tile(np.arange(8, 0, -1), USERS))
        )
        runs[name] = run.with_columns(item=pl.when(pl.col("score") == 7).then(99).otherwise("item"))
    return train, test, runs


TRAIN, TEST, RUNS = tables()
BASE: dict[str, Any] = {
    "split": {"name": "given", "train": TRAIN, "test": TEST},
    "relevance": 4,
    "runs": RUNS,
    "metrics": ["nDCG@5"],
    "comparison": {"test": "t"},
}


@pytest.mark.parametrize("step", STEPS)
def test_every_design_scores_what_evaluate_scores(step: int) -> None:
    vary = {
        "cutoff": [2, 5],
        "targets": ["all-items", "condensed"],
        "unknown_items": ["keep", "drop"],
        "training_items": ["keep", "drop"],
        "coverage": ["full", "forgiving"],
    }
    made = cf.study({**BASE, "study": {"vary": vary, "draws": 0}})
    assert len(made.designs) == 2**5
    for place, answers in [*enumerate(made.designs.decisions.to_dicts())][::step]:
        metric = f"nDCG@{int(answers.pop('cutoff'))}"
        alone = cf.evaluate(TEST, RUNS, metric, relevance=4, train=TRAIN, **answers)
        values = [alone.summary.row(name, metric).value for name in RUNS]
        assert made.designs.values[place].tolist() == values


def test_the_base_is_recorded_by_the_fingerprints_of_its_tables() -> None:
    made = cf.study({**BASE, "study": {"vary": {"cutoff": [2, 5]}, "draws": 0}})
    record = made.base.to_dict()["decisions"]
    assert record["runs"]["A"].startswith("table ")
    assert record["runs"]["A"] != record["runs"]["B"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"filters": ["k-core(k=2)"]}, "filters: the split has its own parts: give train_"),
        ({"judged_by": "truth"}, "judged_by: the truth is known of simulated data alone"),
        ({"data": "simulated(size=tiny)"}, "data: the split has training ratings of its own"),
    ],
)
def test_what_given_parts_cannot_answer_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(cf.CranfieldError, match=said):
        cf.run({**BASE, **changes})


@pytest.mark.parametrize("verb", [cf.describe, cf.read, lambda given: cf.split(given, "random")])
@pytest.mark.parametrize("given", [5, None, 2.5])
def test_what_is_no_table_is_refused_with_what_to_pass(verb: Any, given: Any) -> None:
    with pytest.raises(cf.CranfieldError, match=r"is not a table\. Give a table of Polars"):
        verb(given)


def test_tables_are_taken_wherever_ratings_are() -> None:
    assert cf.describe(TEST).to_dict() == cf.describe(cf.read(TEST)).to_dict()
    parts = cf.split(TEST, "per-user(test_share=0.5)", seed=1)
    assert (
        parts.train.fingerprint
        == cf.split(cf.read(TEST), "per-user(test_share=0.5)", seed=1).train.fingerprint
    )
    assert len(cf.filter(TEST, "rating-range(at_least=3)").ratings) == int(
        (TEST["rating"] >= 3).sum()
    )
