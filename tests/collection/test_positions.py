"""Positions: each user's own order, where there are no times."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import MissingTimestamps
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import split
from cranfield.collection.split_files import read_split, write_split
from suites import tries

NAMED = {"timestamp": "position"}
Histories = list[list[int]]


def table_of(histories: Histories) -> pl.DataFrame:
    """The items of each user in their order, rows shuffled."""
    rows = [
        (user, item, place)
        for user, items in enumerate(histories)
        for place, item in enumerate(items)
    ]
    frame = pl.DataFrame(rows, schema=["user", "item", "position"], orient="row")
    return frame.sample(fraction=1, shuffle=True, seed=3)


@given(
    st.lists(
        st.lists(st.integers(1, 9), min_size=2, max_size=6, unique=True), min_size=1, max_size=8
    )
)
@settings(deadline=None, max_examples=tries(60))
def test_the_next_item_is_the_last_of_each_user_and_the_prefix_is_training(
    histories: Histories,
) -> None:
    made = cf.split(cf.read(table_of(histories), columns=NAMED), "leave-out(pick=latest)")
    for user, items in enumerate(histories):
        tested, trained = (
            part.to_polars().filter(user_id=user).sort("position")["item_id"].to_list()
            for part in (made.test, made.train)
        )
        assert (trained, tested) == (items[:-1], items[-1:])
    assert made.folds[0].leakage is None  # the order of one user says nothing of others


def test_positions_are_kept_by_files_parts_and_ids(tmp_path: Path) -> None:
    table = table_of([[3, 1, 2], [2, 3], [1, 3, 2]])
    ratings = cf.read(table, columns=NAMED)
    assert ratings.positions
    assert ratings.to_polars().columns == ["user_id", "item_id", "rating", "position"]
    table.write_csv(tmp_path / "part-1.csv")
    table.write_parquet(tmp_path / "log.parquet")
    for place in ("part-*.csv", "log.parquet"):
        again = cf.read(tmp_path / place, columns=NAMED)
        assert again.fingerprint == ratings.fingerprint
        assert again.positions
    made = split(ratings, cf.split(ratings, "leave-out(pick=latest)").splitter)
    write_split(made, tmp_path / "split")
    read = read_split(tmp_path / "split")
    assert read.ratings.positions
    assert read.train.positions
    assert read.fingerprint == made.fingerprint
    other = ratings.reindex(ratings.user_ids, ratings.item_ids.union(cf.read(
        {"user": [1], "item": [77]}).item_ids))  # fmt: skip
    assert other.positions


def test_positions_and_times_are_told_apart() -> None:
    table = table_of([[3, 1], [2, 3]])
    positions, times = cf.read(table, columns=NAMED), cf.read(table.rename({"position": "time"}))
    assert not times.positions
    assert positions.fingerprint != times.fingerprint
    assert cf.read(table).timestamps is None  # a column of that name may be any position
    assert cf.describe(positions).period is None
    assert cf.describe(times).period == (0, 1)


@pytest.mark.parametrize("spelling", ["temporal", "rolling", "temporal(at=1)"])
def test_splits_on_one_timeline_refuse_positions(spelling: str) -> None:
    ratings = cf.read(table_of([[3, 1], [2, 3]]), columns=NAMED)
    with pytest.raises(MissingTimestamps, match="only positions in each user's own order"):
        cf.split(ratings, spelling)
    with pytest.raises(MissingTimestamps, match="positions"):
        cf.filter(ratings, "time-range(since=1)")
    assert len(cf.split(ratings, "temporal-per-user(test_share=0.5)").test) == 2


def test_next_item_of_amazon_beauty_by_position() -> None:
    """Test is the item at each user's highest position, by loops over the file."""
    folder = os.environ.get("CRANFIELD_DATA")
    path = Path(folder or ".") / "s3rec-beauty" / "ratings.parquet"
    if not path.exists():
        pytest.skip("s3rec-beauty is not there")
    last: dict[int, tuple[int, int]] = {}
    rows = pl.read_parquet(path)
    for user, item, place in rows.select("user", "item", "position").rows():
        last[user] = max(last.get(user, (-1, -1)), (place, item))
    made = cf.split("s3rec-beauty", "leave-out(pick=latest)")
    found = dict(made.test.to_polars().select("user_id", "item_id").rows())
    assert found == {user: item for user, (_, item) in last.items()}
    assert (len(made.train), len(made.test)) == (len(rows) - len(last), len(last))
    assert isinstance(made.train, Ratings)
    assert np.all(made.train.user_counts >= 4)  # a 5-core without the last of each user


@pytest.mark.slow
def test_the_next_item_is_found_by_popularity_as_plain_loops_say() -> None:
    if not (Path(os.environ.get("CRANFIELD_DATA", ".")) / "s3rec-beauty").exists():
        pytest.skip("s3rec-beauty is not there")
    made = cf.split("s3rec-beauty", "leave-out(pick=latest)")
    counts = made.train.item_counts
    order = np.lexsort((np.arange(len(counts)), -counts))
    hits = 0
    for user in range(made.train.n_users):
        known = set(made.train.items[made.train.users == user].tolist())
        top = [item for item in order[: 10 + len(known)].tolist() if item not in known][:10]
        hits += int(made.test.items[user]) in top
    results = cf.run({
        "data": "s3rec-beauty", "split": "leave-out(pick=latest)", "relevance": 1,
        "systems": {"Popularity": "Popularity"}, "metrics": ["Success@10"],
    })  # fmt: skip
    value = results.summary.row("Popularity", "Success@10").value
    assert value == pytest.approx(hits / made.train.n_users)
    assert round(value, 4) == 0.0135
