"""Text and JSON too large to be held are read as if they were held."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import BadValue, UnreadableFile
from cranfield.base.schema import ITEM, SCORE, USER
from cranfield.recommendation.runs import large_text
from cranfield.recommendation.runs.files import open_run
from run_cases import read
from suites import tries

Row = tuple[str, str, float]

ids = st.one_of(
    st.integers(0, 30).map(str),
    st.text('ab"\n,;\té', min_size=1, max_size=3).map(lambda t: "x" + t),
)
rows = st.lists(
    st.tuples(ids, ids, st.floats(-9, 9).map(lambda x: round(x, 3))),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[:2],
)


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_text, "LARGE", 0)
    monkeypatch.setattr(large_text, "SLICE", 60)


def csv_of(table: list[Row]) -> str:
    def cell(value: object) -> str:
        return '"' + str(value).replace('"', '""') + '"'

    return "".join(f"{cell(u)},{cell(i)},{s}\n" for u, i, s in [("user", "item", "score"), *table])


def json_of(table: list[Row]) -> str:
    named = (dict(zip(("user", "item", "score"), row, strict=True)) for row in table)
    return "".join(json.dumps(each) + "\n" for each in named)


def tabs_of(table: list[Row]) -> str:
    plain = [(u, i, s) for u, i, s in table if not set("\n\t") & set(u + i)] or [("1", "2", 0.5)]
    return "".join(f"{u}\t{i}\t{s}\n" for u, i, s in plain)


def found_in(path: Path) -> list[tuple[Any, ...]]:
    source = open_run(path)
    table = source.whole()
    users, items = (table.numbered(role) for role in (USER, ITEM))
    columns = [each.ids.take(each.places[each.rows]).to_list() for each in (users, items)]
    return list(zip(*columns, table.floats(SCORE).tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "write"),
    [("run.csv", csv_of), ("run.jsonl", json_of), ("run.tsv", tabs_of), ("run.csv.gz", csv_of)],
)
@settings(
    deadline=None,
    max_examples=tries(200),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(table=rows, slice_size=st.integers(20, 200))
def test_a_copy_has_the_rows_that_are_read_at_once(
    tmp_path: Path, name: str, write: Any, table: list[Row], slice_size: int
) -> None:
    text = write(table).encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    held = found_in(tmp_path / name)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(large_text, "LARGE", 0)
        patched.setattr(large_text, "SLICE", max(slice_size, max(map(len, text.split(b"\n"))) * 4))
        assert open_run(tmp_path / name).copied is not None
        assert found_in(tmp_path / name) == held


@pytest.mark.usefixtures("small_slices")
def test_parts_that_are_scattered_and_mixed_are_one_run(tmp_path: Path) -> None:
    (tmp_path / "part-0.csv").write_text("user,item,score\n" + "1,9,0.5\n2,7,0.25\n" * 1)
    (tmp_path / "part-1.csv").write_text("user,item,score\n1,x8,0.1\n2,9,0.1\n")
    reading = read(tmp_path)
    assert reading.report.unknown_items.example == "x8"
    assert reading.report.lists == 2


@pytest.mark.usefixtures("small_slices")
def test_scores_are_those_of_what_was_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    test = {"user": [1, 1, 2, 3], "item": [5, 6, 5, 7], "rating": [5, 4, 3, 5]}
    order = rng.permutation([(u, i) for u in (1, 2, 3) for i in (5, 6, 7, 8)]).tolist()
    lines = [f"{u} Q0 {i} 1 {rng.random():.6f} mine\n" for u, i in order]
    (tmp_path / "mine.trec").write_text("".join(lines))
    copied = cf.evaluate(test, {"mine": tmp_path / "mine.trec"}, ["nDCG@3", "RR"], relevance=4)
    monkeypatch.setattr(large_text, "LARGE", 1 << 30)
    held = cf.evaluate(test, {"mine": tmp_path / "mine.trec"}, ["nDCG@3", "RR"], relevance=4)
    assert copied.scores.to_polars().equals(held.scores.to_polars())
    assert copied.reports == held.reports


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("r.csv", "user,item,score\n" + "1,2,0.5\n" * 40 + "1,3,half\n", "r.csv, line 42, .*half"),
        ("r.jsonl", '{"user": 1, "item": 2, "score": 1}\n' * 20 + "{]\n", "r.jsonl, line 21"),
        ("r.csv", 'user,item,score\n1,2,0.5\n"1,3,0.5\n' + "1,4,0.5\n" * 40, "line 3.* not end"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises((BadValue, UnreadableFile), match=said) as told:
        open_run(tmp_path / name)
    assert "slice" not in str(told.value)


@pytest.mark.usefixtures("small_slices")
def test_lists_that_are_empty_stay_known(tmp_path: Path) -> None:
    records = [{"user": u, "items": [7, 8][:u], "scores": [0.5, 0.25][:u]} for u in (2, 0, 1)]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    source = open_run(tmp_path / "r.jsonl")
    assert source.copied is not None
    assert source.empty is not None
    assert source.empty.values.to_list() == [0]


@pytest.mark.usefixtures("small_slices")
def test_a_document_is_read_at_once(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"1": {"7": 0.5, "8": 0.25}}')
    assert open_run(tmp_path / "r.json").copied is None


@pytest.mark.usefixtures("small_slices")
def test_copies_go_with_the_run(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("1\t2\t0.5\n" * 1 + "1\t3\t0.25\n")
    source = open_run(tmp_path / "r.tsv")
    assert source.copied is not None
    folder = source.copied.folder
    assert list(folder.glob("*.parquet"))
    del source
    assert not folder.exists()


@pytest.mark.usefixtures("small_slices")
def test_a_disk_that_is_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "r.tsv").write_text("1\t2\t0.5\n")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UnreadableFile, match=r"cannot be copied .*No space left.*TMPDIR"):
        open_run(tmp_path / "r.tsv")
