"""Verbs of the collection: read ratings, look at them, filter, split and judge them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cranfield.collection import filter as filters
from cranfield.collection import judgments as judging
from cranfield.collection import source as sources
from cranfield.collection import split as splits
from cranfield.collection import split_files
from cranfield.collection.filter import Filter, Filtered
from cranfield.collection.judgments import Judgments
from cranfield.collection.part_filters import PartFilters
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.simulation import truth
from cranfield.collection.split import Split, Splitter
from cranfield.collection.statistics import statistics
from cranfield.collection.statistics.statistics import Statistics
from cranfield.workbench import inventory
from cranfield.workbench.signatures import keyword
from cranfield.workbench.verbs.given import option_of


def read(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    duplicates: Duplicates = "auto",
) -> Ratings:
    """Ratings from files, a table, a well-known data set by name, or a source as spelled.

    Files are a path, a pattern such as ``part-*.parquet``, a folder of such parts, or an
    address that Polars reads, such as ``s3://bucket/ratings.parquet``. Tables are those of
    Polars, pandas, Arrow, DuckDB, NumPy and SciPy, and all that hand over their columns by
    the Arrow C stream. A `Split` stands for all its ratings.

    A table with times and without ratings is a log where pairs occur repeatedly: a split
    divides its events one by one. ``duplicates="events"`` says so of any table, "refuse" or
    "sum" of none.

    >>> read("simulated(size=tiny)").n_users > 0
    True
    """
    inventory.load()
    if isinstance(source, str | Path):
        return sources.read_ratings(source, columns=columns, duplicates=duplicates)
    whole = source.ratings if isinstance(source, Split) else source
    return sources.in_memory(whole, columns=columns, duplicates=duplicates).ratings


def describe(ratings: Any, relevance: float | None = None) -> Statistics:
    """What a data set looks like: sizes, density, skew, and curves of them."""
    return statistics.describe(read(ratings), relevance)


def judge(test: Any, relevance: float, scale: tuple[float, float] | None = None) -> Judgments:
    """Test ratings, or those of a `Split`, as judgments: at least ``relevance`` is relevant."""
    return judging.judge(read(test.test if isinstance(test, Split) else test), relevance, scale)


def simulate(source: str = "simulated") -> truth.Simulation:
    """Simulated ratings together with the truth behind them."""
    return truth.simulate(option_of("source", source))


def filter(  # noqa: A001  (the verb of this step; the built-in is not needed here)
    ratings: Any, *wanted: str | Filter, seed: int = 0
) -> Filtered:
    """Keep some of the ratings; filters are applied in the order given."""
    chosen = [option_of("filter", each) for each in wanted]
    return filters.filter_ratings(read(ratings), chosen, keyword("seed").check(seed))


def split(
    ratings: Any,
    splitter: str | Splitter,
    seed: int = 0,
    validation: str | Splitter | None = None,
    *,
    train_filters: Iterable[str | Filter] = (),
    test_filters: Iterable[str | Filter] = (),
) -> Split:
    """Divide ratings into training and test, as in ``split(ratings, "per-user", seed=1)``.

    ``train_filters`` and ``test_filters`` keep some of the ratings of one part; the others
    are in the part "unused".
    """
    chosen = option_of("split", splitter)
    held_out = None if validation is None else option_of("split", validation)
    by_part = (_filters(each) for each in (train_filters, test_filters))
    drawn = keyword("seed").check(seed)
    return splits.split(read(ratings), chosen, drawn, held_out, PartFilters(*by_part))


def _filters(given: Iterable[str | Filter]) -> tuple[Filter, ...]:
    """Filters from their spellings; a single one may stand by itself."""
    several = [given] if isinstance(given, str) or hasattr(given, "keep") else given
    return tuple(option_of("filter", each) for each in several)


def read_split(folder: str | Path) -> Split:
    """A split as it was written, verified against its fingerprints."""
    inventory.load()
    return split_files.read_split(folder)
