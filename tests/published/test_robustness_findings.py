"""The findings of valcarce2020 §6.3 on MovieLens 1M, with systems and scores computed here.

Those about large users depend on the systems and are not held to here; see docs/6-validity.md.
"""

from __future__ import annotations

import gzip
import os
import tomllib
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.topics import UserChoice
from cranfield.recommendation.choice import RankingChoice
from cranfield.validity.criteria import Robustness
from cranfield.validity.criterion import Evidence
from cranfield.workbench import inventory
from cranfield.workbench.ranking_steps import choose_targets, collect, run_system

DATA, PUBLISHED = os.environ.get("CRANFIELD_DATA"), os.environ.get("CRANFIELD_PUBLISHED")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (DATA and PUBLISHED), reason="needs $CRANFIELD_DATA and $CRANFIELD_PUBLISHED"
    ),
]

SYSTEMS = (
    "Random", "Popularity", "PureSVD", "RW", "LM-WSR-IB", "LM-WSR-UB", "CHI2", "KLD", "RM1",
    "NNCosNgbr-UB", "NNCosNgbr-IB", "PLSA",
)  # fmt: skip
"""Those of the 21 that are fitted in seconds."""

METRICS = ("P@100", "nDCG@100", "nDCG@5", "RR@100", "ERR@100", "Bpref@100", "InfAP@100")

Areas = dict[tuple[str, str], float]


@pytest.fixture(scope="module")
def areas() -> Areas:
    """The area under τ by scenario and metric, for the arithmetic mean."""
    inventory.load()
    whole = Ratings.from_frame(pl.read_parquet(Path(DATA or "") / "movielens-1m/ratings.parquet"))
    with gzip.open(Path(PUBLISHED or "") / "valcarce2018/ml-1m_test.qrels.gz") as opened:
        judged = np.loadtxt(opened, dtype=np.int64)
    users = whole.user_ids.encode(pl.Series(judged[:, 0])).astype(np.int64)
    items = whole.item_ids.encode(pl.Series(judged[:, 2]))
    pairs = whole.users * np.int64(whole.n_items) + whole.items
    test = np.isin(pairs, users * whole.n_items + items)
    parts = collect(whole.take(~test), whole.take(test), relevance=4)
    targets = choose_targets(parts, [parse_targets("all-items")], UserChoice(), 1)
    text = files("cranfield.recommendation").joinpath("published.toml").read_text("utf-8")
    spelled = tomllib.loads(text)["ml-1m"]
    hits = {
        name: run_system(name, parse("recommender", spelled[name]), targets, RankingChoice(seed=1))
        .ranked[0]
        .hits.cut(100)
        for name in SYSTEMS
    }
    metrics = tuple(parse("metric", name) for name in METRICS)
    made = Robustness(samples=5).assess(Evidence(hits=hits, metrics=metrics))
    table = made.tables["area under τ, arithmetic mean"]
    return {
        (scenario, metric): value
        for scenario in table.columns[1:]
        for metric, value in zip(table["metric"], table[scenario], strict=True)
    }


@pytest.mark.parametrize("metric", ["P@100", "nDCG@100"])
def test_precision_and_ndcg_stand_missing_ratings_best(areas: Areas, metric: str) -> None:
    others = ("RR@100", "ERR@100", "Bpref@100", "InfAP@100")
    assert areas["ratings", metric] > max(areas["ratings", other] for other in others)


def test_missing_items_hurt_more_than_missing_ratings(areas: Areas) -> None:
    for metric in ("P@100", "nDCG@100", "RR@100", "ERR@100"):
        assert areas["items", metric] < areas["ratings", metric]


def test_reciprocal_ranks_stand_missing_items_worst(areas: Areas) -> None:
    for scenario in ("items", "popular-items"):
        order = sorted(
            (name for name in METRICS if name.endswith("@100")),
            key=lambda name: areas[scenario, name],
        )
        assert set(order[:2]) == {"RR@100", "ERR@100"}


def test_missing_users_hurt_little(areas: Areas) -> None:
    assert min(areas["users", metric] for metric in ("P@100", "nDCG@100", "RR@100")) > 0.9


def test_deep_cutoffs_stand_missing_ratings_and_items_better(areas: Areas) -> None:
    for scenario in ("ratings", "items", "popular-items"):
        assert areas[scenario, "nDCG@100"] > areas[scenario, "nDCG@5"]
