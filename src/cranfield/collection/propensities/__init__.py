"""Every model of propensities that ships, one per file."""

from cranfield.collection.propensities.file import PropensityFile
from cranfield.collection.propensities.known import KnownPropensity
from cranfield.collection.propensities.logistic import LogisticPropensity
from cranfield.collection.propensities.naive_bayes import NaiveBayesPropensity
from cranfield.collection.propensities.poisson import PoissonFactorisation
from cranfield.collection.propensities.popularity import PopularityPropensity

__all__ = [
    "KnownPropensity",
    "LogisticPropensity",
    "NaiveBayesPropensity",
    "PoissonFactorisation",
    "PopularityPropensity",
    "PropensityFile",
]
