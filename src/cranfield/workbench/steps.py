"""The steps of an experiment as plain functions: options may be given by their spelling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cranfield.base import options
from cranfield.collection import filter as filters
from cranfield.collection import source as sources
from cranfield.collection import split as splits
from cranfield.collection import split_files
from cranfield.collection.filter import Filter, Filtered
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.simulation import truth
from cranfield.collection.split import Split, Splitter
from cranfield.workbench import inventory


def read(
    source: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    duplicates: Duplicates = "refuse",
) -> Ratings:
    """Ratings from a file, a well-known data set by name, or a source as spelled.

    >>> read("simulated(size=tiny)").n_users > 0
    True
    """
    inventory.load()
    return sources.read_ratings(source, columns=columns, duplicates=duplicates)


def simulate(source: str = "simulated") -> truth.Simulation:
    """Simulated ratings together with the truth behind them."""
    return truth.simulate(_option("source", source))


def filter(  # noqa: A001  (the verb of this step; the built-in is not needed here)
    ratings: Ratings, *wanted: str | Filter, seed: int = 0
) -> Filtered:
    """Keep some of the ratings; filters are applied in the order given."""
    return filters.filter_ratings(ratings, _options("filter", wanted), seed)


def split(
    ratings: Ratings,
    splitter: str | Splitter,
    seed: int = 0,
    validation: str | Splitter | None = None,
) -> Split:
    """Divide ratings into training and test, as in ``split(ratings, "per-user", seed=1)``."""
    chosen = _option("split", splitter)
    held_out = None if validation is None else _option("split", validation)
    return splits.split(ratings, chosen, seed, held_out)


def read_split(folder: str | Path) -> Split:
    """A split as it was written, verified against its fingerprints."""
    inventory.load()
    return split_files.read_split(folder)


def _option(decision: str, given: Any) -> Any:
    """An option, from its spelling if it is text."""
    inventory.load()
    return options.parse(decision, given) if isinstance(given, str) else given


def _options(decision: str, given: Iterable[Any]) -> list[Any]:
    return [_option(decision, each) for each in given]
