"""Splits written, read back and verified."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield.collection.splits  # noqa: F401 - the options that records name
from cranfield.base.errors import (
    CranfieldError,
    FingerprintMismatch,
    InfeasibleSplit,
    MissingFile,
    OutputError,
    UnreadableFile,
)
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Split, split
from cranfield.collection.split_files import read_split, write_split
from strategies import SEEDS, random_ratings, ratings
from suites import tries

LARGE = random_ratings(30, 20, 0.4, seed=3)
RANDOM = parse("split", "random-exact(test_share=0.3)")
FOLDS = parse("split", "k-fold(folds=3)")


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def record(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "split.json").read_text())
    return found


def same(one: Split, two: Split) -> None:
    assert (one.splitter, one.seed, one.validation) == (two.splitter, two.seed, two.validation)
    assert one.facts == two.facts
    assert one.ratings.fingerprint == two.ratings.fingerprint
    assert len(one.folds) == len(two.folds)
    for ours, theirs in zip(one.folds, two.folds, strict=True):
        assert (ours.parts == theirs.parts).all()
        assert ours.train.to_polars().equals(theirs.train.to_polars())
        assert ours.test.to_polars().equals(theirs.test.to_polars())
        assert ours.validation_facts == theirs.validation_facts
        assert ours.leakage == theirs.leakage


@pytest.mark.parametrize("validation", [None, RANDOM])
@pytest.mark.parametrize(
    "spelling", ["uniform", "k-fold(folds=3, per=user)", "temporal", "rolling"]
)
def test_what_is_read_is_what_was_written(
    spelling: str, validation: object, tmp_path: Path
) -> None:
    made = split(LARGE, parse("split", spelling), 7, validation)  # type: ignore[arg-type]
    write_split(made, tmp_path / "out")
    same(read_split(tmp_path / "out"), made)


@given(
    data=ratings(),
    seed=SEEDS,
    spelling=st.sampled_from(["random(test_share=0.5)", "k-fold(folds=2)"]),
)
@settings(
    deadline=None,
    max_examples=tries(30),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_awkward_ids_and_times_survive(
    data: Ratings, seed: int, spelling: str, tmp_path: Path
) -> None:
    try:
        made = split(data, parse("split", spelling), seed)
    except InfeasibleSplit:
        return
    write_split(made, tmp_path / "out", overwrite=True)
    found = read_split(tmp_path / "out")
    same(found, made)
    assert found.folds[0].train.user_ids is found.folds[0].test.user_ids


def test_one_fold_lies_in_the_folder_itself(tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM), tmp_path / "out")
    assert names(tmp_path / "out") == ["split.json", "test.parquet", "train.parquet"]
    table = pl.read_parquet(tmp_path / "out" / "test.parquet")
    assert table.columns == ["user_id", "item_id", "rating", "timestamp"]


def test_several_folds_lie_in_folders_of_their_own(tmp_path: Path) -> None:
    write_split(split(LARGE, FOLDS, validation=RANDOM), tmp_path / "out")
    parts = ("test", "train", "validation")
    expected = [f"fold-{number}/{part}.parquet" for number in (1, 2, 3) for part in parts]
    assert names(tmp_path / "out") == [*expected, "split.json"]


def test_the_record_tells_how_the_split_was_made(tmp_path: Path) -> None:
    data = Ratings.from_triples([1, 1, 1, 2, 2], [1, 2, 3, 1, 2], None, [1, 2, 9, 3, 4])
    made = split(data, parse("split", "leave-out(pick=latest)"), seed=8)
    write_split(made, tmp_path / "out")
    found = record(tmp_path / "out")
    assert found["split"] == {
        "spelling": "leave-out(pick=latest)",
        "option": {"name": "leave-out", "count": 1, "pick": "latest", "repeats": 1},
    }
    assert found["validation"] is None
    assert found["seed"] == 8
    assert found["data"] == {
        "users": 2,
        "items": 3,
        "ratings": 5,
        "fingerprint": data.fingerprint,
    }
    assert found["folds"] == [
        {
            "train": {
                "users": 2,
                "items": 2,
                "ratings": 3,
                "fingerprint": made.train.fingerprint,
            },
            "test": {
                "users": 2,
                "items": 2,
                "ratings": 2,
                "fingerprint": made.test.fingerprint,
            },
            "test_share": 2 / 5,
            # Training: 1 and 2 of user 1, 3 of user 2; the earliest test time is 4.
            "leakage": {"per_user": 0.0, "overall": 0.0},
            "validation_facts": {},
        }
    ]
    assert set(found["versions"]) == {"cranfield", "numpy", "polars"}  # type: ignore[call-overload]


def test_reported_facts_are_recorded(tmp_path: Path) -> None:
    write_split(split(LARGE, parse("split", "uniform")), tmp_path / "out")
    assert set(record(tmp_path / "out")["facts"]) == {  # type: ignore[call-overload]
        "target_items",
        "ratings_per_item",
        "test_share",
    }


def test_the_same_split_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_split(split(LARGE, FOLDS, 5), tmp_path / name)
    for path in names(tmp_path / "one"):
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


def test_an_older_split_is_replaced_and_other_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_split(split(LARGE, FOLDS, validation=RANDOM), out)
    (out / "notes.txt").write_text("mine")
    write_split(split(LARGE, RANDOM), out, overwrite=True)
    assert names(out) == ["notes.txt", "split.json", "test.parquet", "train.parquet"]
    write_split(split(LARGE, FOLDS), out, overwrite=True)
    assert "train.parquet" not in names(out)
    same(read_split(out), split(LARGE, FOLDS))


@pytest.mark.parametrize("other", [split(LARGE, FOLDS), split(LARGE, RANDOM, 1)])
def test_another_split_is_not_overwritten_unasked(other: Split, tmp_path: Path) -> None:
    made = split(LARGE, RANDOM)
    write_split(made, tmp_path / "out")
    before = (tmp_path / "out" / "split.json").read_bytes()
    with pytest.raises(OutputError, match=r"another split is there: random.*, seed 0; replace it"):
        write_split(other, tmp_path / "out")
    assert (tmp_path / "out" / "split.json").read_bytes() == before
    write_split(made, tmp_path / "out")
    same(read_split(tmp_path / "out"), made)


def test_a_split_that_cannot_be_read_is_not_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text("{}")
    with pytest.raises(OutputError, match="one that cannot be read"):
        write_split(split(LARGE, RANDOM), tmp_path)
    write_split(split(LARGE, RANDOM), tmp_path, overwrite=True)
    same(read_split(tmp_path), split(LARGE, RANDOM))


@pytest.mark.parametrize("column", ["user_id", "item_id", "rating", "timestamp"])
def test_any_changed_cell_is_noticed(column: str, tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM), tmp_path)
    path = tmp_path / "train.parquet"
    table = pl.read_parquet(path)
    change = pl.when(pl.int_range(pl.len()) == 3).then(pl.col(column) + 1000).otherwise(column)
    table.with_columns(change.cast(table.schema[column])).write_parquet(path)
    with pytest.raises(FingerprintMismatch, match=r"train\.parquet"):
        read_split(tmp_path)


def test_a_lost_row_and_swapped_parts_are_noticed(tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM), tmp_path)
    test = tmp_path / "test.parquet"
    pl.read_parquet(test)[1:].write_parquet(test)
    with pytest.raises(FingerprintMismatch, match=r"test\.parquet"):
        read_split(tmp_path)
    write_split(split(LARGE, FOLDS), tmp_path, overwrite=True)
    (tmp_path / "fold-1").rename(tmp_path / "aside")
    (tmp_path / "fold-2").rename(tmp_path / "fold-1")
    (tmp_path / "aside").rename(tmp_path / "fold-2")
    with pytest.raises(FingerprintMismatch):
        read_split(tmp_path)


def test_a_changed_record_is_noticed_but_not_its_layout(tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM, 7), tmp_path)
    content = record(tmp_path)
    (tmp_path / "split.json").write_text(json.dumps(content))
    assert read_split(tmp_path).seed == 7
    (tmp_path / "split.json").write_text(json.dumps(content | {"seed": 8}))
    with pytest.raises(FingerprintMismatch, match=r"split\.json"):
        read_split(tmp_path)


def test_rows_in_another_order_are_the_same_split(tmp_path: Path) -> None:
    made = split(LARGE, RANDOM)
    write_split(made, tmp_path)
    path = tmp_path / "train.parquet"
    pl.read_parquet(path).reverse().write_parquet(path)
    same(read_split(tmp_path), made)


@pytest.mark.parametrize("missing", ["split.json", "train.parquet"])
def test_a_missing_file_is_named(missing: str, tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM), tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(MissingFile, match=missing):
        read_split(tmp_path)


@pytest.mark.parametrize("broken", ["split.json", "train.parquet"])
@pytest.mark.parametrize("content", ["", "[1, 2]", "{}", "PAR1 no table"])
def test_a_broken_file_is_named(broken: str, content: str, tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM), tmp_path)
    (tmp_path / broken).write_text(content)
    with pytest.raises(UnreadableFile, match=broken):
        read_split(tmp_path)


def test_a_truncated_part_is_refused(tmp_path: Path) -> None:
    write_split(split(LARGE, RANDOM), tmp_path)
    path = tmp_path / "train.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(UnreadableFile, match=r"train\.parquet"):
        read_split(tmp_path)


def test_nothing_is_left_behind_if_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: pl.DataFrame, file: Path) -> None:
        Path(file).write_text("half a fi")
        raise pl.exceptions.ComputeError("No space left on device")

    write_split(split(LARGE, RANDOM), tmp_path / "out")
    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_split(split(LARGE, FOLDS), tmp_path / "out")
    with pytest.raises(OutputError):
        write_split(split(LARGE, FOLDS), tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    same(read_split(tmp_path / "out"), split(LARGE, RANDOM))


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(CranfieldError, match="in the way"):
        write_split(split(LARGE, RANDOM), tmp_path / "out")
