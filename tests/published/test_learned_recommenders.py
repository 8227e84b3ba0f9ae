"""Learned recommenders reach the figures that valcarce2018 published for MovieLens 1M."""

from __future__ import annotations

import gzip
import os
import tomllib
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks
from cranfield.collection.ratings import Ratings
from cranfield.recommendation import recommenders  # noqa: F401  (registers the options)
from cranfield.recommendation.recommender import Predictor

DATA, PUBLISHED = os.environ.get("CRANFIELD_DATA"), os.environ.get("CRANFIELD_PUBLISHED")
DEPTH = 100

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (DATA and PUBLISHED), reason="needs $CRANFIELD_DATA and $CRANFIELD_PUBLISHED"
    ),
]


@pytest.fixture(scope="module")
def parts() -> tuple[Ratings, Ratings]:
    """The authors' training and test ratings."""
    whole = Ratings.from_frame(pl.read_parquet(Path(DATA or "") / "movielens-1m/ratings.parquet"))
    with gzip.open(Path(PUBLISHED or "") / "valcarce2018/ml-1m_test.qrels.gz") as opened:
        judged = np.loadtxt(opened, dtype=np.int64)
    users = whole.user_ids.encode(pl.Series(judged[:, 0])).astype(np.int64)
    items = whole.item_ids.encode(pl.Series(judged[:, 2]))
    test = np.isin(
        whole.users * np.int64(whole.n_items) + whole.items, users * whole.n_items + items
    )
    assert test.sum() == len(judged)
    return whole.take(~test), whole.take(test)


def published(system: str) -> tuple[float, float]:
    """The authors' P@100 and nDCG@100 on the whole test set."""
    table = pl.read_csv(Path(PUBLISHED or "") / "valcarce2018/ml-1m_metrics_by_popularity.csv")
    row = table.filter(pl.col("Percentage") == 1.0, pl.col("Recommender") == system)
    return float(row["P_100"][0]), float(row["ndcg_cut_100"][0])


def measured(model: Predictor, train: Ratings, test: Ratings) -> tuple[float, float]:
    """P@100 (relevant from 4) and nDCG@100 (gain = rating), averaged over all test users."""
    users = np.flatnonzero(test.user_counts).astype(np.int32)
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    seen, judged = train.matrix(), test.matrix()
    precisions: list[npt.NDArray[np.float64]] = []
    gains: list[npt.NDArray[np.float64]] = []
    for part in chunks(len(users), 500):
        ratings = judged[users[part]].toarray()
        predictions = np.nan_to_num(model.predict(users[part]), nan=-np.inf)
        predictions[seen[users[part]].toarray() != 0] = -np.inf
        top = np.argsort(-predictions, axis=1, kind="stable")[:, :DEPTH]
        ranked = np.take_along_axis(ratings, top, axis=1)
        ideal = -np.sort(-ratings, axis=1)[:, :DEPTH]
        precisions.append((ranked >= 4).sum(axis=1) / DEPTH)
        gains.append(ranked @ discounts / (ideal @ discounts))
    return float(np.concatenate(precisions).mean()), float(np.concatenate(gains).mean())


def recorded(system: str) -> str:
    """The spelling that is recorded for a system."""
    text = files("cranfield.recommendation").joinpath("published.toml").read_text("utf-8")
    return str(tomllib.loads(text)["ml-1m"][system])


@pytest.mark.parametrize("system", ["SLIM", "BPRMF", "WRMF", "PureSVD", "LDA", "PLSA"])
def test_it_reaches_97_percent_of_the_authors_figures(
    system: str, parts: tuple[Ratings, Ratings]
) -> None:
    train, test = parts
    model = parse("recommender", recorded(system)).fit(train, Seeds(1))
    precision, gain = measured(model, train, test)
    expected_precision, expected_gain = published(system)
    assert precision >= 0.97 * expected_precision
    assert gain >= 0.97 * expected_gain


def test_pure_svd_has_the_authors_figures_to_four_decimals(parts: tuple[Ratings, Ratings]) -> None:
    train, test = parts
    model = parse("recommender", "PureSVD(factors=30)").fit(train, Seeds(1))
    assert measured(model, train, test) == pytest.approx(published("PureSVD"), abs=0.0001)


@pytest.mark.parametrize("system", ["SVD", "HT"])
def test_what_is_not_made_for_rankings_stays_as_low_as_the_authors_found(
    system: str, parts: tuple[Ratings, Ratings]
) -> None:
    train, test = parts
    model = parse("recommender", recorded(system)).fit(train, Seeds(1))
    precision, gain = measured(model, train, test)
    popular, _ = published("Pop")
    assert published("Random")[0] < precision < popular
    assert gain < published("Pop")[1]
