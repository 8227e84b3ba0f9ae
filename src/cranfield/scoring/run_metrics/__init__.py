"""What lists are like beyond accuracy: the answers to the decision "run-metric"."""

from cranfield.scoring.run_metrics.diversity import IntraListDiversity
from cranfield.scoring.run_metrics.exposure import (
    CatalogueCoverage,
    GiniOfExposure,
    PopularityCorrelation,
)
from cranfield.scoring.run_metrics.judged import MeanCondensedDepth, UnratedShare
from cranfield.scoring.run_metrics.novelty import EFD, EPC
from cranfield.scoring.run_metrics.popularity import MeanPopularity

__all__ = [
    "EFD",
    "EPC",
    "CatalogueCoverage",
    "GiniOfExposure",
    "IntraListDiversity",
    "MeanCondensedDepth",
    "MeanPopularity",
    "PopularityCorrelation",
    "UnratedShare",
]
