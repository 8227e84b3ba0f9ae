"""Every option that ships, then those of installed extensions.

An extension is a package with an entry point in the group ``cranfield.options`` that
names a module; importing that module registers its options.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

GROUP = "cranfield.options"

_MEMBERS = (
    "cranfield.collection.sources",
    "cranfield.collection.filters",
    "cranfield.collection.splits",
    "cranfield.collection.targets",
    "cranfield.recommendation.recommenders",
    "cranfield.scoring.gains",
    "cranfield.scoring.metrics",
    "cranfield.scoring.aggregations",
)


@cache
def load() -> None:
    """Make every option known, once."""
    for module in _MEMBERS:
        import_module(module)
    for extension in entry_points(group=GROUP):
        extension.load()
