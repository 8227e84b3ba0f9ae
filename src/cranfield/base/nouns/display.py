"""Display: nouns that show themselves, as HTML, as charts, in LaTeX and as tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.base.errors import MissingLibrary
from cranfield.base.files import writing
from cranfield.base.nouns.views import view_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Displayed:
    """A noun that notebooks show as HTML, and of which there is a page."""

    def _repr_html_(self) -> str:
        return view_of(self).html(self)

    def report(self, path: Path | str) -> None:
        """Write it as an HTML page that needs no other file and no network."""
        text = view_of(self).page(self)
        with writing(path) as aside:
            aside.write_text(text, encoding="utf-8")


class Plotted(Displayed):
    """A noun of which there are charts."""

    def plot(self, chart: str | None = None) -> Any:
        """A chart as a matplotlib figure: the first one, or the one named.

        The charts are those of the report, and so are their names.
        """
        return view_of(self).figure(self, chart)


class Typeset(Displayed):
    """A noun of which papers show a table."""

    def to_latex(self) -> str:
        """The table for a paper, with booktabs rules."""
        return view_of(self).latex(self)


class Tabular(ABC):
    """A noun that is a table."""

    @abstractmethod
    def to_polars(self) -> pl.DataFrame:
        """The table of Polars."""

    def to_pandas(self) -> pd.DataFrame:
        """The table of `to_polars` as a pandas data frame; needs pandas."""
        return as_pandas(self.to_polars())


def as_pandas(table: pl.DataFrame) -> pd.DataFrame:
    """The same table of pandas, without Arrow in between."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingLibrary("a pandas table", "pandas") from None
    return pd.DataFrame({column.name: column.to_numpy() for column in table})
