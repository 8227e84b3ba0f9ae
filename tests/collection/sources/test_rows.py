"""Files with a line for each user: lists of items, and matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import (
    BadValue,
    DuplicatePairs,
    EmptyInput,
    OptionError,
    UnreadableFile,
)
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.file import File
from suites import tries


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.txt"


def read(path: Path, layout: str, text: str) -> Ratings:
    path.write_text(text)
    return File(path=str(path), format=layout).read()  # type: ignore[arg-type]


def refused(path: Path, layout: str, text: str, kind: type[Exception]) -> str:
    with pytest.raises(kind) as caught:
        read(path, layout, text)
    return str(caught.value).removeprefix(str(path))


@settings(deadline=None, max_examples=tries(50))
@given(st.dictionaries(st.integers(0, 99), st.sets(st.integers(0, 99), min_size=1), min_size=1))
def test_lists_hold_every_pair_once(tmp_path_factory: pytest.TempPathFactory, users: dict) -> None:  # type: ignore[type-arg]
    text = "".join(f"{u} {' '.join(map(str, sorted(items)))}\n" for u, items in users.items())
    ratings = read(tmp_path_factory.mktemp("lists") / "train.txt", "lists", text)
    expected = sorted((u, i, 1.0) for u, items in users.items() for i in items)
    assert ratings.to_polars().rows() == expected


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.sets(st.integers(0, 50)), min_size=1).filter(any))
def test_libraries_are_those_of_users_from_0_on(
    tmp_path_factory: pytest.TempPathFactory, libraries: list[set[int]]
) -> None:
    text = "".join(f"{len(items)} {' '.join(map(str, items))}\n" for items in libraries)
    ratings = read(tmp_path_factory.mktemp("libraries") / "users.dat", "citeulike", text)
    expected = sorted((u, i, 1.0) for u, items in enumerate(libraries) for i in items)
    assert ratings.to_polars().rows() == expected


@settings(deadline=None, max_examples=tries(50))
@given(
    st.integers(1, 6).flatmap(
        lambda width: st.lists(
            st.lists(st.integers(0, 5), min_size=width, max_size=width), min_size=1
        )
    ).filter(lambda rows: any(map(any, rows)))
)  # fmt: skip
def test_a_matrix_holds_what_is_not_0(
    tmp_path_factory: pytest.TempPathFactory, matrix: list[list[int]]
) -> None:
    text = "".join(f"{' '.join(map(str, row))}\n" for row in matrix)
    ratings = read(tmp_path_factory.mktemp("matrix") / "train.ascii", "matrix", text)
    users, items = np.nonzero(np.array(matrix))
    values = np.array(matrix)[users, items]
    expected = list(zip(users + 1, items + 1, values.astype(float), strict=True))
    assert ratings.to_polars().rows() == expected


@pytest.mark.parametrize("between", [" ", "  ", "\t", ",", ", ", ";"])
def test_the_fields_of_a_matrix_may_be_separated_in_any_usual_way(file: Path, between: str) -> None:
    text = f"{between.join(['0', '2.5', '-1'])}\n"
    assert read(file, "matrix", text).to_polars().rows() == [(1, 2, 2.5), (1, 3, -1.0)]


def test_a_joke_without_a_rating_has_99_and_one_with_0_is_rated(file: Path) -> None:
    ratings = read(file, "jester", "1,99,0,99.00\n")
    assert ratings.to_polars().rows() == [(1, 2, 0.0)]


def test_blank_lines_and_blanks_at_the_end_are_nothing(file: Path) -> None:
    assert len(read(file, "lists", "\n3 4 5 \n\n6\n")) == 2


def test_ids_of_lists_stay_as_they_are_written(file: Path) -> None:
    assert read(file, "lists", "ann 007 8\n").to_polars().rows() == [
        ("ann", "007", 1.0), ("ann", "8", 1.0),
    ]  # fmt: skip


def test_an_item_twice_in_a_list_is_refused_with_its_line(file: Path) -> None:
    said = refused(file, "lists", "1 2\n3 4 4\n", DuplicatePairs)
    assert "first 3 and 4 (lines 2 and 2)" in said


@pytest.mark.parametrize("layout", ["lists", "citeulike", "matrix", "jester"])
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_refused(file: Path, layout: str, text: str) -> None:
    refused(file, layout, text, EmptyInput)


def test_lists_without_an_item_are_empty(file: Path) -> None:
    refused(file, "lists", "1\n2\n", EmptyInput)


@pytest.mark.parametrize(
    ("layout", "text", "kind", "said"),
    [
        ("citeulike", "1 5\n3 4 5\n", UnreadableFile,
         ', line 2: it lists 2 items, and "3" as their number.'),
        ("citeulike", "x 5\n", UnreadableFile,
         ', line 1: it lists 1 items, and "x" as their number.'),
        ("matrix", "1 2\n\n1 2 3\n", UnreadableFile,
         ", line 3: it has 3 fields, the first 2."),
        ("matrix", "1 2\n1 ?\n", BadValue, ', line 2, column "item 2": "?" is not a number.'),
        ("matrix", "1,,3\n", BadValue, ', line 1, column "item 2": nothing is not a number.'),
        ("jester", "1,5\n2,5\n", BadValue,
         ', line 2, column "count": "2" is not a number of ratings, from 0 to 1.'),
        ("jester", "one,5\n", BadValue,
         ', line 1, column "count": "one" is not a number of ratings, from 0 to 1.'),
    ],
)  # fmt: skip
def test_the_first_line_that_is_wrong_is_named(
    file: Path, layout: str, text: str, kind: type[Exception], said: str
) -> None:
    assert refused(file, layout, text, kind) == said


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_rating_that_is_not_finite_is_refused_with_its_line(file: Path, value: str) -> None:
    said = refused(file, "matrix", f"1 2\n3 {value}\n", BadValue)
    assert said.startswith(', line 2, column "rating"')


@pytest.mark.parametrize("layout", ["lists", "citeulike", "matrix", "jester"])
def test_columns_cannot_be_named_where_there_are_none(file: Path, layout: str) -> None:
    for given_ in ({"columns": {"rating": "stars"}}, {"header": True}):
        with pytest.raises(OptionError, match=f"format = {layout} has no named columns"):
            File(path=str(file), format=layout, **given_)  # type: ignore[arg-type]
