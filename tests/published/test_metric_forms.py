"""The forms of metrics that valcarce2018's authors used, by their figures for Popularity."""

from __future__ import annotations

import gzip
import os
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
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommenders.popularity import Popularity
from cranfield.scoring.measurement.measure import measure

DATA, PUBLISHED = os.environ.get("CRANFIELD_DATA"), os.environ.get("CRANFIELD_PUBLISHED")

pytestmark = pytest.mark.skipif(
    not (DATA and PUBLISHED), reason="needs $CRANFIELD_DATA and $CRANFIELD_PUBLISHED"
)


@pytest.fixture(scope="module")
def hits() -> Hits:
    """Popularity on the authors' split of MovieLens 1M."""
    whole = Ratings.from_frame(pl.read_parquet(Path(DATA or "") / "movielens-1m/ratings.parquet"))
    with gzip.open(Path(PUBLISHED or "") / "valcarce2018/ml-1m_test.qrels.gz") as opened:
        judged = np.loadtxt(opened, dtype=np.int64)
    users = whole.user_ids.encode(pl.Series(judged[:, 0])).astype(np.int64)
    items = whole.item_ids.encode(pl.Series(judged[:, 2]))
    pairs = whole.users * np.int64(whole.n_items) + whole.items
    test = np.isin(pairs, users * whole.n_items + items)
    collection = collect(whole.take(~test), whole.take(test), relevance=4)
    targets = choose_targets(collection, parse_targets("all-items"))
    return rank(Popularity().fit(collection.train, Seeds(1)), [targets])[0].hits


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("nDCG@100", "ndcg_cut_100"),
        ("nDCG(ideal=full)@100", "ndcg"),
        ("ERR(top=user)@100", "err"),
        ("P@100", "P_100"),
        ("RR@100", "recip_rank"),
    ],
)
def test_popularity_has_the_authors_figure(name: str, column: str, hits: Hits) -> None:
    """Users without a relevant item score 0, as in rec_eval; ties cost the fourth digit."""
    table = pl.read_csv(Path(PUBLISHED or "") / "valcarce2018/ml-1m_metrics_by_popularity.csv")
    row = table.filter(pl.col("Percentage") == 1.0, pl.col("Recommender") == "Pop")
    found = np.nan_to_num(measure(hits, [parse("metric", name)])[0]).mean()
    assert found == pytest.approx(float(row[column][0]), abs=0.0001)
