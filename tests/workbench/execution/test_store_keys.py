"""What is stored is found again by all that it depends on, and by nothing less."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.collection.sources.simulated import Simulated
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.data.prepared_data import ranking_inputs
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.store.store import Store
from suites import spread

TABLE: dict[str, Any] = {
    "data": "simulated(size=tiny)",
    "split": "per-user(test_share=0.3)",
    "relevance": 4,
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=5)"},
    "metrics": ["nDCG@5", "ERR@5", "StratifiedRecall(gamma=0.5)@5"],
    "seed": 1,
}


def experiment(**changes: Any) -> Experiment:
    return read_table({name: v for name, v in {**TABLE, **changes}.items() if v is not None})


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    spread([
        {"scale": [0, 10]},
        {"scale": [1, 6]},
        {"judged_share": 0.5},
        {"relevance": 5},
        {"depth": 2},
        {"ties": "pessimistic"},
        {"unscored": "popularity"},
        {"training_items": "keep"},
        {"topics": "relevant"},
        {"targets": "condensed"},
        {"metrics": ["nDCG@3", "ERR@5", "StratifiedRecall(gamma=1)@5"]},
        {"seed": 2},
        {"filters": ["k-core(k=2)"]},
        {"train_filters": ["sample(share=0.7)"]},
        {"test_filters": ["sample(share=0.7)"]},
        {"split": "per-user(test_share=0.4)"},
    ], every=3),
)  # fmt: skip
def test_a_full_store_changes_no_bit_of_another_experiment(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    execute(experiment(), Pipeline(store))
    fresh, stored = execute(experiment(**changes)), execute(experiment(**changes), Pipeline(store))
    assert fresh.scores.values.tobytes() == stored.scores.values.tobytes()
    for one, two in zip(fresh.summary.rows, stored.summary.rows, strict=True):
        assert repr(one) == repr(two)


@pytest.mark.long
@pytest.mark.parametrize("change", [{"depth": 2}, {"seed": 2}], ids=str)
def test_random_rankings_are_stored_by_where_they_end_and_by_their_seed(
    change: dict[str, Any], tmp_path: Path
) -> None:
    """Parts that are given depend on no seed; what random lists score by ERR is drawn."""
    ratings = Simulated(size="tiny").read()
    odd = np.arange(len(ratings)) % 2 == 1
    split = {"name": "given", "train": ratings.take(~odd), "test": ratings.take(odd)}
    store = Store(tmp_path / "store")
    first = experiment(
        split=split, data=None, systems={"P": "Popularity"}, metrics=["ERR@3", "Recall"]
    )
    other = replace(first, **change)
    rows = [execute(each, Pipeline(store)).summary.rows for each in (first, other)]
    assert [row.random for row in rows[0]] != [row.random for row in rows[1]]
    assert repr(rows[1]) == repr(execute(other).summary.rows)


def test_hits_are_named_by_the_rating_scale() -> None:
    pipeline = Pipeline()
    names = []
    for scale in ([1, 5], [0, 10]):
        asked = experiment(scale=scale)
        data = pipeline.prepare(asked)
        names.append(ranking_inputs(asked, pipeline.targets(data, data.folds[0], asked)))
    assert names[0]["targets"] == names[1]["targets"]
    assert names[0] != names[1]


def test_lenient_scores_are_told_from_strict_ones(tmp_path: Path) -> None:
    """A gain that cannot map a rating is undefined in a study, and an error in a run."""
    asked = replace(experiment(), metrics=(parse("metric", "nDCG(gain=table(gains={5: 1}))@5"),))
    pipeline = Pipeline(Store(tmp_path / "store"))
    data = pipeline.prepare(asked)
    lenient = RankingCondition(experiment=asked, metrics=asked.metrics, lenient=True)
    scores = pipeline.score(data, [lenient])[0]
    assert np.isnan(scores.values).all()
    strict = replace(lenient, lenient=False)
    with pytest.raises(Exception, match="gain"):
        pipeline.score(data, [strict])
