"""Every option that ships, then those of installed extensions.

An extension is a package with an entry point in the group ``cranfield.options`` that
names a module; importing that module registers its options.
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points

from cranfield.base import options
from cranfield.base.threads import refuse_forked

GROUP = "cranfield.options"

_MEMBERS = {
    "source": "cranfield.collection.sources",
    "filter": "cranfield.collection.filters",
    "split": "cranfield.collection.splits",
    "judged_by": "cranfield.collection.judges",
    "target": "cranfield.collection.targets",
    "propensity": "cranfield.collection.propensities",
    "recommender": "cranfield.recommendation.recommenders",
    "gain": "cranfield.scoring.gains",
    "estimator": "cranfield.scoring.estimators",
    "sample-correction": "cranfield.scoring.sample_corrections",
    "metric": "cranfield.scoring.metrics",
    "run-metric": "cranfield.scoring.run_metrics",
    "aggregation": "cranfield.scoring.aggregations",
    "test": "cranfield.significance.paired_tests",
    "correction": "cranfield.significance.corrections",
    "criterion": "cranfield.validity.criteria",
    "search": "cranfield.workbench.tuning.searches",
}
"""The folder of each kind of option; "target" holds three decisions."""

_WITHIN = {"propensity": ("source",), "metric": ("source", "propensity", "estimator")}
"""Kinds whose options are parameters of those of a kind, or are spelled in them: they are loaded
when one is looked for.
"""


def load(*kinds: str) -> None:
    """Make the options of some kinds known, of all unless kinds are named.

    Naming them saves the time to import the others, most of all the recommenders.
    """
    refuse_forked()
    for kind in kinds or _MEMBERS:
        for each in _WITHIN.get(kind, ()):
            options.load_later(each, partial(import_module, _MEMBERS[each]))
        import_module(_MEMBERS[kind])
    _load_extensions()


def decisions() -> list[str]:
    """All decisions that have options, in the order of the pipeline."""
    return sorted(options.decisions(), key=_stage)


def _stage(decision: str) -> int:
    folders = list(_MEMBERS.values())
    modules = [each.__module__ for each in options.options(decision).values()]
    found = [place for place, each in enumerate(folders) if modules and each in modules[0]]
    return found[0] if found else len(folders)


@cache
def _load_extensions() -> None:
    for extension in entry_points(group=GROUP):
        extension.load()
