"""The registry: every data set is described in full, and read as its publisher lays it out."""

from __future__ import annotations

import gzip
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield
from cranfield.base.errors import (
    DuplicatePairs,
    IncompleteDataSet,
    MissingColumn,
    MissingDataSet,
    UnreadableFile,
)
from cranfield.collection.datasets import DATA_SETS, DataSet, Size, read_registry
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.definition import read_definition
from data_set_files import example_of, write_example

every_data_set = pytest.mark.parametrize("name", DATA_SETS)
ONE_OF_EACH_LAYOUT = (
    "ml-1m", "lastfm-360k", "netflix-kaggle", "gowalla", "citeulike-a", "coat", "jester-1", "yelp",
    "steam", "kuairec-small", "kuairand-pure", "amazon-2023-all-beauty", "s3rec-beauty",
)  # fmt: skip
"""Data sets that differ in how they are read."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for data, and an empty cache."""
    monkeypatch.setenv("CRANFIELD_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CRANFIELD_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def rows(name: str) -> list[tuple[object, ...]]:
    """The ratings of a data set."""
    return cranfield.read(name, **example_of(name).parameters).to_polars().rows()


def read_definition_of(**decisions: str) -> Any:
    """What a file in TOML that makes these decisions asks for."""
    path = Path("experiment.toml")
    lines = [f'{name} = "{value}"' for name, value in decisions.items()]
    lines += ["relevance = 1", 'metrics = ["P@5"]', 'systems = { a = "Popularity" }']
    path.write_text("\n".join(lines))
    return read_definition(path)


def registry() -> str:
    return files("cranfield.collection").joinpath("registry.toml").read_text("utf-8")


@every_data_set
def test_every_data_set_is_described(name: str) -> None:
    known = DATA_SETS[name]
    for field in ("title", "terms", "citation", "reference", "home", "obtain", "layout", "files"):
        assert getattr(known, field), field
    assert known.size_source
    assert known.home.startswith(("http://", "https://"))
    texts = (known.title, known.obtain, known.note, known.checksum_of, *known.files)
    assert not any("{" in text for text in texts)


@every_data_set
def test_every_data_set_has_a_size_or_says_why_not(name: str) -> None:
    known = DATA_SETS[name]
    if known.size is None:
        assert known.size_source.startswith("not stated")
    else:
        users, items, ratings = known.size
        assert min(users, items) > 0
        assert max(users, items) <= ratings


@every_data_set
def test_a_checksum_has_the_length_of_its_kind_a_file_and_a_source(name: str) -> None:
    known = DATA_SETS[name]
    if known.checksum is not None:
        kind, _, digest = known.checksum.partition(":")
        assert len(bytes.fromhex(digest)) == {"md5": 16, "sha256": 32}[kind]
        assert known.checksum_source
        assert known.checksum_of or known.url


def test_what_a_set_lies_within_is_a_set() -> None:
    for known in DATA_SETS.values():
        assert set(known.within) <= set(DATA_SETS)


def test_what_several_sets_have_in_common_is_used() -> None:
    tables = tomllib.loads(registry())
    used = {table.get("like") for table in tables["sets"].values()}
    assert set(tables["like"]) <= used


def test_a_set_overrides_what_it_is_like_and_fills_in_its_part() -> None:
    base = (
        '[like.a]\ntitle = "The {part}"\nterms = "t"\ncitation = "c"\nreference = "r"\nhome = "h"\n'
        'obtain = "o"\nlayout = "l"\nsize_source = "s"\nfiles = ["{part}.csv"]\n'
    )
    one = '[sets.one]\nlike = "a"\npart = "first"\nterms = "own"\nsize = [1, 2, 3]\n'
    two = '[sets.two]\nlike = "one"\nfiles = ["second.csv"]\n'
    read = read_registry(base + one + two)
    assert read["one"] == DataSet(
        name="one", title="The first", terms="own", citation="c", reference="r", home="h",
        obtain="o", layout="l", files=("first.csv",), size=Size(1, 2, 3), size_source="s",
    )  # fmt: skip
    assert (read["two"].terms, read["two"].title) == ("own", "The first")
    assert read["two"].files == ("second.csv",)


@every_data_set
def test_the_publishers_files_hold_the_expected_ratings(data: Path, name: str) -> None:
    known = write_example(name, data / name)
    assert rows(name) == example_of(name).rows
    assert known.are_own(known.find())


@every_data_set
def test_files_are_found_where_the_archive_unpacks_them(data: Path, name: str) -> None:
    write_example(name, data / name, as_unpacked=True)
    assert rows(name) == example_of(name).rows


@pytest.mark.parametrize(
    "name", [name for name, known in DATA_SETS.items() if all("/" in f for f in known.files)]
)
def test_an_archive_can_be_unpacked_in_the_folder_of_all_data(data: Path, name: str) -> None:
    write_example(name, data, as_unpacked=True)
    assert rows(name) == example_of(name).rows


@pytest.mark.parametrize("name", [name for name, known in DATA_SETS.items() if known.within])
def test_parts_are_found_in_the_folder_of_the_whole(data: Path, name: str) -> None:
    write_example(name, data / DATA_SETS[name].within[0])
    assert rows(name) == example_of(name).rows


def test_a_converted_whole_is_not_taken_for_a_part(data: Path) -> None:
    (data / "gowalla").mkdir(parents=True)
    table = pl.DataFrame({"user": [1], "item": [1]})
    table.write_parquet(data / "gowalla" / "ratings.parquet")
    assert DATA_SETS["gowalla"].find()
    assert not DATA_SETS["gowalla-train"].find()


@pytest.mark.parametrize("name", ["yelp", "gowalla", "jester-1", "amazon-2023-books"])
def test_packed_files_hold_the_same(data: Path, name: str) -> None:
    known = write_example(name, data / name)
    for file in known.file_names:
        path = data / name / file
        path.with_name(f"{file}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert rows(name) == example_of(name).rows
    assert known.are_own(known.find())


@pytest.mark.parametrize("name", ONE_OF_EACH_LAYOUT)
def test_python_a_definition_and_the_command_line_read_the_same_bits(
    data: Path, tmp_path: Path, name: str
) -> None:
    write_example(name, data / name)
    here = cranfield.read(name)
    asked = read_definition_of(data=name, split="random")
    assert asked.data.read().fingerprint == here.fingerprint
    cranfield.write_ratings(here, tmp_path / "python.parquet")
    keep_all = "min-ratings(per=user, at_least=1)"
    written = tmp_path / "command.parquet"
    assert main(["filter", name, "--filter", keep_all, "--out", str(written)]) == 0
    assert written.read_bytes() == (tmp_path / "python.parquet").read_bytes()


def test_both_parts_of_a_published_split_are_given_by_name(data: Path) -> None:
    write_example("gowalla", data / "gowalla")
    asked = read_definition_of(split="given(train=gowalla-train, test=gowalla-test)")
    train, test = asked.split.sources()
    assert train.read().to_polars().rows() == example_of("gowalla-train").rows
    assert test.read().to_polars().rows() == example_of("gowalla-test").rows


def test_a_file_that_is_missing_beside_others_is_named(data: Path) -> None:
    write_example("yelp2018", data / "yelp2018")
    (data / "yelp2018" / "test.txt").unlink()
    with pytest.raises(IncompleteDataSet) as caught:
        cranfield.read("yelp2018")
    assert str(caught.value) == (
        f"yelp2018: test.txt is not in {data / 'yelp2018'}, where its other files are. "
        f"{DATA_SETS['yelp2018'].obtain}"
    )


def test_a_folder_without_the_file_is_named(data: Path) -> None:
    (data / "yelp").mkdir(parents=True)
    (data / "yelp" / "yelp_academic_dataset_user.json").write_text("{}")
    with pytest.raises(MissingDataSet) as caught:
        cranfield.read("yelp")
    start = f"yelp: {data / 'yelp'} has no yelp_academic_dataset_review.json. "
    assert str(caught.value).startswith(start)


def test_other_columns_than_the_published_are_refused(data: Path) -> None:
    write_example("kuairec", data / "kuairec")
    path = data / "kuairec" / "big_matrix.csv"
    path.write_text(path.read_text().replace("watch_ratio", "ratio"))
    with pytest.raises(MissingColumn, match=r'big_matrix\.csv: .*"watch_ratio"'):
        cranfield.read("kuairec")


def test_a_broken_line_of_json_is_named(data: Path) -> None:
    write_example("yelp", data / "yelp")
    path = data / "yelp" / "yelp_academic_dataset_review.json"
    path.write_text(path.read_text()[:-10])
    with pytest.raises(UnreadableFile) as caught:
        cranfield.read("yelp")
    assert (
        str(caught.value)
        == f"{path}, line 2: it is not an object of JSON. Download the file again."
    )


def test_repeated_reviews_are_refused_until_it_is_said_what_becomes_of_them(data: Path) -> None:
    write_example("yelp", data / "yelp")
    path = data / "yelp" / "yelp_academic_dataset_review.json"
    path.write_text(path.read_text() + path.read_text().splitlines()[0].replace("3.0", "1.0"))
    with pytest.raises(DuplicatePairs, match=r"lines 1 and 3"):
        cranfield.read("yelp")
    kept = cranfield.read("yelp", duplicates="max").to_polars()
    assert kept["rating"].to_list() == [5.0, 3.0]


def test_reviews_of_steam_are_events(data: Path) -> None:
    write_example("steam", data / "steam")
    path = data / "steam" / "steam_reviews.json"
    path.write_text(path.read_text() * 2)
    assert repr(cranfield.read("steam")) == "Ratings(2 users, 2 items, 4 events)"
