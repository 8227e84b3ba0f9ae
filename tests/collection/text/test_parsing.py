"""A plain text file read in one pass is what Polars reads; anything unusual is left to it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.schema import ITEM, RANK, SCORE, SYSTEM, USER
from cranfield.collection.kernels.plain_text import find_ends, read_numbers
from cranfield.collection.text import plain_columns
from cranfield.collection.text.layout import TextLayout
from cranfield.collection.text.parsing import Parsed, parse
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.table import RunTable
from cranfield.recommendation.runs.text import read_text
from cranfield.recommendation.runs.text_layout import NAMES
from suites import tries

TREC_ROLES = (USER, ITEM, RANK, SCORE, SYSTEM)
TREC = TextLayout(" ", NAMES[6], {role: role for role in TREC_ROLES}, 0, False, ())
THREE = TextLayout(",", NAMES[3], {role: role for role in (USER, ITEM, SCORE)}, 0, True, ())

ids = st.text("ab7", min_size=1, max_size=12)
decimals = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.floats(min_value=-1e9, max_value=1e9).map(repr),
    st.decimals(-1000, 1000, places=4).map(str),
    st.integers(-(10**20), 10**20).map(str),
    st.from_regex(r"-?[0-9]{0,6}\.?[0-9]{1,3}", fullmatch=True),
)
rows = st.lists(st.tuples(ids, ids, st.integers(0, 10**6), decimals), min_size=1, max_size=30)


def write(folder: Path, text: str) -> Path:
    path = folder / "run.txt"
    path.write_text(text)
    return path


def trec(table: list[tuple[str, str, int, str]]) -> str:
    return "".join(f"{u} Q0 {i} {k} {s} mine\n" for u, i, k, s in table)


@settings(deadline=None, max_examples=tries(100))
@given(table=rows)
def test_a_plain_file_is_read_as_its_cells_are_written(
    table: list[tuple[str, str, int, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    read = parse(write(tmp_path_factory.mktemp("runs"), trec(table)), TREC)
    assert read is not None
    for role, at in ((USER, 0), (ITEM, 1)):
        names = read.ids[role].ids.take(read.ids[role].rows).cast(str).to_list()
        assert names == [row[at] for row in table]
        assert len(read.ids[role].ids) == len({row[at] for row in table})
    assert read.numbers[RANK].tolist() == [row[2] for row in table]
    scores = [float(row[3]) for row in table]
    assert read.numbers[SCORE].tolist() == scores
    assert np.signbit(read.numbers[SCORE]).tolist() == np.signbit(scores).tolist()
    assert read.ids[SYSTEM].ids.values.to_list() == ["mine"]


def assert_same(one: Parsed | None, other: Parsed | None) -> None:
    assert one is not None
    assert other is not None
    for role, (distinct, codes) in one.ids.items():
        assert distinct == other.ids[role].ids
        assert np.array_equal(codes, other.ids[role].rows)
    for role, numbers in one.numbers.items():
        assert np.array_equal(numbers, other.numbers[role])


SIZES = st.integers(90, 400)


@settings(deadline=None, max_examples=tries(60))
@given(table=rows, piece=SIZES, block=SIZES, least=st.integers(1, 500))
def test_where_pieces_and_blocks_end_changes_nothing(
    table: list[tuple[str, str, int, str]],
    piece: int,
    block: int,
    least: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The longest line has 74 bytes."""
    path = write(tmp_path_factory.mktemp("runs"), trec(table))
    whole = parse(path, TREC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_columns, "_PIECE", piece)
        patch.setattr(plain_columns, "_BLOCK", block)
        patch.setattr(plain_columns, "_LEAST_BYTES", least)
        patch.setenv("CRANFIELD_THREADS", "3")
        parts = parse(path, TREC)
    assert_same(whole, parts)


def number(text: str) -> float:
    """What the kernel reads of one field, which other bytes follow."""
    data = np.frombuffer(f"{text}\n77777777".encode(), np.uint8)
    ends, out, careful = np.array([-1, len(text)]), np.empty(1), np.empty((2, 1), np.int64)
    left = read_numbers(data, ends, 0, 1, out, careful, 0, *np.empty((2, 1), np.uint64))
    assert left == np.isnan(out[0])
    assert careful[:, :left].ravel().tolist() == [0, len(text)] * left
    return float(out[0])


@settings(deadline=None, max_examples=tries(300))
@given(text=st.text("ab ,\n\r\u00e9", max_size=200), skipped=st.integers(0, 200))
def test_fields_end_where_separators_and_line_ends_are(text: str, skipped: int) -> None:
    bare = text.encode()
    data = np.frombuffer(bare + b"\n, \n,\n,," * 8, np.uint8)
    start, ends = min(skipped, len(bare)), np.empty(len(data), np.int64)
    foreign = np.frombuffer(b"\r", np.uint8)
    count, lines, usual = find_ends(data, start, len(bare), ord(","), foreign, ends)
    wanted = [at for at in range(start, len(bare)) if bare[at] in b",\n"]
    assert ends[:count].tolist() == wanted
    assert lines == bare[start:].count(b"\n")
    empty = b"" in re.split(b"[,\n]", bare[start:])[:-1]
    assert usual == (not empty and b"\r" not in bare[start:] and bare[start:].isascii())


