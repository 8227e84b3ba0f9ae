"""What is written is read back: every format, with ids that hold whatever text may mean."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.base.errors import OutputError
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_ratings
from cranfield.collection.text import fast
from cranfield.collection.text.rating_files import write_ratings
from rating_rows import AWKWARD, Row, ratings_of
from suites import tries
from zstandard_files import writable

NAMES = writable("r.csv", "r.tsv", "r.csv.gz", "r.tsv.zst", "qrels.csv", "qrels.tsv", "r.parquet")
IDS = AWKWARD | st.integers(-(2**63), 2**63 - 1).map(str)
VALUES = st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.none() | st.integers(-(2**63), 2**63 - 1)


@st.composite
def rated(draw: st.DrawFn) -> Ratings:
    """Ratings of awkward users and items, with or without times."""
    pairs = draw(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=6, unique=True))
    timed = draw(st.booleans())
    columns: dict[str, list[Any]] = {
        "user_id": [user for user, _ in pairs],
        "item_id": [item for _, item in pairs],
        "rating": [draw(VALUES) for _ in pairs],
    }
    if timed:
        columns["timestamp"] = [draw(TIMES.filter(lambda t: t is not None)) for _ in pairs]
    return Ratings.from_frame(columns)


def rows_as_text(ratings: Ratings) -> list[Row]:
    """Every rating with its ids as text: the integer 7 and the text "7" are the same id."""
    ids = pl.col("user_id", "item_id").cast(pl.String)
    return sorted(ratings.to_polars().with_columns(ids).rows())


def read_back(ratings: Ratings, name: str) -> Ratings | None:
    """What a file holds after it was written; None if writing was refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        try:
            write_ratings(ratings, path)
        except OutputError:
            assert not path.exists()
            return None
        return read_ratings(path)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=tries(30))
@given(ratings=rated())
@example(ratings=ratings_of([('a"b', "x", 1.0, 1), ("\ufeffa", "steam::440", 2.0, 2)]))
@example(ratings=ratings_of([("a", "x", 1.0, 1_700_000_000_000_000_001)]))
def test_ratings_are_read_back_as_they_were_or_refused(
    name: str, compiled: bool, ratings: Ratings
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if compiled:
            patch.setattr(fast, "_MANY_BYTES", 0)
        back = read_back(ratings, name)
    assert back is None or rows_as_text(back) == rows_as_text(ratings)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("user", ['a"b', '"a"', " a ", "a,b", "steam::440", "\ufeffa", "a\u2028b"])
def test_ids_of_one_line_are_never_refused(name: str, user: str) -> None:
    ratings = ratings_of([(user, "x", 1.0, 1), ("b", "x", 1.0, 1)])
    for _ in range(2):  # nor do they grow
        back = read_back(ratings, name)
        assert back is not None
        assert rows_as_text(back) == rows_as_text(ratings)
        ratings = back


@pytest.mark.parametrize(
    ("name", "bad"),
    [("r.csv", ""), ("r.csv", "a\nb"), ("r.csv.gz", "a\rb"), ("r.tsv", "a\tb"), ("r.tsv", "a\0b")],
)
def test_ids_that_text_cannot_hold_are_refused_by_name(name: str, bad: str, tmp_path: Path) -> None:
    ratings = ratings_of([(bad, "x", 1.0, 1)])
    with pytest.raises(OutputError, match=r"would be read back as another; try .parquet"):
        write_ratings(ratings, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_zstandard_is_refused_where_polars_cannot_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pl.LazyFrame, "sink_csv", lambda self, path: None)
    with pytest.raises(OutputError, match=r"r\.csv\.zst: .* does not write \.zst; use \.gz, or"):
        write_ratings(ratings_of([(1, 2, 3.0, 0)]), tmp_path / "r.csv.zst")
    assert not list(tmp_path.iterdir())
