"""Writing: what a review found, in the form that the suffix of a file asks for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from cranfield.base.errors import OptionError
from cranfield.base.files import write_json, writing

SUFFIXES = (".md", ".html", ".tex", ".json")


class Review(Protocol):
    """What a review found, which shows itself in every form."""

    def to_markdown(self) -> str:
        """As Markdown."""

    def to_latex(self) -> str:
        """In LaTeX."""

    def to_dict(self) -> Mapping[str, Any]:
        """For JSON."""

    def report(self, path: Path | str) -> None:
        """As a page of its own."""


def write_review(review: Review, path: Path | str) -> None:
    """Write it as Markdown, HTML, LaTeX or JSON, by the suffix of the file."""
    suffix = refuse_suffix(path)
    if suffix == ".html":
        review.report(path)
    elif suffix == ".json":
        write_json(path, review.to_dict())
    else:
        text = review.to_markdown() if suffix == ".md" else f"{review.to_latex()}\n"
        with writing(path) as aside:
            aside.write_text(text, encoding="utf-8")


def refuse_suffix(path: Path | str) -> str:
    """The suffix of a file, if something can be written so."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise OptionError(f"{path}: it can be written as {', '.join(SUFFIXES)}. Name it so.")
    return suffix
