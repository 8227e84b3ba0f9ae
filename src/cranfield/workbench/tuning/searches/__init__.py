"""Ways to search a space of settings."""

from cranfield.workbench.tuning.searches.grid import GridSearch
from cranfield.workbench.tuning.searches.halving import Halving
from cranfield.workbench.tuning.searches.optuna import OptunaSearch
from cranfield.workbench.tuning.searches.random import RandomSearch

__all__ = ["GridSearch", "Halving", "OptunaSearch", "RandomSearch"]
