"""Sources: files in the formats of the field, data sets by name, simulated data."""

from cranfield.collection.sources.dataset import Dataset
from cranfield.collection.sources.file import File
from cranfield.collection.sources.power_law import PowerLawRatings
from cranfield.collection.sources.simulated import Simulated

__all__ = ["Dataset", "File", "PowerLawRatings", "Simulated"]
