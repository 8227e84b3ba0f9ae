"""Values of systems whose users are drawn again."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.samples.resampled import resampled
from score_cases import scores_of


def test_a_draw_without_anybody_of_a_segment_averages_the_other_segments() -> None:
    scores = scores_of(
        {"a": [0.2, 0.4, 0.9, 0.5], "b": [0.1, 0.5, 0.3, 0.7]},
        users=[0, 1, 2, 3], segments=[0, 0, 1, 2],
    )  # fmt: skip
    counts = np.array([[1.0, 1, 2, 0], [1, 1, 1, 1]])
    values = resampled(scores, 0, SummaryChoice()).values((0, 1), counts, np.zeros((1, 4)))
    assert values[0] == pytest.approx([(0.3 + 0.9) / 2, (0.3 + 0.9 + 0.5) / 3])
    assert values[1] == pytest.approx([(0.3 + 0.3) / 2, (0.3 + 0.3 + 0.7) / 3])
