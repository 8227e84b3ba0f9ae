"""Runs at addresses are those of the same files on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError, InputError, UnreadableFile
from cranfield.base.ids import Ids
from cranfield.recommendation.runs import source
from cranfield.recommendation.runs.files import open_run, read_run
from cranfield.workbench.cli.main import main
from cranfield.workbench.cli.shared.named_runs import named_runs
from run_forms import FORMS, Lists, table
from suites import spread
from web_server import serving

IDS: dict[str, Any] = {
    "user_ids": Ids(pl.Series([1, 2, 3, 4])),
    "item_ids": Ids(pl.Series([7, 8, 9])),
}
LISTS: Lists = {2: [(7, 0.1)], 3: [], 1: [(9, 0.5), (7, 0.25), (8, 0.25)]}
TEST = {"user": [1, 1, 2, 3, 4], "item": [7, 8, 7, 9, 9], "rating": [5, 2, 5, 5, 5]}
IN_FILES = [
    "TREC", "Elliot", "WarpRec", "RecTools", "RecBole", "packed text", "ranks alone", "Parquet",
    "LensKit Parquet", "ranx JSON", "JSON lines of lists", "JSON lines, packed",
    "JSON lines of rows",
]  # fmt: skip


@pytest.mark.parametrize("name", spread(IN_FILES, every=3))
def test_every_file_is_read_from_an_address_as_from_disk(name: str, tmp_path: Path) -> None:
    path = Path(FORMS[name].make(LISTS, tmp_path))
    expected = read_run(path, **IDS)
    with serving(tmp_path) as web:
        found = read_run(f"{web}/{path.name}", **IDS)
    assert found.run == expected.run
    assert found.run.system == expected.run.system
    assert found.report == expected.report


@pytest.mark.parametrize("pattern", ["", "part-*.parquet", "*", "part-*.csv", "part-*.jsonl"])
def test_parts_at_an_address_are_one_run(tmp_path: Path, pattern: str) -> None:
    flat = table(LISTS)
    for number, part in enumerate([flat[:2], flat[2:]]):
        part.write_parquet(tmp_path / f"part-{number}.parquet")
        if pattern.startswith("part"):
            part.write_csv(tmp_path / f"part-{number}.csv")
            part.write_ndjson(tmp_path / f"part-{number}.jsonl")
    found = read_run(f"file://{tmp_path}/{pattern}", **IDS, system="A").run
    assert found == read_run(flat, **IDS, system="A").run


def test_an_address_is_given_to_polars_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def scan(address: str) -> pl.LazyFrame:
        asked.append(address)
        return table(LISTS).lazy()

    monkeypatch.setattr(pl, "scan_parquet", scan)
    addresses = [f"{each}://bucket/mine.parquet" for each in ("s3", "gs", "az", "hf", "https")]
    for address in addresses:
        assert read_run(address, **IDS).run == read_run(table(LISTS), **IDS, system="mine").run
    assert asked == addresses


def test_parquet_at_an_address_is_not_read_before_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(LISTS).write_parquet(tmp_path / "mine.parquet", row_group_size=2)
    address = f"file://{tmp_path}/mine.parquet"
    assert open_run(address).held is None
    monkeypatch.setattr(source, "_FEW_ROWS", 0)
    monkeypatch.setattr(source, "ROWS_AT_ONCE", 2)
    with serving(tmp_path) as web:
        found = cf.score(TEST, {"A": f"{web}/mine.parquet"}, ["nDCG@3", "RR"], relevance=4)
    expected = cf.score(TEST, {"A": table(LISTS)}, ["nDCG@3", "RR"], relevance=4)
    assert np.array_equal(found.values, expected.values, equal_nan=True)


def test_one_system_of_several_is_picked(tmp_path: Path) -> None:
    both = pl.concat(table(LISTS).with_columns(system=pl.lit(name)) for name in "AB")
    both.write_csv(tmp_path / "runs.csv")
    both.write_parquet(tmp_path / "runs.parquet")
    for name in ("runs.csv", "runs.parquet"):
        address = f"file://{tmp_path}/{name}"
        assert read_run(address, **IDS, system="B").run == read_run(both, **IDS, system="B").run
        with pytest.raises(CranfieldError, match=r"^file://.*2 systems are in it, such as A and B"):
            read_run(address, **IDS)


def test_what_is_wrong_at_an_address_is_told(tmp_path: Path) -> None:
    (tmp_path / "torn.parquet").write_bytes(b"PAR1 no table")
    (tmp_path / "bad.csv").write_text("user_id,item_id,score\n1,7,0.5\n1,8,high\n")
    (tmp_path / "foreign.csv").write_text("user_id,item_id,score\nx,7,0.5\n")
    (tmp_path / "broken.jsonl").write_text('{"user": 1, "item": 7, "score": 1}\n[]\n')
    with serving(tmp_path) as web:
        for name in ("torn.parquet", "absent.parquet", "absent.csv"):
            with pytest.raises(UnreadableFile, match=rf"^{web}/{name}: it cannot be read \("):
                read_run(f"{web}/{name}", **IDS)
        for name in ("bad.csv", "foreign.csv", "broken.jsonl"):
            with pytest.raises(InputError, match=f"^{web}/{name}"):
                read_run(f"{web}/{name}", **IDS)


@pytest.mark.slow  # Polars tries again and again
def test_a_parquet_file_that_vanishes_is_told(tmp_path: Path) -> None:
    table(LISTS).write_parquet(tmp_path / "mine.parquet")
    with serving(tmp_path) as web:
        opened = open_run(f"{web}/mine.parquet")
    with pytest.raises(UnreadableFile, match=r"^http://.*mine\.parquet: it cannot be read \("):
        opened.whole()


@pytest.mark.parametrize(
    ("given", "name", "file"),
    [
        ("s3://bucket/mine.parquet", "mine", "s3://bucket/mine.parquet"),
        ("https://host/mine.csv?key=a&v=2", "mine", "https://host/mine.csv?key=a&v=2"),
        ("new=https://host/mine.csv?key=a", "new", "https://host/mine.csv?key=a"),
    ],
)
def test_a_run_at_an_address_is_named_on_the_command_line(given: str, name: str, file: str) -> None:
    assert named_runs([given]) == {name: file}


def test_the_command_line_and_a_definition_take_addresses(tmp_path: Path) -> None:
    judged, written = tmp_path / "test.csv", tmp_path / "made.json"
    pl.DataFrame(TEST).write_csv(judged)
    table(LISTS).write_csv(tmp_path / "mine.csv")
    with serving(tmp_path) as web:
        words = ["evaluate", "--judgments", str(judged), "--run", f"{web}/mine.csv"]
        words += ["-m", "nDCG@3", "--relevance", "4", "--json", str(written)]
        assert main(words) == 0
        made = {
            "split": {"name": "given", "test": f"{web}/test.csv"},
            "runs": {"mine": f"{web}/mine.csv"},
            "metrics": ["nDCG@3"],
            "relevance": 4,
        }
        by_definition = cf.run(made).summary.row("mine", "nDCG@3").value
    local = cf.evaluate(TEST, {"mine": table(LISTS)}, ["nDCG@3"], relevance=4)
    assert by_definition == local.summary.row("mine", "nDCG@3").value
    assert f'"value": {by_definition}' in written.read_text()
