"""What sampled targets say of all targets: the answers to the decision "sample-correction"."""

from cranfield.scoring.sample_corrections.bias_variance import BiasVariance
from cranfield.scoring.sample_corrections.least_squares import ConstrainedLeastSquares
from cranfield.scoring.sample_corrections.maximum_entropy import MaximumEntropy
from cranfield.scoring.sample_corrections.maximum_likelihood import MaximumLikelihood
from cranfield.scoring.sample_corrections.plug_in import PlugIn

__all__ = [
    "BiasVariance",
    "ConstrainedLeastSquares",
    "MaximumEntropy",
    "MaximumLikelihood",
    "PlugIn",
]
