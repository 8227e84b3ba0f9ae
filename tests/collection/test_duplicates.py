from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import (
    BadParameter,
    DuplicatePairs,
)
from cranfield.collection.ratings import Duplicates, Ratings
from rating_rows import ROWS, Row, frame, ratings_of, rows_in
from suites import tries


def resolved(rows: list[Row], keep: str) -> list[Row]:
    """One row per pair by plain dictionaries, read beside the words of `Duplicates`."""
    pairs: dict[tuple[Any, Any], list[Row]] = {}
    for row in rows:
        pairs.setdefault(row[:2], []).append(row)
    kept: list[Row] = []
    for pair, repeated in pairs.items():
        by_time = sorted(repeated, key=lambda row: row[3])
        values = sorted(row[2] for row in repeated)
        match keep:
            case "first":
                kept.append(by_time[0])
            case "last":
                kept.append(by_time[-1])
            case "max":
                kept.append((*pair, values[-1], by_time[-1][3]))
            case "sum":
                kept.append((*pair, sum(values), by_time[-1][3]))
            case "mean":
                kept.append((*pair, sum(values) / len(values), by_time[-1][3]))
    return sorted(kept)


@settings(deadline=None, max_examples=tries(200))
@given(ROWS, st.sampled_from(["last", "first", "max", "mean", "sum"]))
def test_repeated_pairs_are_resolved_as_asked(rows: list[Row], keep: Duplicates) -> None:
    found, expected = rows_in(ratings_of(rows, keep)), resolved(rows, keep)
    assert [(u, i, t) for u, i, _, t in found] == [(u, i, t) for u, i, _, t in expected]
    values = [row[2] for row in found]
    assert values == pytest.approx([row[2] for row in expected], rel=1e-12, abs=1e-9)


@settings(deadline=None)
@given(ROWS)
def test_without_times_the_order_of_rows_decides(rows: list[Row]) -> None:
    timeless = {name: column for name, column in frame(rows).items() if name != "timestamp"}
    last = {row[:2]: row[2] for row in rows}
    first = {row[:2]: row[2] for row in reversed(rows)}
    for keep, expected in (("last", last), ("first", first)):
        found = rows_in(Ratings.from_frame(timeless, duplicates=keep))  # type: ignore[arg-type]
        assert {row[:2]: row[2] for row in found} == expected


@settings(deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_highest_and_the_mean_do_not_depend_on_the_order_of_rows(
    rows: list[Row], random: Any
) -> None:
    shuffled = random.sample(rows, len(rows))
    for keep in ("max", "mean", "sum"):
        one, other = ratings_of(rows, keep), ratings_of(shuffled, keep)
        assert one.fingerprint == other.fingerprint


@settings(deadline=None)
@given(ROWS)
def test_repeated_pairs_are_refused_with_their_number(rows: list[Row]) -> None:
    pairs = [row[:2] for row in rows]
    repeated = {pair for pair in pairs if pairs.count(pair) > 1}
    if not repeated:
        assert len(ratings_of(rows)) == len(rows)
        return
    with pytest.raises(DuplicatePairs, match=rf"^table: {len(repeated)} pairs? occurs? more than"):
        ratings_of(rows)


def test_the_first_repetition_is_shown_with_its_lines() -> None:
    table = {"user": ["z", "a", "z", "a", "z"], "item": [1, 2, 1, 2, 1]}
    with pytest.raises(DuplicatePairs) as caught:
        Ratings.from_frame(table, where="x.csv", line_of=lambda row: row + 2)
    assert str(caught.value) == (
        "x.csv: 2 pairs occur more than once, first z and 1 (lines 2 and 4). "
        'Choose duplicates = "last", "first", "max", "mean", "sum", or "events" for a log, '
        'as in "file(path=FILE, duplicates=last)" (in Python: read(…, duplicates="last")).'
    )


def test_an_unknown_way_with_duplicates_is_refused() -> None:
    with pytest.raises(BadParameter) as caught:
        Ratings.from_triples([1, 1], [2, 2], duplicates="lst")  # type: ignore[arg-type]
    assert str(caught.value) == (
        'ratings, duplicates: "lst" is not one of auto, refuse, last, first, max, mean, sum, '
        "events."
    )


def test_a_mean_adds_its_terms_in_one_order_whatever_that_of_the_rows() -> None:
    assert (0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3)
    means = {
        float(Ratings.from_triples([1] * 3, [1] * 3, values, duplicates="mean").values[0])
        for values in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1])
    }
    assert len(means) == 1


LOG = {"user": [1, 1, 2], "item": [7, 7, 7], "timestamp": [5, 3, 4]}


def test_repeated_pairs_with_times_and_without_ratings_are_events() -> None:
    made = cf.read(LOG)
    assert made.events
    assert made.timestamps is not None
    assert made.timestamps.tolist() == [3, 5, 4]
    assert made.fingerprint == cf.read(LOG, duplicates="events").fingerprint
    once = {name: column[1:] for name, column in LOG.items()}
    assert not cf.read(once).events  # no pair occurs repeatedly, so that there are ratings


@pytest.mark.parametrize("column", ["rating", "timestamp"])
def test_ratings_and_rows_without_times_are_no_log(column: str) -> None:
    rows = {**LOG, "rating": [1, 2, 3]} if column == "rating" else dict(LOG)
    if column == "timestamp":
        del rows["timestamp"]
    for duplicates in ("auto", "refuse"):
        with pytest.raises(DuplicatePairs, match="occurs more than once"):
            cf.read(rows, duplicates=duplicates)


def test_a_log_is_refused_or_counted_where_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    pl.DataFrame(LOG).write_csv(path)
    with pytest.raises(DuplicatePairs):
        cf.read(path, duplicates="refuse")
    assert cf.read(path, duplicates="sum").values.tolist() == [2, 1]
    by_file = cf.read(path)
    assert by_file.events
    assert by_file.fingerprint == cf.read(LOG).fingerprint
    with pytest.raises(DuplicatePairs):
        cf.read(f"file(path={path}, values=plays)")
    assert len(cf.read(f"file(path={path}, values=events)")) == 2


def test_positions_with_repeated_items_are_events_too() -> None:
    rows = {"user": [1, 1, 1], "item": [7, 8, 7], "position": [0, 1, 2]}
    made = cf.read(rows, columns={"timestamp": "position"})
    assert (made.events, made.positions) == (True, True)
    last = cf.split(made, "leave-out(pick=latest)")
    assert last.test.items.tolist() == last.train.items[:1].tolist()
