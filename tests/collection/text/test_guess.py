"""The format of a file that nobody stated, above all of ids that hold double colons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.base.errors import BadValue, MissingColumn, UnreadableFile
from cranfield.collection.source import read_ratings
from cranfield.collection.text.guess import guess_format


def rows(path: Path, text: str, **parameters: Any) -> list[Any]:
    path.write_text(text, newline="")
    return read_ratings(path, **parameters).to_polars().rows()


@pytest.mark.parametrize("name", ["r.tsv", "r.csv", "r.txt", "ratings", "r.dat"])
@pytest.mark.parametrize("separator", ["\t", ",", ";", "|"])
def test_ids_with_double_colons_stay_in_their_columns(
    tmp_path: Path, name: str, separator: str
) -> None:
    text = f"u1{separator}steam::440{separator}5\nu2{separator}steam::570{separator}3\n"
    assert rows(tmp_path / name, text) == [("u1", "steam::440", 5.0), ("u2", "steam::570", 3.0)]


@pytest.mark.parametrize("name", ["r.dat", "r.txt", "ratings", "r.tsv"])
def test_movielens_is_found_by_what_it_holds(tmp_path: Path, name: str) -> None:
    text = "1::Toy Story, The::5::978\n2::a|b, c::3::979\n"
    assert rows(tmp_path / name, text) == [
        (1, "Toy Story, The", 5.0, 978),
        (2, "a|b, c", 3.0, 979),
    ]


def test_a_suffix_and_its_separator_weigh_more_than_colons(tmp_path: Path) -> None:
    """Both readings are pairs without a rating."""
    text = "a\tx::1\nb\ty::z\n"
    assert rows(tmp_path / "r.tsv", text)[0] == ("a", "x::1", 1.0)
    assert rows(tmp_path / "r.dat", text)[0] == ("a\tx", "1", 1.0)


@pytest.mark.parametrize(
    ("name", "separator", "text"),
    [
        ("pairs.txt", "tabs", "u1\tsteam::440\nu2\tsteam::570\n"),
        ("titles.csv", "commas", "1::Toy Story, The::5::978\n"),
    ],
)
def test_a_file_of_two_readings_is_refused_with_the_ways_to_say_which(
    tmp_path: Path, name: str, separator: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UnreadableFile) as caught:
        read_ratings(path)
    assert str(caught.value) == (
        f'{path}: it can be read as columns between "::" and as columns between {separator}. '
        'Say which: "file(path=…, format=dat)" or "file(path=…, format=csv)".'
    )


def test_a_stated_format_is_the_one_that_is_read(tmp_path: Path) -> None:
    path, text = tmp_path / "pairs.txt", "u1\tsteam::440\nu2\tsteam::570\n"
    assert rows(path, text, format="tsv", header=False)[0] == ("u1", "steam::440", 1.0)
    assert rows(path, text, format="dat")[0] == ("u1\tsteam", 440, 1.0)


def test_a_fault_does_not_turn_columns_into_movielens(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("u1\tsteam::440\t5\nu2\tsteam::570\tx\n")
    with pytest.raises(BadValue, match=r'line 2, column "column_3": "x" is not a number'):
        read_ratings(tmp_path / "r.tsv")


def test_the_separator_that_shows_ratings_is_preferred(tmp_path: Path) -> None:
    assert rows(tmp_path / "r.csv", "a\tb,x,5\nc\td,y,3\n") == [
        ("a\tb", "x", 5.0),
        ("c\td", "y", 3.0),
    ]


def test_a_header_weighs_more_than_a_name_with_qrels(tmp_path: Path) -> None:
    text = "user_id,item_id,rating\na,x,3\n"
    assert rows(tmp_path / "qrels.csv", text) == [("a", "x", 3.0)]
    (tmp_path / "my.qrels").write_text("a 0 x 3\n")
    assert guess_format(tmp_path / "my.qrels") == "qrels"


@pytest.mark.parametrize("text", ["user,item,rating\ra,x,3\rb,y,4\r", "a\tx\t3\rb\ty\t4"])
def test_line_ends_of_old_macs_are_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(text.encode())
    with pytest.raises(UnreadableFile, match=r"carriage returns alone\. Convert the file, as in"):
        read_ratings(path)


def test_a_record_over_several_lines_does_not_change_the_separator(tmp_path: Path) -> None:
    found = rows(tmp_path / "r.csv", 'a;,;1\n"a\n";,;1\n')
    assert sorted(found) == [("a", ",", 1.0), ("a\n", ",", 1.0)]
    (tmp_path / "r.csv").write_text('"a\n";,;1\n')
    with pytest.raises(MissingColumn):  # and not read as two columns between commas
        read_ratings(tmp_path / "r.csv")
