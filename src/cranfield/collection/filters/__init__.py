"""Every filter that ships, one per file."""

from cranfield.collection.filters.drop_head import DropHead
from cranfield.collection.filters.k_core import KCore
from cranfield.collection.filters.min_ratings import MinRatings
from cranfield.collection.filters.rating_range import RatingRange
from cranfield.collection.filters.sample import Sample
from cranfield.collection.filters.time_range import TimeRange

__all__ = ["DropHead", "KCore", "MinRatings", "RatingRange", "Sample", "TimeRange"]
