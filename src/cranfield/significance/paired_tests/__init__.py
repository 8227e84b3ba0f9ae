"""How two systems are compared: the answers to the decision "test"."""

from cranfield.significance.paired_tests.bootstrap import Bootstrap
from cranfield.significance.paired_tests.permutation import Permutation
from cranfield.significance.paired_tests.ranks import Sign, Wilcoxon
from cranfield.significance.paired_tests.student import LogT, StudentT, WeightedT
from cranfield.significance.paired_tests.tukey import RandomisedHSD, TukeyHSD

__all__ = [
    "Bootstrap",
    "LogT",
    "Permutation",
    "RandomisedHSD",
    "Sign",
    "StudentT",
    "TukeyHSD",
    "WeightedT",
    "Wilcoxon",
]
