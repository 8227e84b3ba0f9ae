"""Nouns find their views, whoever registered them, without importing them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import MissingLibrary
from cranfield.base.nouns.display import Displayed, Plotted, Tabular, Typeset
from cranfield.base.nouns.views import view_for, view_of


class Noun(Plotted, Typeset, Tabular):
    def to_polars(self) -> pl.DataFrame:
        return pl.DataFrame({"name": ["a", None], "number": [1.5, 2.5]})


class Derived(Noun):
    """Has no view of its own."""


@view_for(Noun)
class NounView:
    def html(self, noun: Any) -> str:
        return f"<p>{type(noun).__name__}</p>"

    def page(self, noun: Any) -> str:
        return "<html>é</html>"

    def figure(self, noun: Any, chart: str | None) -> Any:
        return chart

    def latex(self, noun: Any) -> str:
        return r"\LaTeX"


def test_a_noun_is_shown_by_the_view_of_its_class() -> None:
    assert Noun()._repr_html_() == "<p>Noun</p>"
    assert (Noun().plot(), Noun().plot("this")) == (None, "this")
    assert Noun().to_latex() == r"\LaTeX"


def test_a_derived_noun_is_shown_by_the_view_of_what_it_is_derived_from() -> None:
    assert Derived()._repr_html_() == "<p>Derived</p>"
    assert view_of(Derived()) is view_of(Noun())


def test_a_report_is_written_whole(tmp_path: Path) -> None:
    Noun().report(tmp_path / "new" / "page.html")
    assert (tmp_path / "new" / "page.html").read_text(encoding="utf-8") == "<html>é</html>"
    assert [each.name for each in (tmp_path / "new").iterdir()] == ["page.html"]


def test_a_table_of_pandas_has_the_columns_and_values_of_that_of_polars() -> None:
    table = Noun().to_pandas()
    assert list(table.columns) == ["name", "number"]
    assert table["number"].tolist() == [1.5, 2.5]
    assert table["name"].isna().tolist() == [False, True]


def test_without_pandas_a_message_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingLibrary, match="pandas"):
        Noun().to_pandas()


def test_a_noun_that_nobody_shows_has_no_view() -> None:
    with pytest.raises(StopIteration):
        view_of(Displayed())


@pytest.mark.long
def test_nouns_do_not_load_what_shows_them_until_they_are_shown() -> None:
    code = (
        "import sys; from cranfield.collection.ratings import Ratings; "
        "made = Ratings.from_triples([1], [7], [3]); repr(made); "
        "before = any(name.startswith('cranfield.view') for name in sys.modules); "
        "made._repr_html_(); print(before, 'cranfield.view.nouns' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
