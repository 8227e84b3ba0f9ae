"""Targets that were drawn once are read back as they were, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.base.errors import (
    FingerprintMismatch,
    MissingFile,
    OtherData,
    OutputError,
    UnreadableFile,
)
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets, parse_targets
from cranfield.collection.target_files import read_targets, write_targets
from cranfield.collection.topics import UserChoice, choose_users

CHOICES = [
    "all-items",
    "test-items(without_head=0.2)",
    "condensed",
    "one-relevant",
    "sampled(n=3)",
    "test-items, one-relevant, sampled(n=3)",
    "one-relevant, sampled(n=30, per=relevant)",
    "percentiles(m=3), sampled(n=2)",
]


def parts(*, text: bool = False) -> tuple[Ratings, Judgments]:
    """Training and judgments of 20 users, ids as integers or text."""
    rng = np.random.default_rng(4)
    users, items = np.nonzero(rng.random((20, 30)) < 0.4)
    first, second = (
        pl.Series(codes).cast(pl.String if text else pl.Int64) for codes in (users, items)
    )
    ratings = Ratings.from_triples(first, second, rng.integers(1, 6, len(users)).astype(float))
    test = rng.random(len(ratings)) < 0.4
    return ratings.take(~test), judge(ratings.take(test), 4, (1, 5))


def chosen(text: str, train: Ratings, judgments: Judgments, seed: int = 1) -> Targets:
    users = choose_users(train, judgments, UserChoice(least_train=0))
    return parse_targets(text).choose(users, train, judgments, seed)


@pytest.mark.parametrize("text_ids", [False, True])
@pytest.mark.parametrize("text", CHOICES)
def test_targets_are_read_back_as_they_were(text: str, text_ids: bool, tmp_path: Path) -> None:
    data = parts(text=text_ids)
    targets = chosen(text, *data)
    write_targets(targets, tmp_path / "targets")
    again = read_targets(tmp_path / "targets", *data)
    assert again.fingerprint == targets.fingerprint
    assert again.groups.tolist() == targets.groups.tolist()
    assert [again.of_topic(t).tolist() for t in range(len(again.topics))] == [
        targets.of_topic(t).tolist() for t in range(len(targets.topics))
    ]
    if targets.pools is not None:
        assert again.pools is not None
        assert again.pools.short == targets.pools.short


def test_the_tables_hold_the_ids_of_the_data(tmp_path: Path) -> None:
    train, judgments = parts(text=True)
    targets = chosen("sampled(n=3)", train, judgments)
    write_targets(targets, tmp_path)
    pools = pl.read_parquet(tmp_path / "pools.parquet")
    first = train.item_ids.values.gather(targets.pools.items[0])  # type: ignore[union-attr]
    assert pools.filter(pl.col("pool") == 0)["item_id"].to_list() == first.to_list()
    record = json.loads((tmp_path / "targets.json").read_text())
    assert record["targets"] == "all-items, all-relevant, sampled(n=3)"
    assert record["fingerprint"] == targets.fingerprint


def test_what_an_earlier_write_left_is_replaced_and_the_rest_stays(tmp_path: Path) -> None:
    data = parts()
    (tmp_path / "notes.txt").write_text("mine")
    write_targets(chosen("sampled(n=3)", *data), tmp_path)
    write_targets(chosen("all-items", *data), tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["notes.txt", "targets.json", "topics.parquet"]
    assert read_targets(tmp_path, *data).pools is None


def test_targets_of_other_data_are_refused(tmp_path: Path) -> None:
    train, judgments = parts()
    write_targets(chosen("sampled(n=3)", train, judgments), tmp_path)
    with pytest.raises(OtherData, match="made for other training"):
        read_targets(tmp_path, train.take(np.arange(1, len(train))), judgments)
    with pytest.raises(OtherData, match="made for other judgments"):
        read_targets(tmp_path, train, judge(judgments.ratings, 5, (1, 5)))


def _other_items(folder: Path) -> None:
    path = folder / "pools.parquet"
    table = pl.read_parquet(path)
    table.with_columns(pl.col("item_id").reverse()).write_parquet(path)


def _other_choice(folder: Path) -> None:
    path = folder / "targets.json"
    path.write_text(path.read_text().replace("all-items", "test-items"))


@pytest.mark.parametrize("change", [_other_items, _other_choice])
def test_changed_files_are_refused(change: Callable[[Path], None], tmp_path: Path) -> None:
    data = parts()
    write_targets(chosen("sampled(n=3)", *data), tmp_path)
    change(tmp_path)
    with pytest.raises(FingerprintMismatch, match="changed after it was written"):
        read_targets(tmp_path, *data)


@pytest.mark.parametrize("name", ["targets.json", "topics.parquet", "pools.parquet"])
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    data = parts()
    write_targets(chosen("sampled(n=3)", *data), tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(MissingFile, match=name):
        read_targets(tmp_path, *data)


@pytest.mark.parametrize("name", ["targets.json", "topics.parquet", "pools.parquet"])
@pytest.mark.parametrize("content", [b"", b"[]", b'{"format": 9}', b"\x00\xff"])
def test_what_is_no_record_or_table_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    data = parts()
    write_targets(chosen("sampled(n=3)", *data), tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=name):
        read_targets(tmp_path, *data)


def test_an_id_that_the_ratings_lack_is_named(tmp_path: Path) -> None:
    data = parts()
    write_targets(chosen("sampled(n=3)", *data), tmp_path)
    path = tmp_path / "pools.parquet"
    pl.read_parquet(path).with_columns(pl.lit(777).alias("item_id")).write_parquet(path)
    with pytest.raises(UnreadableFile, match="the ratings have no item_id 777"):
        read_targets(tmp_path, *data)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(OutputError, match="taken"):
        write_targets(chosen("all-items", *parts()), tmp_path / "taken")
