from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadValue
from cranfield.base.ids import COMPILED_ROWS, Ids, as_ids, encode_ids, used_codes
from suites import tries

INTEGERS = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1)
CLOSE = st.lists(st.integers(-50, 50), min_size=1)
TEXTS = st.lists(
    st.sampled_from(["", "007", "7", "é", "e\u0301", "a\x00b", "a", "日本", " a"])
    | st.text(st.characters(exclude_categories=["Cs"])),
    min_size=1,
)
NARROW = st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1) | CLOSE
COLUMNS = (
    (INTEGERS | CLOSE).map(lambda v: pl.Series(v, dtype=pl.Int64))
    | NARROW.map(lambda v: pl.Series(v, dtype=pl.Int32))
    | TEXTS.map(lambda v: pl.Series(v, dtype=pl.String))
)


@settings(deadline=None, max_examples=tries(200))
@given(COLUMNS)
@example(pl.Series([-(2**63), 2**63 - 1]))
@example(pl.Series([-(2**63), -(2**63) + 3]))
@example(pl.Series([2**63 - 1, 2**63 - 3]))
@example(pl.Series([2**31 - 1, -(2**31)] * (1 << 15), dtype=pl.Int32))
@example(pl.Series([2**31 - 1, 2**31 - 9], dtype=pl.Int32))
@example(pl.concat([pl.Series([9, 7]), pl.Series([8, 9])], rechunk=False))
@example(pl.Series(["a\x00", "a"]))
def test_codes_number_the_distinct_ids_in_order_and_give_them_back(column: pl.Series) -> None:
    ids, codes = encode_ids(column)
    assert ids.values.to_list() == sorted(set(column.to_list()))
    assert ids.take(codes).to_list() == column.to_list()
    assert codes.dtype == np.int32
    assert ids.encode(column).tolist() == codes.tolist()


@settings(deadline=None)
@given(COLUMNS, st.randoms())
def test_codes_do_not_depend_on_the_order_of_rows(column: pl.Series, random: object) -> None:
    shuffled = column.to_list()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    ids, codes = encode_ids(column)
    others, other_codes = encode_ids(pl.Series(shuffled, dtype=column.dtype))
    assert ids == others
    assert hash(ids) == hash(others)
    assert dict(zip(column, codes.tolist(), strict=True)) == dict(
        zip(shuffled, other_codes.tolist(), strict=True)
    )


@settings(deadline=None)
@given(COLUMNS, COLUMNS)
def test_the_union_holds_all_ids_of_both_and_codes_them(one: pl.Series, other: pl.Series) -> None:
    left, right = encode_ids(one)[0], encode_ids(other)[0]
    union = left.union(right)
    same = left.values.dtype == right.values.dtype
    merged = {*one, *other} if same else {*map(str, one), *map(str, other)}
    assert union.values.to_list() == sorted(merged)
    assert union == right.union(left)
    for ids in (left, right):
        codes = union.encode(ids.values)
        assert union.take(codes).cast(pl.String).to_list() == ids.values.cast(pl.String).to_list()


def test_the_union_of_equal_ids_is_the_same_object() -> None:
    ids = Ids(pl.Series([1, 2]))
    assert ids.union(Ids(pl.Series([1, 2]))) is ids


@pytest.mark.parametrize(
    ("known", "asked", "codes"),
    [
        ([3, 7], [7, 3, 1, 9, 5], [1, 0, -1, -1, -1]),
        ([3, 7], ["7", "007", "x", "+3", ""], [1, -1, -1, -1, -1]),
        ([3, 7], [7.0, 3.0], [1, 0]),
        (["3", "a"], [3, 4], [0, -1]),
        (["3", "a"], ["a", "A", ""], [1, -1, -1]),
        (["3", "a"], [], []),
    ],
)
def test_unknown_ids_get_minus_one(
    known: list[int | str], asked: list[int | str], codes: list[int]
) -> None:
    found = Ids(pl.Series(known)).encode(asked)
    assert found.tolist() == codes
    assert found.dtype == np.int32


