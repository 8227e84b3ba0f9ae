"""The laws of every decision, one file for each kind of option."""

from cranfield.testing.laws import (
    aggregations,
    corrections,
    criteria,
    every_option,
    filters,
    gains,
    judges,
    metrics,
    paired_tests,
    propensities,
    recommenders,
    run_metrics,
    sources,
    splits,
    targets,
)

__all__ = [
    "aggregations",
    "corrections",
    "criteria",
    "every_option",
    "filters",
    "gains",
    "judges",
    "metrics",
    "paired_tests",
    "propensities",
    "recommenders",
    "run_metrics",
    "sources",
    "splits",
    "targets",
]
