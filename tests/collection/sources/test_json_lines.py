"""Files with an object in each line, of JSON or of Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadValue, CranfieldError, EmptyInput, MissingColumn
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources import json_lines
from cranfield.collection.sources.file import File
from suites import tries

ROWS = [
    {"user": "ann", "item": "x", "rating": 4.5, "timestamp": 10, "text": 'say "é", {}'},
    {"user": "bob", "item": "y", "rating": 2, "timestamp": 20, "text": "a\\nb"},
]


def read(path: Path, text: str, **parameters: Any) -> Ratings:
    path.write_text(text, encoding="utf-8")
    return File(path=str(path), **parameters).read()


def refused(path: Path, text: str, **parameters: Any) -> str:
    with pytest.raises(CranfieldError) as caught:
        read(path, text, **parameters)
    return str(caught.value).removeprefix(str(path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "reviews.json"


@pytest.mark.parametrize("write", [json.dumps, repr], ids=["json", "python"])
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".ndjson", ".JSON"])
def test_lines_are_read_by_their_suffix(tmp_path: Path, write: Any, suffix: str) -> None:
    text = "".join(f"{write(row)}\n" for row in ROWS)
    ratings = read(tmp_path / f"reviews{suffix}", text)
    assert ratings.to_polars().rows() == [("ann", "x", 4.5, 10), ("bob", "y", 2.0, 20)]


def test_a_file_of_another_name_is_json_if_that_is_said(tmp_path: Path) -> None:
    text = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    assert len(read(tmp_path / "reviews.txt", text, format="jsonl")) == 2


def test_ids_in_braces_are_not_taken_for_json(tmp_path: Path) -> None:
    ratings = read(tmp_path / "ratings.csv", "{a},x,5\n{b},y,3\n")
    assert ratings.to_polars()["user_id"].to_list() == ["{a}", "{b}"]


ids = st.one_of(st.text("a1é\"'\\{}, \n", min_size=1, max_size=5), st.integers())


@settings(deadline=None, max_examples=tries(50))
@given(st.dictionaries(st.tuples(ids, ids), st.floats(-10, 10), min_size=1, max_size=20))
def test_json_holds_what_a_table_in_memory_does(
    tmp_path_factory: pytest.TempPathFactory, pairs: dict[tuple[Any, Any], float]
) -> None:
    rows = {(str(u), str(i)): r for (u, i), r in pairs.items()}
    text = "".join(
        json.dumps({"user": u, "item": i, "rating": r}) + "\n" for (u, i), r in rows.items()
    )
    found = read(tmp_path_factory.mktemp("json") / "ratings.jsonl", text).to_polars()
    held = [(str(user), str(item), rating) for user, item, rating in found.rows()]
    assert sorted(held) == sorted((u, i, r) for (u, i), r in rows.items())


def test_ids_are_numbers_only_if_all_are_written_so(file: Path) -> None:
    text = '{"user": 1, "item": "007"}\n{"user": "2", "item": 8}\n'
    assert read(file, text).to_polars().rows() == [(1, "007", 1.0), (2, "8", 1.0)]


def test_numbers_may_be_written_as_text_and_truth_as_1(file: Path) -> None:
    text = '{"user": 1, "item": 2, "rating": "3.5"}\n\n{"user": 1, "item": 3, "rating": true}\n'
    assert read(file, text).values.tolist() == [3.5, 1.0]


def test_times_are_numbers_or_dates(file: Path) -> None:
    lines = (f'{{"user": 1, "item": {day}, "date": "1970-01-0{day}"}}\n' for day in (2, 3))
    text = "".join(lines)
    assert read(file, text).to_polars()["timestamp"].to_list() == [86400, 172800]


def test_fields_are_named_as_columns_are(file: Path) -> None:
    text = '{"who": 1, "what": 2, "stars": 4}\n'
    columns = {"user_id": "who", "item_id": "what", "rating": "stars"}
    assert read(file, text, columns=columns).to_polars().rows() == [(1, 2, 4.0)]
    with pytest.raises(MissingColumn, match="user_id"):
        read(file, text)


def test_a_role_without_a_name_is_left_out(file: Path) -> None:
    text = '{"user": 1, "item": 2, "rating": 4, "time": "?"}\n'
    assert read(file, text, columns={"timestamp": ""}).to_polars().rows() == [(1, 2, 4.0)]


def test_more_objects_than_are_taken_at_once_are_one_table(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f'{{"user": {n}, "item": {n % 3}, "rating": {n}}}\n' for n in range(10))
    whole = read(file, text).to_polars()
    monkeypatch.setattr(json_lines, "_AT_ONCE", 3)
    assert read(file, text).to_polars().equals(whole)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(EmptyInput):
        read(tmp_path / "reviews.jsonl", text, format="jsonl")


GOOD = '{"user": 1, "item": 2, "rating": 4, "timestamp": 5}\n'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"user": 1,', ", line 2: it is not an object of JSON. Download the file again."),
        ("[1, 2]", ", line 2: it is not an object of JSON. Download the file again."),
        ("{'user': 1}", ", line 2: it is not an object of JSON. Download the file again."),
        ("[" * 100_000, ", line 2: it is not an object of JSON. Download the file again."),
        ('{"item": 2}', ', line 2, column "user": nothing is not an id.'),
        ('{"user": "", "item": 2}', ', line 2, column "user": "" is not an id.'),
        ('{"user": true, "item": 2}', ', line 2, column "user": true is not an id.'),
        ('{"user": 1, "item": [2]}', ', line 2, column "item": [2] is not an id.'),
        ('{"user": 1, "item": 3, "rating": "good"}',
         ', line 2, column "rating": "good" is not a number.'),
        ('{"user": 1, "item": 3, "rating": null}',
         ', line 2, column "rating": nothing is not a number.'),
        (f'{{"user": 1, "item": 3, "rating": 1{"0" * 400}}}',
         ', line 2, column "rating": a number of 400 digits is not a number.'),
        ('{"user": 1, "item": 3, "rating": 1, "timestamp": ""}',
         ', line 2, column "timestamp": "" is not a time.'),
    ],
)  # fmt: skip
def test_the_first_line_that_is_wrong_is_named(file: Path, line: str, said: str) -> None:
    assert refused(file, f"{GOOD}{line}\n") == said


def test_a_rating_that_is_not_finite_is_refused_with_its_line(file: Path) -> None:
    with pytest.raises(BadValue, match=r'line 3, column "rating"'):
        read(file, f'{GOOD}\n{{"user": 1, "item": 3, "rating": NaN, "timestamp": 1}}\n')


def test_a_broken_dictionary_of_python_is_named(file: Path) -> None:
    said = refused(
        file, "{u'user': u'a', u'item': 1}\n{u'user': u'a', u'item': __import__('os')}\n"
    )
    assert said == ", line 2: it is not a dictionary as Python writes it. Download the file again."
