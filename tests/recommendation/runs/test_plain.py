"""Rows that are ranked lists as they stand are read as any others are, only faster."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base import ids as base_ids
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs import coding as run_coding
from cranfield.recommendation.runs import plain as run_plain
from cranfield.recommendation.runs.coding import Reading, code_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.table import RunTable
from suites import tries

USERS, ITEMS = Ids(pl.Series([f"u{k}" for k in range(6)])), Ids(pl.Series(["a", "b", "c", "d"]))
TRAIN = Ratings.from_triples(["u0", "u3"], ["a", "b"]).reindex(USERS, ITEMS)
ROLES = {"user_id": "user", "item_id": "item", "score": "score", "rank": "rank"}

rankings = st.lists(
    st.tuples(st.sampled_from("abcdxy"), st.sampled_from([3.0, 2.0, 1.0, 0.0, -0.0])),
    min_size=1,
    max_size=5,
)
lists = st.lists(st.tuples(st.integers(0, 7), rankings), min_size=1, max_size=6)


@st.composite
def tables(draw: st.DrawFn) -> RunTable:
    """Rows of lists, most of them in order and without repetitions."""
    usual = draw(st.integers(0, 3)) > 0
    rows = []
    for user, drawn in draw(lists):
        ranking = sorted(dict(drawn).items(), key=lambda pair: (-pair[1], pair[0]))
        ranking = ranking if usual else drawn
        rows += [(f"u{user}", item, score, k) for k, (item, score) in enumerate(ranking)]
    frame = pl.DataFrame(rows, schema=list(ROLES.values()), orient="row")
    if draw(st.integers(0, 4)) == 0:
        frame = frame.with_columns(score=pl.Series([None, *frame["score"][1:]], dtype=pl.Float64))
    roles = dict(ROLES)
    if draw(st.booleans()):
        roles.pop("rank")
        frame = frame.with_columns(pl.col("score").fill_null(0))
    if draw(st.integers(0, 9)) == 0:
        endless = draw(st.sampled_from([math.inf, -math.inf, math.nan]))
        frame[draw(st.integers(0, len(frame) - 1)), "score"] = endless
    cuts = sorted(draw(st.sets(st.integers(0, len(frame)), max_size=4)))
    pieces = [frame[a:b] for a, b in pairwise([0, *cuts, len(frame)])]
    return RunTable(pl.concat(pieces, rechunk=False), roles, "table")


def read(table: RunTable, train: Ratings | None, rules: RunRules) -> Reading | str:
    try:
        return code_run("mine", table, USERS, ITEMS).read(train, rules)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@settings(deadline=None, max_examples=tries(400))
@given(
    table=tables(),
    train=st.sampled_from([None, TRAIN, TRAIN.take(np.zeros(0, int))]),
    ties=st.sampled_from(["item-id", "file", "rank", "trec_eval"]),
    unknown=st.sampled_from(["keep", "drop", "refuse"]),
    training=st.sampled_from(["keep", "drop"]),
)
def test_plain_lists_are_read_as_any_rows_are(
    table: RunTable, train: Ratings | None, ties: str, unknown: str, training: str
) -> None:
    rules = RunRules(
        ties=ties,  # type: ignore[arg-type]
        unknown_items=unknown,  # type: ignore[arg-type]
        training_items=training,  # type: ignore[arg-type]
        duplicates="first",
    )
    read_in = [read(table, train, rules)]
    with patch.object(run_coding, "plain_run", return_value=None):
        read_in.append(read(table, train, rules))
        with patch.object(base_ids, "COMPILED_ROWS", 1):  # numbers in the order of rows
            read_in.append(read(table, train, rules))
    with patch.object(base_ids, "COMPILED_ROWS", 1):
        read_in.append(read(table, train, rules))
    for one, other in pairwise(read_in):
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
            continue
        assert one.run == other.run
        assert one.run.predictions.tobytes() == other.run.predictions.tobytes()  # signs of 0 too
        assert one.report == other.report


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64])
@pytest.mark.parametrize("cuts", [[], [25, 500], [3, 4, 90, 111, 333, 975, 999]])
def test_parts_and_pieces_change_nothing(
    dtype: type[pl.DataType], cuts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table: dict[str, Any] = {
        "user": np.repeat(np.arange(40)[::-1], 25),
        "item": np.tile(np.arange(25), 40),
        "score": pl.Series(-np.tile(np.arange(25), 40)).cast(dtype),
    }
    frame = pl.DataFrame(table)
    frame = pl.concat([frame[a:b] for a, b in pairwise([0, *cuts, 1000])], rechunk=False)
    made = RunTable(frame, {k: v for k, v in ROLES.items() if k != "rank"}, "table")
    ids = Ids(pl.Series(range(40))), Ids(pl.Series(range(25)))
    whole = code_run("mine", made, *ids).read(None, RunRules())
    monkeypatch.setattr(run_plain, "_LEAST_ROWS", 10)
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    with patch.object(run_coding, "_without_repetitions", side_effect=AssertionError):
        parts = code_run("mine", made, *ids).read(None, RunRules())
    assert whole.run == parts.run
    assert replace(whole.report) == parts.report
    assert parts.run.topics.users.tolist() == list(range(40))
    assert parts.run.items.tolist() == table["item"].tolist()
    assert parts.run.predictions.tolist() == table["score"].to_list()


def test_one_user_is_never_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_plain, "_LEAST_ROWS", 10)
    monkeypatch.setenv("CRANFIELD_THREADS", "4")
    table = {"user": [7] * 99, "item": list(range(99)), "score": [-float(k) for k in range(99)]}
    made = RunTable(pl.DataFrame(table), {k: v for k, v in ROLES.items() if k != "rank"}, "table")
    ids = Ids(pl.Series([7])), Ids(pl.Series(range(99)))
    reading = code_run("mine", made, *ids).read(None, RunRules())
    assert reading.run.offsets.tolist() == [0, 99]
