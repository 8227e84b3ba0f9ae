"""Tables of runs: what they say of ranks, however their columns lie in memory."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import BadValue
from cranfield.base.ids import Ids, Numbered
from cranfield.recommendation.runs.table import RunTable

ROLES = {"user_id": "user", "item_id": "item", "rank": "rank"}


def table_of(ranks: pl.Series) -> RunTable:
    frame = pl.DataFrame({"user": range(len(ranks)), "item": range(len(ranks)), "rank": ranks})
    return RunTable(frame, ROLES, "table")


@given(
    pieces=st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=5),
    dtype=st.sampled_from([pl.Int64, pl.Int32, pl.UInt8, pl.Float64]),
)
def test_rank_inversions_are_found_within_and_between_pieces(
    pieces: list[list[int]], dtype: type[pl.DataType]
) -> None:
    ranks = pl.concat([pl.Series(piece, dtype=dtype) for piece in pieces], rechunk=False)
    expected = [at for at in range(1, len(ranks)) if ranks[at] < ranks[at - 1]]
    assert table_of(ranks).rank_inversions().tolist() == expected


def test_without_ranks_there_is_no_inversion() -> None:
    table = RunTable(pl.DataFrame({"user": [1], "item": [1]}), {"user_id": "user"}, "table")
    assert table.rank_inversions().tolist() == []


@pytest.mark.parametrize("ranks", [[1, None], [1.0, np.inf], ["1", "two"]])
def test_what_is_no_rank_is_refused(ranks: list[object]) -> None:
    with pytest.raises(BadValue, match=r"table, row 2, column .rank"):
        table_of(pl.Series(ranks, strict=False)).rank_inversions()


@given(
    texts=st.lists(st.sampled_from("abcd"), min_size=1, max_size=12),
    chosen=st.lists(st.integers(0, 11), max_size=6),
)
def test_some_rows_keep_their_ids(texts: list[str], chosen: list[int]) -> None:
    rows = np.array([row for row in chosen if row < len(texts)], dtype=np.int64)
    distinct = list(dict.fromkeys(texts))
    places = np.array([sorted(distinct).index(text) for text in distinct], np.int32)
    numbers = np.array([distinct.index(text) for text in texts], np.int32)
    ids = {"user_id": Numbered(Ids(pl.Series(sorted(distinct))), numbers, places)}
    frame = pl.DataFrame({"rank": range(len(texts))})
    own, left, among, _ = RunTable(frame, ROLES, "table", ids=ids).take(rows, "some").ids["user_id"]
    assert own.values.to_list() == sorted({texts[row] for row in rows})
    assert [own[among[number]] for number in left] == [texts[row] for row in rows]
