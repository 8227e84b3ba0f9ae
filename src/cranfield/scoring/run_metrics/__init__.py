"""What lists are like beyond accuracy: the answers to the decision "run-metric"."""

from cranfield.scoring.run_metrics.diversity import IntraListDiversity
from cranfield.scoring.run_metrics.expected_exposure import ExpectedExposureLoss
from cranfield.scoring.run_metrics.exposure import (
    CatalogueCoverage,
    EntropyOfExposure,
    GiniOfExposure,
    PopularityCorrelation,
)
from cranfield.scoring.run_metrics.group_rates import REO, RSP
from cranfield.scoring.run_metrics.item_mad import ItemMAD
from cranfield.scoring.run_metrics.judged import MeanCondensedDepth, UnratedShare
from cranfield.scoring.run_metrics.novelty import EFD, EPC
from cranfield.scoring.run_metrics.popularity import MeanPopularity

__all__ = [
    "EFD",
    "EPC",
    "REO",
    "RSP",
    "CatalogueCoverage",
    "EntropyOfExposure",
    "ExpectedExposureLoss",
    "GiniOfExposure",
    "IntraListDiversity",
    "ItemMAD",
    "MeanCondensedDepth",
    "MeanPopularity",
    "PopularityCorrelation",
    "UnratedShare",
]
