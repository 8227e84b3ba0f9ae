"""Sources: files in the formats of the field, data sets by name, data with a known truth."""

from cranfield.collection.sources.block import Block
from cranfield.collection.sources.dataset import Dataset
from cranfield.collection.sources.file import File
from cranfield.collection.sources.power_law import PowerLawRatings
from cranfield.collection.sources.simulated import Simulated
from cranfield.collection.sources.subset import Subset

__all__ = ["Block", "Dataset", "File", "PowerLawRatings", "Simulated", "Subset"]
