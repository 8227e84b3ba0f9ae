"""``cranfield datasets`` as a user meets it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from cranfield.collection.datasets import DATA_SETS
from cranfield.workbench.cli.main import main
from data_set_files import write_example

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for data with one data set, one in part, and one converted; an empty cache."""
    folder = tmp_path / "data"
    monkeypatch.setenv("CRANFIELD_DATA", str(folder))
    monkeypatch.setenv("CRANFIELD_CACHE", str(tmp_path / "cache"))
    write_example("yelp", folder / "yelp")
    write_example("yelp2018", folder / "yelp2018")
    (folder / "yelp2018" / "train.txt").unlink()
    (folder / "cm100k").mkdir()
    table = pl.DataFrame({"user": [1], "item": [1]})
    table.write_parquet(folder / "cm100k" / "ratings.parquet")
    return folder


def shown(capsys: Captured, *arguments: str) -> list[str]:
    assert main(["datasets", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def details(capsys: Captured, name: str) -> dict[str, str]:
    """The facts that are told of one data set, by their names."""
    title, *lines = shown(capsys, name)
    assert title == DATA_SETS[name].title
    return {line.split()[0]: " ".join(line.split()[1:]) for line in lines}


def refused(capsys: Captured, *arguments: str) -> str:
    assert main(["datasets", *arguments]) == 1
    return capsys.readouterr().err


def test_all_are_listed_with_what_is_here(data: Path, tmp_path: Path, capsys: Captured) -> None:
    heading, _, *lines = shown(capsys)
    assert heading.split()[:6] == ["data", "set", "users", "items", "ratings", "here"]
    rows = {line.split()[0]: line.split() for line in lines[: len(DATA_SETS)]}
    assert list(rows) == list(DATA_SETS)
    assert rows["yelp"][1:5] == ["1,987,929", "150,346", "6,990,280", "yes"]
    assert rows["yelp2018"][4:6] == ["in", "part"]
    assert rows["yelp2018-test"][4] == "yes"
    assert rows["ml-1m"][4] == "–"
    assert rows["trec-qrels"][1:5] == ["–"] * 4
    assert (
        f"3 of {len(DATA_SETS)} are in $CRANFIELD_DATA ({data}) and {tmp_path / 'cache'}." in lines
    )


def test_only_those_that_are_here_are_listed_on_request(capsys: Captured) -> None:
    _, _, *lines = shown(capsys, "--here")
    assert [line.split()[0] for line in lines[:3]] == ["cm100k", "yelp", "yelp2018-test"]
    assert lines[3] == ""


def test_where_nothing_is_here_the_list_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.delenv("CRANFIELD_DATA")
    first, _ = shown(capsys, "--here")
    assert first == f"0 of 0 are in $CRANFIELD_DATA (not set) and {tmp_path / 'cache'}."


def test_all_is_told_of_one(data: Path, capsys: Captured) -> None:
    known, told = DATA_SETS["yelp"], details(capsys, "yelp")
    assert told["names"] == "yelp"
    assert (
        told["size"] == f"1,987,929 users, 150,346 items, 6,990,280 ratings ({known.size_source})"
    )
    assert told["terms"] == known.terms
    assert told["cite"] == known.citation
    assert told["home"] == known.home
    assert told["obtain"] == known.obtain
    assert told["files"] == "yelp_academic_dataset_review.json"
    assert told["layout"] == known.layout
    assert told["note"] == known.note
    assert "checksum" not in told
    assert told["here"] == str(data / "yelp" / "yelp_academic_dataset_review.json")


def test_what_is_missing_or_converted_is_told(data: Path, capsys: Captured) -> None:
    assert details(capsys, "yelp2018")["here"].startswith("yelp2018: train.txt is not in ")
    converted = data / "cm100k" / "ratings.parquet"
    expected = f"{converted} (converted: not a file of the publisher)"
    assert details(capsys, "cm100k")["here"] == expected
    expected = "no: put its files in the folder steam of $CRANFIELD_DATA"
    assert details(capsys, "steam")["here"] == expected


def test_a_size_that_nobody_states_is_said_to_be_so(capsys: Captured) -> None:
    assert details(capsys, "trec-qrels")["size"].startswith("not stated")


def test_an_alias_finds_a_data_set(capsys: Captured) -> None:
    assert shown(capsys, "hetrec2011-lastfm")[0] == DATA_SETS["lastfm-hetrec"].title


def test_a_file_is_held_to_the_checksum_that_is_stated_for_it(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    name = "kuairand-pure"
    write_example(name, data, as_unpacked=True)
    archive = data / "KuaiRand-Pure.tar.gz"
    assert "(" not in details(capsys, name)["here"]
    archive.write_bytes(b"damaged")
    found = hashlib.md5(b"damaged").hexdigest()
    assert details(capsys, name)["here"].endswith(
        f"({archive.name} is not the file that was published: its md5 is {found})"
    )
    known = replace(DATA_SETS[name], checksum=f"md5:{found}")
    monkeypatch.setitem(DATA_SETS, name, known)
    assert details(capsys, name)["here"].endswith(
        f"({archive.name} has the checksum that is stated for it)"
    )


def test_all_facts_are_written_as_json(data: Path, tmp_path: Path, capsys: Captured) -> None:
    target = tmp_path / "facts.json"
    shown(capsys, "--json", str(target))
    facts = json.loads(target.read_text(encoding="utf-8"))
    assert list(facts) == list(DATA_SETS)
    yelp = facts["yelp"]
    assert yelp["size"] == {"users": 1987929, "items": 150346, "ratings": 6990280}
    assert yelp["here"] == [str(data / "yelp" / "yelp_academic_dataset_review.json")]
    assert (yelp["state"], facts["yelp2018"]["state"]) == ("yes", "in part")
    assert facts["trec-qrels"]["size"] is None
    shown(capsys, "yelp", "--json", str(target))
    assert list(json.loads(target.read_text(encoding="utf-8"))) == ["yelp"]


def test_an_unknown_name_gets_the_nearest(capsys: Captured) -> None:
    assert 'Did you mean "yelp"?' in refused(capsys, "yelpp")


def test_one_data_set_is_not_chosen_from(capsys: Captured) -> None:
    assert "Leave out either --here or the name" in refused(capsys, "yelp", "--here")