def test_nothing_is_known_among_no_ids() -> None:
    assert Ids(pl.Series([], dtype=pl.Int64)).encode([1, 2]).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pl.Series([1, 2], dtype=pl.UInt8), pl.Series([1, 2])),
        (pl.Series([2**63, 1], dtype=pl.UInt64), pl.Series(["9223372036854775808", "1"])),
        (pl.Series([2**70, -1], dtype=pl.Int128), pl.Series([str(2**70), "-1"])),
        (pl.Series([1.0, -3.0]), pl.Series([1, -3])),
        (pl.Series([1.0, 2.0], dtype=pl.Float32), pl.Series([1, 2])),
        (pl.Series(["b", "a"], dtype=pl.Categorical), pl.Series(["b", "a"])),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "a"])), pl.Series(["b", "a"])),
        (pl.Series([b"x", "é".encode()]), pl.Series(["x", "é"])),
        (pl.Series(["", "007"]), pl.Series(["", "007"])),
        (pl.Series([True, False]), pl.Series(["true", "false"])),
        (pl.Series(["5", "6"]).cast(pl.Decimal(38, 0)), pl.Series([5, 6])),
    ],
)
def test_columns_become_integers_or_text(column: pl.Series, expected: pl.Series) -> None:
    made = as_ids(column)
    assert made.dtype == expected.dtype
    assert made.to_list() == expected.to_list()


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pl.Series([1, None]), 'ids, row 2, column "id": nothing is not an id.'),
        (pl.Series(["a", None]), 'ids, row 2, column "id": nothing is not an id.'),
        (
            pl.Series([2**63, None], dtype=pl.UInt64),
            'ids, row 2, column "id": nothing is not an id.',
        ),
        (pl.Series([1.0, 2.5]), 'ids, row 2, column "id": 2.5 is not a whole number or text.'),
        (pl.Series([float("nan")]), 'ids, row 1, column "id": nan is not a whole number or text.'),
        (pl.Series([1e300]), 'ids, row 1, column "id": 1e+300 is not a whole number or text.'),
        (pl.Series([[1]]), 'ids, row 1, column "id": List(Int64) is not an id.'),
        (pl.Series([b"\xff"]), "ids, row 1, column \"id\": b'\\xff' is not an id."),
    ],
)
def test_what_is_no_id_is_refused_with_its_row(column: pl.Series, message: str) -> None:
    with pytest.raises(BadValue) as caught:
        as_ids(column)
    assert str(caught.value) == message


def test_what_is_no_id_is_refused_with_its_line_where_that_is_known() -> None:
    with pytest.raises(BadValue, match=r'x\.csv, line 12, column "who": nothing is not an id\.'):
        as_ids(pl.Series([1, 2, None]), "x.csv", "who", lambda row: row + 10)


def test_ids_are_told_apart_by_type_and_values() -> None:
    numbers, texts = Ids(pl.Series([1, 2])), Ids(pl.Series(["1", "2"]))
    assert numbers != texts
    assert numbers != Ids(pl.Series([1, 3]))
    assert numbers != "1"
    assert texts.are_text
    assert not numbers.are_text
    assert (numbers[1], texts[0], len(texts)) == (2, "1", 2)


def test_content_tells_apart_ids_that_run_together() -> None:
    both = np.array([0, 1])
    ids = Ids(pl.Series(["a\x00b", "c"]))
    assert ids.content(both) != Ids(pl.Series(["a", "b\x00c"])).content(both)
    assert Ids(pl.Series(["ab", "c"])).content(both) != Ids(pl.Series(["a", "bc"])).content(both)


def test_codes_in_use_are_renumbered() -> None:
    used, codes = used_codes(np.array([0, 2, 0, 1]), np.array([1, 3, 1], dtype=np.int32))
    assert used.tolist() == [1, 3]
    assert codes.tolist() == [0, 1, 0]
    assert codes.dtype == np.int32


@pytest.mark.long
@pytest.mark.parametrize(
    ("rows", "expected"), [(COMPILED_ROWS - 1, "False"), (COMPILED_ROWS, "True")]
)
def test_the_number_of_rows_alone_decides_whether_a_loop_is_compiled(
    rows: int, expected: str
) -> None:
    code = (
        "import sys, polars as pl; from cranfield.base.ids import encode_ids; "
        f"encode_ids(pl.Series(range({rows}))); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected
