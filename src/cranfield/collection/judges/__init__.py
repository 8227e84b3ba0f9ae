"""Judges: the test ratings, the whole truth, or ratings of items shown at random."""

from cranfield.collection.judges.known import TestRatings, WholeTruth
from cranfield.collection.judges.random_exposure import RandomExposure

__all__ = ["RandomExposure", "TestRatings", "WholeTruth"]
