"""Runs in JSON: lines and documents, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.base.errors import BadValue, CranfieldError, EmptyInput, UnreadableFile
from run_cases import LISTS, lists, read, write

GOOD = {
    "rows.jsonl": '{"user": 2, "item": 7, "score": 0.1}\n\n{"user": 1, "item": 9, "score": 0.5}\n'
    '{"user": 1, "item": 7, "score": 0.25}\n{"user": 1, "item": 8, "score": 0.25}\n',
    "lists.ndjson": '{"user": 1, "items": [9, 7, 8]}\n{"user": 2, "items": [7]}\n',
    "structs.jsonl": '{"user": 1, "recs": [{"item": 9, "score": 3}, {"item": 7, "score": 2},'
    ' {"item": 8, "score": 1}]}\n{"user": 2, "recs": [{"item": 7, "score": 1}]}\n',
    "mixed ids.jsonl": '{"user": 1, "items": [9, "7", 8]}\n{"user": "2", "items": [7]}\n',
    "document.json": '{\n  "1": [9, 7, 8],\n  "2": [7]\n}\n',
    "array.json": '[{"user": 1, "items": [9, 7, 8]}, {"user": 2, "items": [7]}]',
    "without suffix": '{"user": 1, "items": [9, 7, 8]}\n{"user": 2, "items": [7]}\n',
    "packed.json.gz": '{"1": {"9": 3, "7": 2, "8": 1}, "2": {"7": 1}}',
}

BAD: dict[str, tuple[str, type[CranfieldError], str]] = {
    "cut.jsonl": ('{"user": 1, "items": [9]}\n{"user": 1, "it', UnreadableFile, "line 2: it is n"),
    "list.jsonl": ('{"user": 1, "items": [9]}\n[1]\n', UnreadableFile, "line 2: it is not a rec"),
    "cut.json": ('{"1": [9, 7', UnreadableFile, r"cut.json: it is not JSON \(Expecting"),
    "word.json": ("run", UnreadableFile, "it is not JSON"),
    "number.json": ("5", CranfieldError, "int is not a table"),
    "empty.jsonl": ("\n", EmptyInput, "empty.jsonl: there are no ranked items"),
    "score.jsonl": ('{"user": 1, "item": 9, "score": "x"}\n', BadValue, '"x" is not a finite num'),
    "user.jsonl": ('{"user": null, "item": 9, "score": 1}\n', BadValue, "nothing is not an id"),
}


@pytest.mark.parametrize("name", GOOD)
def test_lines_and_documents_are_read(name: str, tmp_path: Path) -> None:
    assert lists(read(write(tmp_path, name, GOOD[name]))) == LISTS


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_told_with_the_file(name: str, tmp_path: Path) -> None:
    text, error, message = BAD[name]
    with pytest.raises(error, match=message):
        read(write(tmp_path, name, text))


def test_a_document_on_one_long_line_is_read(tmp_path: Path) -> None:
    items = ", ".join(f'"{item}": {-item}' for item in range(100_000))
    assert read(write(tmp_path, "run.json", f'{{"1": {{{items}}}}}')).report.rows == 100_000


def test_text_whose_first_id_is_a_brace_is_still_text(tmp_path: Path) -> None:
    path = write(tmp_path, "run.tsv", "{\t7\t0.5\n1\t8\t0.25\n")
    assert lists(read(path)) == {1: [8]}
