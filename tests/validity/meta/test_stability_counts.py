"""Decisions between systems, held against counting them one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cranfield.validity.meta.stability_counts import decide
from suites import tries


def one_by_one(values: list[list[float]], fuzziness: float) -> tuple[float, float]:
    """Error rate and ties as the papers put it: counters of each pair, sample by sample."""
    errors = ties = total = 0
    systems = range(len(values[0]))
    for a in systems:
        for b in systems[a + 1 :]:
            ahead = behind = equal = 0
            for sample in values:
                margin = fuzziness * max(abs(sample[a]), abs(sample[b]))
                if sample[a] == sample[b] or abs(sample[a] - sample[b]) < margin:
                    equal += 1
                elif sample[a] > sample[b]:
                    ahead += 1
                else:
                    behind += 1
            errors += min(ahead, behind)
            ties += equal
            total += ahead + behind + equal
    return errors / total, ties / total


some_values = arrays(
    np.float64, (7, 4), elements=st.integers(-2, 20).map(lambda number: number / 20)
)


@settings(deadline=None, max_examples=tries(60))
@given(values=some_values, fuzziness=st.sampled_from([0.0, 0.03, 0.05, 0.5, 0.99]))
def test_decisions_are_those_counted_one_by_one(values: np.ndarray, fuzziness: float) -> None:
    found = decide(values, fuzziness)
    expected = one_by_one(values.tolist(), fuzziness)
    assert (found.error_rate, found.proportion_of_ties) == pytest.approx(expected)
    assert (found.first + found.second + found.ties == 7).all()


@settings(deadline=None, max_examples=tries(40))
@given(values=some_values)
def test_more_fuzziness_means_more_ties_and_no_more_errors(values: np.ndarray) -> None:
    made = [decide(values, fuzziness) for fuzziness in (0.0, 0.05, 0.3, 0.9)]
    ties = [float(each.proportion_of_ties) for each in made]
    errors = [float(each.error_rate) for each in made]
    assert ties == sorted(ties)
    assert errors == sorted(errors, reverse=True)
    assert all(0 <= error <= 0.5 for error in errors)


@settings(deadline=None, max_examples=tries(40))
@given(values=some_values, order=st.permutations(range(4)))
def test_systems_in_another_order_change_nothing(values: np.ndarray, order: list[int]) -> None:
    one, two = decide(values, 0.1), decide(values[:, order], 0.1)
    assert one.error_rate == pytest.approx(two.error_rate)
    assert one.proportion_of_ties == pytest.approx(two.proportion_of_ties)


def test_metrics_are_decided_by_themselves() -> None:
    values = np.random.default_rng(1).random((9, 3, 4))  # samples × metrics × systems
    together = decide(values, 0.1)
    for metric in range(3):
        alone = decide(values[:, metric], 0.1)
        assert together.error_rate[metric] == alone.error_rate
        assert together.proportion_of_ties[metric] == alone.proportion_of_ties


def test_what_is_undefined_is_not_decided() -> None:
    found = decide(np.array([[1.0, np.nan], [1.0, 0.5], [0.2, 0.5]]), 0.0)
    assert (found.first[0], found.second[0], found.ties[0]) == (1, 1, 0)
    assert found.error_rate == 0.5
    assert np.isnan(decide(np.array([[np.nan, 1.0]]), 0.1).error_rate)
