"""Samples to test significance with: by hand, by a seed, or made up by Hypothesis."""

from __future__ import annotations

import cranfield.scoring.aggregations
import cranfield.significance.corrections
import cranfield.significance.paired_tests  # noqa: F401
from cranfield.scoring.scores import Floats
from cranfield.significance.samples import Samples
from cranfield.testing.strategies import random_samples, samples_of
from cranfield.testing.strategies import samples as many_samples

__all__ = ["many_samples", "random_samples", "row_pair", "samples_of"]


def row_pair(samples: Samples) -> tuple[Floats, Floats]:
    """The scores of the first two systems by the first metric."""
    first, second = samples.of(0)[:2]
    return first, second
