"""Which items valcarce2018's authors call popular, by their figures for Popularity."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import cranfield.collection.targets
import cranfield.scoring.metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.target_choice import choose_targets, parse_targets
from cranfield.collection.test_collection import collect
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommenders.popularity import Popularity
from cranfield.validity.criteria.robustness import Robustness
from cranfield.validity.criterion import Evidence, evidence_of_items

DATA, PUBLISHED = os.environ.get("CRANFIELD_DATA"), os.environ.get("CRANFIELD_PUBLISHED")

pytestmark = pytest.mark.skipif(
    not (DATA and PUBLISHED), reason="needs $CRANFIELD_DATA and $CRANFIELD_PUBLISHED"
)

COLUMNS = {"P@100": "P_100", "nDCG(ideal=full)@100": "ndcg", "RR@100": "recip_rank"}
SIZES = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95)
AUTHORS = Robustness(
    scenarios=("popular-items",), sizes=SIZES, popular_by="train", of="all-items", undefined="zero"
)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Popularity, twice, on the authors' split of MovieLens 1M."""
    whole = Ratings.from_frame(pl.read_parquet(Path(DATA or "") / "movielens-1m/ratings.parquet"))
    with gzip.open(Path(PUBLISHED or "") / "valcarce2018/ml-1m_test.qrels.gz") as opened:
        judged = np.loadtxt(opened, dtype=np.int64)
    users = whole.user_ids.encode(pl.Series(judged[:, 0])).astype(np.int64)
    items = whole.item_ids.encode(pl.Series(judged[:, 2]))
    pairs = whole.users * np.int64(whole.n_items) + whole.items
    test = np.isin(pairs, users * whole.n_items + items)
    collection = collect(whole.take(~test), whole.take(test), relevance=4)
    targets = choose_targets(collection, parse_targets("all-items"))
    hits = rank(Popularity().fit(collection.train, Seeds(1)), [targets])[0].hits
    metrics = tuple(parse("metric", name) for name in COLUMNS)
    known = evidence_of_items([collection])
    return replace(known, hits={"one": hits, "two": hits}, metrics=metrics)


def worst(asked: Robustness, evidence: Evidence) -> float:
    """How far the values are from the authors' at most, over sizes and metrics."""
    values = (
        asked.assess(evidence)
        .details["values"]
        .filter(pl.col("mean") == "arithmetic", pl.col("system") == "one")
    )
    table = pl.read_csv(Path(PUBLISHED or "") / "valcarce2018/ml-1m_metrics_by_popularity.csv")
    theirs = table.filter(pl.col("Recommender") == "Pop")
    differences = [
        float(row["value"]) - theirs.filter(pl.col("Percentage") == row["size"])[COLUMNS[metric]][0]
        for metric in COLUMNS
        for row in values.filter(pl.col("metric") == metric).to_dicts()
    ]
    return float(np.abs(differences).max())


def test_popular_means_most_training_ratings_and_shares_are_of_all_items(
    evidence: Evidence,
) -> None:
    found = worst(AUTHORS, evidence)
    assert found < 0.0003
    assert worst(replace(AUTHORS, popular_by="test"), evidence) > 5 * found
    assert worst(replace(AUTHORS, of="test-items"), evidence) > 5 * found
