"""Comparisons over users and items: what is replaced, by hand."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from scipy import stats

from cranfield.significance.comparison import ComparisonChoice, compare_samples
from cranfield.significance.effect_size import MeanDifference
from cranfield.significance.paired_tests.student import StudentT
from cranfield.significance.random_items import with_random_items
from cranfield.significance.samples import Samples


def test_intervals_and_p_values_are_those_of_the_errors_given() -> None:
    values = np.random.default_rng(1).random((3, 1, 20))
    samples = Samples(("A", "B", "C"), ("P@5",), values, np.ones((1, 20), dtype=bool))
    made = compare_samples(samples, ComparisonChoice(test=StudentT(), baseline="B"))
    known = {pair.first: pair.difference for pair in made.pairs}
    errors = {"A": 0.02, "C": 0.4}
    # the bootstrap has its pairs in the order of systems: A − B, and B − C for C − B
    given = {
        ("P@5", "A", "B"): MeanDifference(known["A"], errors["A"], 9),
        ("P@5", "B", "C"): MeanDifference(-known["C"], errors["C"], 9),
    }
    found = with_random_items(made, given)
    p_values = [2 * stats.t.sf(abs(known[name]) / errors[name], 8) for name in ("A", "C")]
    holm = [min(2 * min(p_values), 1.0), max(2 * min(p_values), *p_values)]
    for pair, p_value in zip(found.pairs, p_values, strict=True):
        error = errors[pair.first]
        assert (pair.second, pair.difference) == ("B", known[pair.first])
        assert pair.p_value == pytest.approx(p_value)
        assert pair.high - pair.difference == pytest.approx(stats.t.ppf(0.975, 8) * error)
        assert pair.statistic == pytest.approx(known[pair.first] / error)
        assert isnan(pair.equivalence_p)
    assert sorted(pair.adjusted for pair in found.pairs) == pytest.approx(sorted(holm))
    assert [pair.wins for pair in found.pairs] == [pair.wins for pair in made.pairs]
