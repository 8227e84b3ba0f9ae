"""The choices that make a target set: candidates, relevant and non-relevant items."""

from cranfield.collection.targets.candidates import AllItems, TestItems
from cranfield.collection.targets.nonrelevant import AllNonrelevant, JudgedOnly, Sampled
from cranfield.collection.targets.relevant import AllRelevant, OneRelevant, Percentiles

__all__ = [
    "AllItems",
    "AllNonrelevant",
    "AllRelevant",
    "JudgedOnly",
    "OneRelevant",
    "Percentiles",
    "Sampled",
    "TestItems",
]
