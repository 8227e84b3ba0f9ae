"""Sources: files in the formats of the field, data sets by name, simulated data."""

from cranfield.collection.sources.dataset import Dataset
from cranfield.collection.sources.file import File

__all__ = ["Dataset", "File"]
