"""Tests that look at one pair of systems at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PValues
from cranfield.significance.samples import Samples

PairTest = Callable[[Floats, Floats], tuple[float, float]]
"""From differences and shares of users to a p-value and a statistic."""


def each_pair(samples: Samples, test: PairTest) -> PValues:
    """The p-values of a test without draws, pair by pair."""
    shape = (len(samples.metrics), len(samples.pairs), 2)
    found = np.array(
        [
            test(samples.differences(metric, pair), shares)
            for metric in range(len(samples.metrics))
            for shares in [samples.shares(metric)]
            for pair in samples.pairs
        ]
    ).reshape(shape)
    return PValues(found[:, :, 0], found[:, :, 1], np.zeros(shape[:2]))
