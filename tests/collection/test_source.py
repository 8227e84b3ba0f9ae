"""What a name stands for: a file, a source, or a data set."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.base.errors import CranfieldError, MissingFile, OptionError
from cranfield.collection.source import read_ratings, source_of

TEXT = "who,what,rating\na,x,3\na,x,4\n"
COLUMNS = {"user_id": "who", "item_id": "what"}


def test_a_path_that_exists_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(TEXT)
    ratings = read_ratings(path, columns=COLUMNS, duplicates="max")
    assert ratings.values.tolist() == [4.0]
    assert read_ratings(str(path), columns=COLUMNS, duplicates="first").values.tolist() == [3.0]


def test_a_file_wins_over_a_data_set_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ml-1m").mkdir()
    (tmp_path / "ml-1m" / "ratings.dat").write_text("1::2::3::4\n")
    assert len(read_ratings("ml-1m")) == 1


def test_a_spelled_source_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(TEXT)
    spelled = f'file(path="{path}", columns={{user_id: who, item_id: what}}, duplicates=mean)'
    assert read_ratings(spelled).values.tolist() == [3.5]


def test_a_source_survives_its_spelling(tmp_path: Path) -> None:
    path = tmp_path / "with, comma (and) brackets.csv"
    path.write_text(TEXT)
    source = source_of(path, columns=COLUMNS, duplicates="last", header=True, format="csv")
    assert source_of(str(source)) == source


def test_a_spelled_source_takes_no_parameters_from_outside() -> None:
    with pytest.raises(OptionError, match="give columns inside the brackets"):
        read_ratings("file(path=x.csv)", columns=COLUMNS)


@pytest.mark.parametrize(
    ("name", "near"),
    [("ml-1n", "ml-1m"), ("lastfm-hetrek", "lastfm-hetrec"), ("netflx", "netflix")],
)
def test_a_name_that_is_nothing_gets_the_nearest_that_is_something(name: str, near: str) -> None:
    with pytest.raises(MissingFile) as caught:
        read_ratings(name)
    assert str(caught.value) == (
        f'{name}: there is no such file, and no data set of that name. Did you mean "{near}"?'
    )


@pytest.mark.parametrize("name", ["no/such/ratings.csv", "ratings.csv", "x" * 5000, "", "a b"])
def test_any_other_text_is_a_missing_file(name: str) -> None:
    with pytest.raises(CranfieldError):
        read_ratings(name)


def test_a_source_misspelled_is_not_taken_for_a_file() -> None:
    with pytest.raises(OptionError, match='no source is called "fil"'):
        read_ratings("fil(path=x.csv)")
    with pytest.raises(OptionError, match='no parameter "pth"'):
        read_ratings("file(pth=x.csv)")
