"""The choices that make a target set: candidates, relevant and non-relevant items."""

from cranfield.collection.targets.candidates import AllItems, TestItems, TrainItems
from cranfield.collection.targets.listed import Listed
from cranfield.collection.targets.nonrelevant import (
    AllNonrelevant,
    JudgedAndSampled,
    JudgedOnly,
    Sampled,
)
from cranfield.collection.targets.relevant import AllRelevant, OneRelevant, Percentiles

__all__ = [
    "AllItems",
    "AllNonrelevant",
    "AllRelevant",
    "JudgedAndSampled",
    "JudgedOnly",
    "Listed",
    "OneRelevant",
    "Percentiles",
    "Sampled",
    "TestItems",
    "TrainItems",
]
