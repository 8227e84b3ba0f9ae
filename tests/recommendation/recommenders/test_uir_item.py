from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.uir_item  # noqa: F401
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import predictions, table_of, training, training_sets
from suites import tries

NAN = float("nan")


@given(training_sets(), st.sampled_from([0.5, 0.01, 0.99, 1.0]))
@settings(deadline=None, max_examples=tries(60))
def test_predictions_follow_the_formula(train: Ratings, share: float) -> None:
    rated = table_of(train) > 0
    counts = rated.sum(axis=0)
    p = counts / counts.sum()
    wanted = np.full(rated.shape, np.nan)
    for u in np.flatnonzero(rated.any(axis=1)):
        for i in np.flatnonzero(counts):
            wanted[u, i] = log(p[i])
            for j in np.flatnonzero(rated[u]):
                together = (rated[:, i] & rated[:, j]).sum()
                if together:
                    lift = together / counts[i] / p[j]
                    wanted[u, i] += log(1 + (1 - share) * lift / share)
    found = predictions(f"UIR-Item(lambda={share})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_a_worked_case() -> None:
    train = training([[5, NAN], [1, 2], [NAN, 3]])
    # Each item was rated twice of four times, once together: p(j|i) = 1/2 = p(j).
    assert predictions("UIR-Item(lambda=0.2)", train)[0] == pytest.approx(
        [log(1 + 4 * 1 / 0.5) + log(1 / 2), log(1 + 4 * 0.5 / 0.5) + log(1 / 2)]
    )
