"""Reviews on the command line: printed as a whole, or written and told in a sentence."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from cranfield.base.errors import OptionError
from cranfield.workbench.cli.shared.review_output import out_argument, show_or_write

Captured = pytest.CaptureFixture[str]


class Review:
    """Stands for what a review found."""

    def write(self, path: Path | str) -> None:
        Path(path).write_text("all of it", encoding="utf-8")


def show(out: str | None) -> None:
    show_or_write(out, Review, lambda *_: "all of it", lambda _: "In short.", kind="checklist")


def test_without_a_file_all_of_it_is_printed(capsys: Captured) -> None:
    show(None)
    assert capsys.readouterr().out == "all of it\n"


def test_with_a_file_a_summary_and_the_file_are_named(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "list.md"
    show(str(out))
    assert capsys.readouterr().out == f"In short.\nchecklist: {out}\n"
    assert out.read_text() == "all of it"


def test_another_suffix_is_refused_before_anything_is_reviewed(tmp_path: Path) -> None:
    def review() -> Review:
        raise AssertionError("reviewed")

    with pytest.raises(OptionError, match="it can be written as"):
        show_or_write(str(tmp_path / "a.docx"), review, lambda *_: "", lambda _: "", kind="")
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_an_option() -> None:
    parser = argparse.ArgumentParser()
    out_argument(parser)
    assert parser.parse_args(["--out", "a.md"]).out == "a.md"
    assert parser.parse_args([]).out is None
