"""How p-values are adjusted: the answers to the decision "correction"."""

from cranfield.significance.corrections.bonferroni import Bonferroni
from cranfield.significance.corrections.stepwise import BenjaminiHochberg, Holm
from cranfield.significance.corrections.uncorrected import Uncorrected

__all__ = ["BenjaminiHochberg", "Bonferroni", "Holm", "Uncorrected"]
