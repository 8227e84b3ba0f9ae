"""Known data sets: found on disk first, described fully, read by name."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from urllib.error import URLError

import polars as pl
import pytest

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.base.errors import MissingDataSet, MissingFile, UnreachableDataSet
from cranfield.base.options import fold
from cranfield.collection.datasets import DATA_SETS, find_data_set
from cranfield.collection.source import read_ratings
from cranfield.collection.sources.dataset import Dataset


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty folders for data and cache, and no way to the network."""
    monkeypatch.setenv("CRANFIELD_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CRANFIELD_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_and_aliases_are_told_apart() -> None:
    names = [fold(name) for known in DATA_SETS.values() for name in (known.name, *known.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["ml-1m", "ML-1M", "ml_1m", "movielens-1m"])
def test_a_data_set_is_known_by_its_aliases(name: str) -> None:
    found = find_data_set(name)
    assert found is not None
    assert found.name == "ml-1m"


@pytest.mark.parametrize(
    "place",
    ["data/ml-1m/ratings.dat", "data/movielens-1m/ratings.dat.gz", "cache/ml-1m/ratings.dat"],
)
def test_the_publishers_file_is_found(folders: Path, place: str) -> None:
    path = folders / place
    path.parent.mkdir(parents=True)
    text = b"1::1193::5::978300760\n"
    path.write_bytes(gzip.compress(text) if place.endswith("gz") else text)
    assert read_ratings("ml-1m").to_polars().row(0) == (1, 1193, 5.0, 978300760)


def test_the_users_own_folder_comes_before_the_cache(folders: Path) -> None:
    for root, rating in (("data", 1.0), ("cache", 2.0)):
        path = folders / root / "ml-1m" / "ratings.parquet"
        path.parent.mkdir(parents=True)
        pl.DataFrame({"user": [1], "item": [1], "rating": [rating]}).write_parquet(path)
    assert read_ratings("ml-1m").values.tolist() == [1.0]


def test_a_converted_file_is_not_read_as_the_publishers(folders: Path) -> None:
    path = folders / "data" / "bookcrossing" / "ratings.parquet"
    path.parent.mkdir(parents=True)
    pl.DataFrame({"user": [1], "item": ["0155061224"], "rating": [5]}).write_parquet(path)
    assert read_ratings("bookcrossing").values.tolist() == [5.0]
    path.rename(path.with_name("elsewhere"))
    own = path.with_name("BX-Book-Ratings.csv")
    own.write_text('"User-ID";"ISBN";"Book-Rating"\n"276726";"0155061224";"5"\n')
    assert read_ratings("bookcrossing").to_polars().row(0) == (276726, "0155061224", 5.0)


def test_plays_of_lastfm_are_counted_and_rated(folders: Path) -> None:
    path = folders / "data" / "lastfm-1k" / DATA_SETS["lastfm-1k"].file_names[0]
    path.parent.mkdir(parents=True)
    plays = [("1", "Deep Dish"), ("2", "Deep Dish"), ("3", "Underworld"), ("4", "Deep Dish")]
    rows = [f"user_1\t2009-05-0{day}T23:08:57Z\t\t{artist}\t\tSong" for day, artist in plays]
    path.write_text("\n".join(rows) + "\n")
    ratings = read_ratings("lastfm-1k").to_polars()
    # Deep Dish: 3 of 4 plays reach 4/4, hence 5; Underworld: 1/4, and 5/4 is rounded up to 2.
    assert ratings.select("item_id", "rating").rows() == [("Deep Dish", 5.0), ("Underworld", 2.0)]


def test_play_counts_are_rated_on_request(folders: Path) -> None:
    path = folders / "data" / "lastfm-hetrec" / "user_artists.dat"
    path.parent.mkdir(parents=True)
    path.write_text("userID\tartistID\tweight\n2\t51\t90\n2\t52\t10\n")
    assert read_ratings("lastfm-hetrec").values.tolist() == [90.0, 10.0]
    assert read_ratings("hetrec2011-lastfm", values="plays").values.tolist() == [5.0, 1.0]


def test_judgments_of_trec_are_read_from_one_file(folders: Path) -> None:
    path = folders / "data" / "trec-qrels" / "qrels.txt"
    path.parent.mkdir(parents=True)
    path.write_text("301 0 FBIS3-1 1\n301 0 FBIS3-2 0\n302 0 FBIS3-1 2\n302 0 FBIS3-1 1\n")
    ratings = read_ratings("trec-qrels", duplicates="max")
    assert ratings.to_polars().select("item_id", "rating").rows() == [
        ("FBIS3-1", 1.0), ("FBIS3-2", 0.0), ("FBIS3-1", 2.0),
    ]  # fmt: skip


def test_netflix_is_read_from_its_folder(folders: Path) -> None:
    folder = folders / "data" / "netflix" / "training_set"
    folder.mkdir(parents=True)
    (folder / "mv_0000001.txt").write_text("1:\n7,3,2005-09-06\n")
    assert read_ratings("netflix").to_polars().row(0) == (7, 1, 3.0, 1125964800)


@pytest.mark.parametrize("name", [n for n, known in DATA_SETS.items() if known.url is None])
def test_what_cannot_be_downloaded_says_where_it_is_had(folders: Path, name: str) -> None:
    with pytest.raises(MissingDataSet) as caught:
        read_ratings(name)
    message = str(caught.value)
    assert DATA_SETS[name].home in message
    assert str(folders / "cache" / name / " and ".join(DATA_SETS[name].file_names)) in message
    assert f"or in the folder {name} of $CRANFIELD_DATA" in message
    assert "simulated(size=medium)" in message
    assert f"`cranfield datasets {name}` says how" in message


def test_without_a_network_there_are_other_ways(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise URLError("no network")

    monkeypatch.setattr("cranfield.collection.sources.download.urlopen", refused)
    with pytest.raises(UnreachableDataSet) as caught:
        read_ratings("ml-1m")
    message = str(caught.value)
    assert (
        "the server cannot be reached (no network). Nothing was downloaded. Otherwise, put "
        in message
    )
    assert str(folders / "cache" / "ml-1m" / "ratings.dat") in message
    assert "in the folder ml-1m of $CRANFIELD_DATA" in message
    assert "simulated(size=medium)" in message


def test_an_unknown_data_set_gets_the_nearest_name() -> None:
    with pytest.raises(MissingFile, match='Did you mean "ml-25m"'):
        Dataset(set_="ml-25n").read()


REAL = os.environ.get("CRANFIELD_DATA")
OTHER_EDITIONS = ("amazon-digital-music", "movielens-latest-small")
"""Real data that are not what the registry describes: a part, and an earlier edition."""


@pytest.mark.skipif(REAL is None, reason="CRANFIELD_DATA names no folder of real data")
@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("ml-1m", (6040, 3706, 1_000_209)),
        ("ml-100k", (943, 1682, 100_000)),
        ("hetrec2011-lastfm", (1892, 17_632, 92_834)),
        ("jester-1", (24_983, 100, 1_810_455)),
        ("bookcrossing", (105_283, 340_556, 1_149_780)),
        ("amazon-digital-music", (1835, 41_488, 75_932)),
        ("movielens-latest-small", (671, 9066, 100_004)),
        ("cm100k", (1054, 1084, 103_584)),
        ("gowalla", (29_858, 40_981, 1_027_370)),
        ("citeulike-a", (5551, 16_980, 204_986)),
        ("s3rec-beauty", (22_363, 12_101, 198_502)),
    ],
)
def test_real_data_has_its_published_size(
    monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[int, int, int]
) -> None:
    monkeypatch.setenv("CRANFIELD_DATA", str(REAL))
    ratings = read_ratings(name)
    assert (ratings.n_users, ratings.n_items, len(ratings)) == size
    if name not in OTHER_EDITIONS:
        known = find_data_set(name)
        assert known is not None
        assert known.size == size
