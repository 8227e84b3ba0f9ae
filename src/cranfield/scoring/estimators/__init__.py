"""How propensities correct a score: the answers to the decision "estimator"."""

from cranfield.scoring.estimators.ips import IPS
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.estimators.stratified import Stratified

__all__ = ["IPS", "SNIPS", "Stratified"]
