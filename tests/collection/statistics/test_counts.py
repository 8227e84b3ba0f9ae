"""Ratings that look like counts are told from ratings on a scale."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.collection.statistics.counts import look_like_counts


@pytest.mark.parametrize(
    "values",
    [
        [13883, 11690, 260, 120, 352698],  # plays of an artist
        [1] * 90 + [2, 3, 40],  # visits of a place
        [0, 0, 0, 21],
    ],
)
def test_counts_are_whole_and_skewed(values: list[float]) -> None:
    assert look_like_counts(np.array(values, dtype=float))


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3, 4, 5],
        [0.5, 1, 4.5, 5],
        [0, 0, 0, 0, 10],  # Book-Crossing: most ratings are 0
        [1, 1, 1, 1],
        [-10, 3, 10, 25],  # below 0
        list(range(101)),  # a scale of 100 points: the median is 50
        [0.5, 1, 1, 300],  # not whole
        [],
    ],
)
def test_scales_are_not_counts(values: list[float]) -> None:
    assert not look_like_counts(np.array(values, dtype=float))