@settings(deadline=None, max_examples=tries(500))
@given(text=decimals)
def test_a_number_is_rounded_as_python_does_or_left_alone(text: str) -> None:
    value = number(text)
    assert np.isnan(value) or value == float(text)


@pytest.mark.parametrize(
    "text",
    ["0.1", "-2.5", "0.12345678901234567", "123.45678901234567", "7", ".5", "5.", "-0", "12345678"],
)
def test_usual_numbers_are_not_left_alone(text: str) -> None:
    assert number(text) == float(text)


@pytest.mark.parametrize(
    "text",
    ["", ".", "-", "-.", "1e5", "+1", "1.2.3", "nan", "0x1", "1_0", "1/2", "1:2", "..", "--1"],
)
def test_what_is_not_a_plain_number_is_left_alone(text: str) -> None:
    assert np.isnan(number(text))


@pytest.mark.parametrize(
    "text",
    [
        "u Q0 i 1 0.5\n",
        "u Q0 i 1 0.5 mine more\n",
        "u  Q0 i 1 0.5 mine\n",
        "u\tQ0 i 1 0.5 mine\n",
        " u Q0 i 1 0.5 mine\n",
        "u Q0 i 1 0.5 mine \n",
        "u Q0 i 1 0.5 mine\n\nu Q0 j 2 0.4 mine\n",
        "u Q0 i 1 0.5 mine\r\n",
        "u Q0 i 1 five mine\n",
        "u Q0 i one 0.5 mine\n",
        "u Q0 \u00e9 1 0.5 mine\n",
        "u Q0 i\x00 1 0.5 mine\n",
        "",
        "x" * 20_000,
    ],
)
def test_anything_unusual_is_left_to_polars(text: str, tmp_path: Path) -> None:
    assert parse(write(tmp_path, text), TREC) is None


def test_a_quoted_file_is_left_to_polars(tmp_path: Path) -> None:
    assert parse(write(tmp_path, "u,i,0.5\n"), THREE) is not None
    assert parse(write(tmp_path, '"u",i,0.5\n'), THREE) is None


def test_the_last_line_needs_no_end(tmp_path: Path) -> None:
    read = parse(write(tmp_path, "u Q0 i 1 0.5 mine\nu Q0 j 2 0.25 mine"), TREC)
    assert read is not None
    assert read.numbers[SCORE].tolist() == [0.5, 0.25]


def test_parts_and_growing_tables_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [(f"u{k // 7}", f"item-{k * 7919 % 911}", k, f"{k / 7}") for k in range(2000)]
    path = write(tmp_path, trec(lines))
    whole = parse(path, TREC)
    monkeypatch.setattr(plain_columns, "_LEAST_BYTES", 100)
    monkeypatch.setattr(plain_columns, "_FEWEST_SLOTS", 16)
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    parts = parse(path, TREC)
    assert_same(whole, parts)


def test_more_distinct_ids_than_any_table_holds_are_left_to_polars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_columns, "_FEWEST_SLOTS", 16)
    monkeypatch.setattr(plain_columns, "_MOST_SLOTS", 64)
    assert parse(write(tmp_path, trec([(f"u{k}", "i", 1, "1") for k in range(99)])), TREC) is None


def test_long_ids_that_begin_or_end_alike_are_told_apart(tmp_path: Path) -> None:
    names = ["a" * k for k in range(1, 30)] + ["x" * 16 + "y" * k for k in range(16)]
    names += ["y" * k + "x" * 16 for k in range(1, 16)]
    read = parse(write(tmp_path, trec([(n, n, 1, "1") for n in [*names, *names]])), TREC)
    assert read is not None
    assert read.ids[USER].ids.take(read.ids[USER].rows).to_list() == [*names, *names]


def test_integers_stay_text_where_one_of_them_is_not_written_as_an_integer(tmp_path: Path) -> None:
    read = parse(write(tmp_path, trec([("7", "07", 1, "1"), ("8", "9", 2, "0")])), TREC)
    assert read is not None
    assert read.ids[USER].ids.values.to_list() == [7, 8]
    assert read.ids[ITEM].ids.values.to_list() == ["07", "9"]


def table(path: Path) -> RunTable:
    return read_text(path, "auto", None)


def test_a_table_that_was_read_in_one_pass_tells_systems_apart(tmp_path: Path) -> None:
    text = "u Q0 i 1 0.5 b\nu Q0 i 1 0.5 a\nv Q0 j 1 0.5 b\n"
    path = write(tmp_path, text)
    read = table(path)
    assert set(read.ids) == {USER, ITEM, SYSTEM}
    some = read.take(np.array([0, 2]), "some")
    assert some.ids[SYSTEM].ids.values.to_list() == ["b"]
    assert some.line_of is not None
    assert some.line_of(1) == 3
    users, items = read.numbered(USER).ids, read.numbered(ITEM).ids
    found = [read_run(path, user_ids=users, item_ids=items, system=name) for name in "ab"]
    assert [each.report.rows for each in found] == [1, 2]
    assert [each.report.lists for each in found] == [1, 2]
