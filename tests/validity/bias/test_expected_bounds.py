"""Bounds of 1R by the collection: against enumeration, and around what they bound."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from cranfield.validity.bias.expected_bounds import expected_bounds, of_chance, printed_bounds
from cranfield.validity.bias.expected_precision import CollectionExpectation

POSITIVES = np.array([6.0, 3.0, 3.0, 2.0, 1.0, 0.0, 1.0])
TRAINED = np.array([0.6, 0.5, 0.3, 0.2, 0.0, 0.1, 0.0])


def outlook(size: float = 4.0) -> CollectionExpectation:
    return CollectionExpectation(POSITIVES, TRAINED, users=9, size=size)


def by_convolution(of: CollectionExpectation, cutoff: int, relevant: list[int]) -> list[float]:
    """The sums of the docstring, term by term, with SciPy's binomial."""
    shares = of.positives / of.positives.sum()
    fewer = of.fewer_above(cutoff + max(relevant))
    found = [0.0, 0.0]
    for count in relevant:
        for side, depth in enumerate((cutoff, cutoff + count - 1)):
            for place, share in enumerate(shares):
                chance = shares[:place].sum() / (1 - share)
                reached = sum(
                    binom.pmf(others, count - 1, chance) * fewer[place, depth - others]
                    for others in range(min(count, depth + 1))
                )
                found[side] += count / sum(relevant) * share * reached / cutoff
    return found


@pytest.mark.parametrize("relevant", [[1], [2], [1, 1, 4], [3, 2, 5, 1]])
@pytest.mark.parametrize("cutoff", [1, 2, 5])
def test_bounds_are_the_sums_that_they_are_said_to_be(cutoff: int, relevant: list[int]) -> None:
    found = expected_bounds(outlook(), cutoff, np.array(relevant))
    assert found == pytest.approx(by_convolution(outlook(), cutoff, relevant))


def test_fewer_above_is_what_precision_is_computed_from() -> None:
    fewer = outlook().fewer_above(5)
    assert fewer[0].tolist() == [0, 1, 1, 1, 1, 1]  # nothing is above the first
    assert (np.diff(fewer, axis=1) >= 0).all()
    seen = outlook().ranked(2) * 2 * 9
    assert fewer[:, 2] @ POSITIVES == pytest.approx(seen)


outlooks = st.builds(
    lambda rows, size: CollectionExpectation(
        np.array([positive for positive, _ in rows]),
        np.array([trained for _, trained in rows]),
        users=5,
        size=min(size, len(rows)),
    ),
    st.lists(st.tuples(st.floats(0, 9), st.floats(0, 0.9)), min_size=2, max_size=9),
    st.floats(1, 9),
).filter(lambda made: made.positives.sum() > 0.01)


@given(outlooks, st.integers(1, 6), st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_what_is_expected_lies_between_the_bounds(
    made: CollectionExpectation, cutoff: int, relevant: list[int]
) -> None:
    for each in (made, of_chance(made)):
        lower, upper = expected_bounds(each, cutoff, np.array(relevant))
        value = each.ranked_one_relevant(cutoff)
        assert lower - 1e-9 <= value <= upper + 1e-9
        assert upper <= 1 / cutoff + 1e-9
        alone = expected_bounds(each, cutoff, np.ones(3, dtype=np.int64))
        assert alone == pytest.approx((value, value))


def by_enumeration(size: int, depth: int) -> float:
    """|C|/(t·|PR|) · avg Σ_{k≤m} |PR(i_k)| over all sets of t candidates."""
    sets = list(combinations(POSITIVES, size))
    mean = np.mean([sum(items[:depth]) for items in sets])
    return float(len(POSITIVES) / (size * POSITIVES.sum()) * mean)


@pytest.mark.parametrize(("others", "relevant"), [(3, 1), (3, 2), (2, 3)])
@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_printed_bounds_are_those_of_sets_drawn_at_random(
    cutoff: int, others: int, relevant: int
) -> None:
    size = others + relevant
    users = np.full(4, relevant)
    found = printed_bounds(outlook(others + 1), cutoff, users, np.full(4, others))
    depth = cutoff + relevant - 1
    assert found[0] == pytest.approx(by_enumeration(size, cutoff) / cutoff)
    assert found[1] == pytest.approx(by_enumeration(size, depth) / cutoff)


def test_users_count_alike_in_the_printed_bounds() -> None:
    others = np.array([4, 3, 3])  # so that all have 5 targets
    _, upper = printed_bounds(outlook(), 2, np.array([1, 2, 2]), others)
    depths = [by_enumeration(5, 2), by_enumeration(5, 3), by_enumeration(5, 3)]
    assert upper == pytest.approx(np.mean(depths) / 2)


def test_bounds_of_a_random_order_do_not_depend_on_the_order() -> None:
    turned = CollectionExpectation(POSITIVES[::-1], TRAINED[::-1], users=9, size=4.0)
    relevant = np.array([1, 3])
    one, two = (expected_bounds(of_chance(each), 2, relevant) for each in (outlook(), turned))
    assert one == pytest.approx(two)


def test_without_a_relevant_rating_there_are_no_bounds() -> None:
    none = CollectionExpectation(np.zeros(3), np.zeros(3), users=2, size=2.0)
    nobody = np.zeros(0, dtype=np.int64)
    assert all(map(isnan, expected_bounds(none, 2, np.array([1]))))
    assert all(map(isnan, expected_bounds(outlook(), 2, nobody)))
    assert all(map(isnan, printed_bounds(outlook(), 2, nobody, nobody)))
