"""How scores become one value: the answers to the decision "aggregation"."""

from cranfield.scoring.aggregations.geometric_mean import FlooredGeometricMean, GeometricMean
from cranfield.scoring.aggregations.mean import Mean, WeightedMean
from cranfield.scoring.aggregations.median import Median
from cranfield.scoring.aggregations.risk import GeoRisk, TRisk, URisk
from cranfield.scoring.aggregations.standardised import Standardised

__all__ = [
    "FlooredGeometricMean",
    "GeoRisk",
    "GeometricMean",
    "Mean",
    "Median",
    "Standardised",
    "TRisk",
    "URisk",
    "WeightedMean",
]
