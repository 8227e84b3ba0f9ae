from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.topics import Topics
from cranfield.validity.meta.averages import averages
from cranfield.validity.meta.kernels.averages import averages_of, fast_averages
from suites import tries


@settings(deadline=None, max_examples=tries(50))
@given(st.integers(0, 1000), st.integers(1, 9))
def test_the_kernel_averages_as_the_definition_does(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.random((4, size))
    scores[rng.random(scores.shape) < 0.3] = np.nan
    topics = Topics(np.arange(size, dtype=np.int32))
    expected = averages(scores, topics, 0.01)
    assert fast_averages(scores, 0.01) == pytest.approx(expected, abs=1e-11, nan_ok=True)


def test_means_leave_out_what_is_undefined() -> None:
    scores = np.array([[0.2, np.nan, 0.4], [np.nan] * 3])
    found = averages(scores, Topics(np.arange(3, dtype=np.int32)), 0.01)
    assert found[0, 0] == pytest.approx((0.2 + 0.4) / 2)
    assert found[1, 0] == pytest.approx(np.sqrt(0.21 * 0.41) - 0.01)
    assert np.isnan(found[:, 1]).all()


def test_segments_weigh_alike() -> None:
    topics = Topics(np.arange(3, dtype=np.int32), segments=np.array([0, 0, 1], np.int32))
    found = averages(np.array([[0.0, 1.0, 0.3]]), topics, 0.01)
    assert found[0, 0] == pytest.approx((0.5 + 0.3) / 2)


def test_the_fast_way_is_taken_where_topics_count_alike() -> None:
    scores = np.array([[0.0, 1.0, 0.3], [0.5, np.nan, 0.25]])
    alike = Topics(np.arange(3, dtype=np.int32))
    parted = Topics(np.arange(3, dtype=np.int32), segments=np.array([0, 0, 1], np.int32))
    assert averages_of(scores, alike, 0.01).tolist() == fast_averages(scores, 0.01).tolist()
    assert averages_of(scores, parted, 0.01).tolist() == averages(scores, parted, 0.01).tolist()


def test_means_that_differ_by_rounding_alone_are_tied() -> None:
    one, two = np.array([[0.1, 0.2, 0.3]]), np.array([[0.3, 0.2, 0.1]])
    assert one.sum() != 0.3 + 0.2 + 0.1  # summed in another order
    assert fast_averages(one, 0.01)[0] == fast_averages(two, 0.01)[0]


@pytest.mark.parametrize("lowest", [-0.01, -0.5])
def test_scores_without_a_logarithm_have_no_geometric_mean_and_no_warning(lowest: float) -> None:
    scores = np.array([[lowest, 0.5, 0.25]])
    plain = averages(scores, Topics(np.arange(3, dtype=np.int32)), 0.01)
    assert plain[0, 0] == pytest.approx((lowest + 0.5 + 0.25) / 3)
    # ln 0 = −∞ makes the whole product 0; below it there is no logarithm
    assert plain[1, 0] == pytest.approx(-0.01 if lowest == -0.01 else np.nan, nan_ok=True)
    assert fast_averages(scores, 0.01) == pytest.approx(plain, nan_ok=True)


@settings(deadline=None, max_examples=tries(30))
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_the_geometric_mean_is_never_above_the_arithmetic_one(scores: list[float]) -> None:
    arithmetic, geometric = fast_averages(np.array([scores]), 0.01)[:, 0]
    assert min(scores) - 1e-11 <= geometric <= arithmetic + 1e-11
    assert arithmetic <= max(scores) + 1e-11
