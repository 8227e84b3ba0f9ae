"""The coverage-guided fuzzer would find what it looks for, and says when it cannot look."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cranfield.collection.ratings import Ratings
from cranfield.collection.text import fast, rating_files
from fuzz import guided


def ratings_file(folder: Path) -> Path:
    path = folder / "ratings.csv"
    path.write_text("user_id,item_id,rating\na,x,5\nb,y,4.5\n")
    return path


def test_without_atheris_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["guided.py"])
    monkeypatch.setattr(guided, "find_spec", lambda _: None)
    assert guided.main() == 0
    assert "atheris is not installed" in capsys.readouterr().out


def test_an_unknown_reader_is_told_with_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["guided.py", "ratings.doc"])
    monkeypatch.setattr(guided, "find_spec", lambda _: True)
    assert guided.main() == 2
    assert "no reader is called ratings.doc; there are ratings.csv, " in capsys.readouterr().out


def test_valid_files_and_what_once_failed_are_where_it_begins(tmp_path: Path) -> None:
    folder, pieces = guided._seeds("definition.yaml", tmp_path)
    begun = [path.read_bytes() for path in Path(folder).iterdir()]
    assert any(content.startswith(b"data: simulated") for content in begun)
    assert len(begun) > 3
    assert r'"\x22\x22"' in Path(pieces.removeprefix("-dict=")).read_text().splitlines()


def test_ratings_that_are_the_same_by_every_way_pass(tmp_path: Path) -> None:
    guided._read_rows(ratings_file(tmp_path))


def test_an_id_that_writing_changes_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(_: Ratings, path: Path) -> None:
        path.write_text("user_id,item_id,rating\na,x,5\nB,y,4.5\n")

    monkeypatch.setattr(rating_files, "write_ratings", write)
    with pytest.raises(AssertionError, match="other rows are read than were written"):
        guided._read_rows(ratings_file(tmp_path))


def test_files_are_read_by_compiled_loops_for_a_moment_only() -> None:
    before = fast._MANY_BYTES
    with guided._loops():
        assert fast._MANY_BYTES == 0
    assert before == fast._MANY_BYTES > 0
