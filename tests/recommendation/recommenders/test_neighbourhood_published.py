"""Figures that the papers print, reached on the data that they print them for."""

from __future__ import annotations

import gzip
import os
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

import cranfield.recommendation.recommenders  # noqa: F401
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks
from cranfield.collection.ratings import Ratings

DATA, PUBLISHED = os.environ.get("CRANFIELD_DATA"), os.environ.get("CRANFIELD_PUBLISHED")
needs_data = pytest.mark.skipif(
    DATA is None or PUBLISHED is None,
    reason="set CRANFIELD_DATA and CRANFIELD_PUBLISHED to the folders of data and figures",
)
DEPTH = 100
Floats = npt.NDArray[np.float64]


@cache
def movielens() -> Ratings:
    table = pl.read_parquet(Path(DATA or "", "movielens-1m", "ratings.parquet"))
    return Ratings.from_frame(table.rename({"user": "user_id", "item": "item_id"}))


@cache
def published_split() -> tuple[Ratings, Ratings]:
    """The authors' own split: train is every rating that is not in their qrels."""
    whole = movielens()
    packed = Path(PUBLISHED or "", "valcarce2018", "ml-1m_test.qrels.gz").read_bytes()
    columns = ["user", "zero", "item", "rating"]
    qrels = pl.read_csv(
        gzip.decompress(packed), separator="\t", has_header=False, new_columns=columns
    )
    users, items = whole.user_ids.encode(qrels["user"]), whole.item_ids.encode(qrels["item"])
    pairs = whole.users.astype(np.int64) * whole.n_items + whole.items
    held_out = np.isin(pairs, users.astype(np.int64) * whole.n_items + items)
    return whole.take(~held_out), whole.take(held_out)


@cache
def authors_figures() -> dict[str, dict[str, float]]:
    table = pl.read_csv(Path(PUBLISHED or "", "valcarce2018", "ml-1m_metrics_by_popularity.csv"))
    rows = table.filter(pl.col("Percentage") == 1.0).iter_rows(named=True)
    return {row.pop("Recommender"): row for row in rows}


def recorded(system: str) -> str:
    """The spelling that is recorded for a system."""
    text = files("cranfield.recommendation").joinpath("published.toml").read_text("utf-8")
    return str(tomllib.loads(text)["ml-1m"][system])


def figures(
    spelled: str, train: Ratings, test: Ratings, *, binary: bool = False
) -> dict[str, float]:
    """P and nDCG at 10 and 100 and RR, means over the users with a test rating."""
    fitted = parse("recommender", spelled).fit(train, Seeds(0))
    users = np.flatnonzero(test.user_counts).astype(np.int32)
    parts = [
        _of_users(fitted.predict(users[part]), users[part], (train, test), binary)
        for part in chunks(len(users), 512)
    ]
    means = np.concatenate(parts).mean(axis=0)
    names = ["P_10", "P_100", "ndcg_cut_10", "ndcg_cut_100", "recip_rank"]
    return dict(zip(names, means.tolist(), strict=True))


def _of_users(
    predicted: Floats, users: npt.NDArray[np.int32], split: tuple[Ratings, Ratings], binary: bool
) -> Floats:
    train, test = (part.matrix() for part in split)
    predicted[train[users].nonzero()] = np.nan
    # Ties go to the lower item id, and what is not computable is not in the list.
    order = np.argsort(-np.nan_to_num(predicted, nan=-np.inf), axis=1, kind="stable")[:, :DEPTH]
    listed = ~np.isnan(np.take_along_axis(predicted, order, axis=1))
    judged = test[users].toarray()
    ratings = np.where(listed, np.take_along_axis(judged, order, axis=1), 0.0)
    best = -np.sort(-judged, axis=1)[:, :DEPTH]
    relevant = ratings >= 4
    if binary:
        ratings, best = relevant.astype(float), (best >= 4).astype(float)
    discounts = 1 / np.log2(np.arange(DEPTH) + 2)
    first = np.where(relevant.any(axis=1), 1 / (relevant.argmax(axis=1) + 1), 0.0)
    columns = [relevant[:, :n].sum(axis=1) / n for n in (10, 100)]
    for n in (10, 100):
        ideal = (best * discounts)[:, :n].sum(axis=1)
        gained = (ratings * discounts)[:, :n].sum(axis=1)
        columns.append(np.divide(gained, ideal, out=np.zeros(len(users)), where=ideal > 0))
    return np.stack([*columns, first], axis=1)


@needs_data
def test_popularity_gives_the_authors_figures_to_four_decimals() -> None:
    found = figures("Popularity", *published_split())
    for name, value in found.items():
        assert round(value, 4) == pytest.approx(authors_figures()["Pop"][name], abs=1e-9), name


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("system", ["RW", "RSV", "CHI2", "KLD", "LM-WSR-UB", "LM-WSR-IB", "RM2"])
def test_a_system_reaches_97_per_cent_of_the_authors_figures(system: str) -> None:
    found, wanted = figures(recorded(system), *published_split()), authors_figures()[system]
    for name in ("P_100", "ndcg_cut_100"):
        assert found[name] >= 0.97 * wanted[name], f"{name}: {found[name]} for {wanted[name]}"


@pytest.mark.slow
@needs_data
def test_uir_item_without_lifts_is_popularity_as_in_the_authors_figures() -> None:
    found = figures("UIR-Item(lambda=1)", *published_split())
    for name, value in found.items():
        assert value == pytest.approx(authors_figures()["UIR"][name], abs=5e-4), name


@pytest.mark.slow
@needs_data
def test_user_knn_on_half_of_the_ratings_is_where_canamares2020_table_2_has_it() -> None:
    whole = movielens()
    kept = np.random.default_rng(0).random(len(whole)) < 0.5
    train, test = whole.take(kept), whole.take(~kept)
    test = test.take(train.user_counts[test.users] > 0)
    found = figures("user-kNN(k=100)", train, test, binary=True)
    assert found["P_10"] == pytest.approx(0.416, abs=0.005)
    assert found["ndcg_cut_10"] == pytest.approx(0.452, abs=0.005)
