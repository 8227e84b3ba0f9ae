"""Every option that ships, then those of installed extensions.

An extension is a package with an entry point in the group ``cranfield.options`` that
names a module; importing that module registers its options.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

GROUP = "cranfield.options"

_MEMBERS = {
    "source": "cranfield.collection.sources",
    "filter": "cranfield.collection.filters",
    "split": "cranfield.collection.splits",
    "target": "cranfield.collection.targets",
    "recommender": "cranfield.recommendation.recommenders",
    "gain": "cranfield.scoring.gains",
    "metric": "cranfield.scoring.metrics",
    "run-metric": "cranfield.scoring.run_metrics",
    "aggregation": "cranfield.scoring.aggregations",
    "test": "cranfield.significance.paired_tests",
    "correction": "cranfield.significance.corrections",
    "criterion": "cranfield.validity.criteria",
}
"""The folder of each kind of option; "target" holds three decisions."""


def load(*kinds: str) -> None:
    """Make the options of some kinds known, of all unless kinds are named.

    Naming them saves the time to import the others, most of all the recommenders.
    """
    for kind in kinds or _MEMBERS:
        import_module(_MEMBERS[kind])
    _load_extensions()


@cache
def _load_extensions() -> None:
    for extension in entry_points(group=GROUP):
        extension.load()
