"""Whatever a file holds, it is read or refused in a sentence, soon, and no id is changed."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.collection.source import read_ratings
from cranfield.collection.text import fast
from fuzz_cases import (
    CORPUS,
    FUZZED,
    Reader,
    check,
    fuzzed,
    reader_of,
    spoiled,
    warm_up,
)
from rating_rows import AWKWARD


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    warm_up()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast, "_MANY_BYTES", 0)
        warm_up()


@pytest.mark.parametrize("reader", FUZZED, ids=lambda reader: reader.name)
def test_what_is_spoiled_was_valid(reader: Reader, tmp_path: Path) -> None:
    for seed in reader.seeds:
        (tmp_path / reader.name).write_bytes(reader.pack(seed))
        reader.read(tmp_path / reader.name)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_once_failed_is_read_or_refused(path: Path) -> None:
    check(reader_of(path), path.read_bytes())


@pytest.mark.parametrize("reader", FUZZED, ids=lambda reader: reader.name)
def test_a_spoiled_file_is_read_or_refused(reader: Reader) -> None:
    fuzz(reader)


@pytest.mark.parametrize("reader", FUZZED[:6], ids=lambda reader: reader.name)
def test_a_spoiled_file_is_read_or_refused_by_compiled_loops(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "_MANY_BYTES", 0)
    fuzz(reader)


def fuzz(reader: Reader) -> None:
    @fuzzed
    @given(spoiled(reader))
    def case(data: bytes) -> None:
        check(reader, data)

    case()


IDS = AWKWARD.filter(lambda text: text.strip() and "\x00" not in text)
UNQUOTED = IDS.filter(lambda text: not set("\t\r\n") & set(text) and text[0] + text[-1] != '""')


def rows_of(ids: st.SearchStrategy[str]) -> st.SearchStrategy[dict[tuple[str, str], int]]:
    return st.dictionaries(st.tuples(ids, ids), st.integers(1, 5), min_size=1, max_size=5)


@fuzzed
@given(
    rows=rows_of(IDS),
    separator=st.sampled_from(",;|"),
    header=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
    name=st.sampled_from(["r.csv", "r.txt", "r"]),
)
def test_ids_that_python_writes_are_read_as_they_are_or_refused(
    rows: dict[tuple[str, str], int], separator: str, header: bool, end: str, name: str
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator=end)
    if header:
        writer.writerow(["user_id", "item_id", "rating"])
    writer.writerows([user, item, rating] for (user, item), rating in rows.items())
    compare(text.getvalue(), rows, name)


@fuzzed
@given(rows_of(UNQUOTED), st.booleans(), st.sampled_from(["r.tsv", "r.txt", "r.csv"]))
def test_ids_between_tabs_are_read_as_they_are_or_refused(
    rows: dict[tuple[str, str], int], header: bool, name: str
) -> None:
    lines = [f"{user}\t{item}\t{rating}\n" for (user, item), rating in rows.items()]
    compare("user_id\titem_id\trating\n" * header + "".join(lines), rows, name)


def compare(text: str, rows: dict[tuple[str, str], int], name: str) -> None:
    """Read a text; a byte order mark before it is no part of the first id."""

    def read(path: Path) -> None:
        found = read_ratings(path).to_polars().rows()
        without = text.removeprefix("\ufeff") != text
        wanted = {
            (user.removeprefix("\ufeff") if without and not place else user, item): float(rating)
            for place, ((user, item), rating) in enumerate(rows.items())
        }
        assert {(str(user), str(item)): rating for user, item, rating in found} == wanted

    check(Reader(name, read, ()), text.encode())
