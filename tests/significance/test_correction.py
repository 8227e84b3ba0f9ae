"""Families of p-values: which p-values are corrected together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import nan

from cranfield.significance.correction import Correction, adjust_families, adjust_family
from cranfield.significance.corrections import BenjaminiHochberg, Bonferroni, Holm, Uncorrected
from suites import tries

ALL = [Uncorrected(), Bonferroni(), Holm(), BenjaminiHochberg()]
every_correction = pytest.mark.parametrize("correction", ALL, ids=str)


def test_metrics_are_corrected_apart_or_together() -> None:
    p_values = np.array([[0.01, 0.04], [0.02, 0.03]])
    apart = adjust_families(Holm(), p_values, "metric")
    assert apart == pytest.approx(np.array([[2 * 0.01, 0.04], [2 * 0.02, 2 * 0.02]]))
    # in order .01 .02 .03 .04: 4·.01, 3·.02, 2·.03 = .06, and 1·.04 is raised to it
    together = adjust_families(Holm(), p_values, "all")
    assert together == pytest.approx(np.array([[4 * 0.01, 0.06], [3 * 0.02, 0.06]]))


@every_correction
def test_one_metric_is_the_same_family_either_way(correction: Correction) -> None:
    p_values = np.array([[0.2, 0.001, 0.04, 0.04]])
    one = adjust_families(correction, p_values, "metric")
    two = adjust_families(correction, p_values, "all")
    assert np.array_equal(one, two)


@every_correction
@given(st.lists(st.floats(0, 1) | st.just(nan), max_size=8))
@settings(deadline=None, max_examples=tries(30))
def test_what_is_undefined_stays_and_the_others_do_as_if_it_were_not_there(
    correction: Correction, p_values: list[float]
) -> None:
    given_p = np.array(p_values, dtype=float)
    found, known = adjust_family(correction, given_p), ~np.isnan(given_p)
    assert np.isnan(found[~known]).all()
    assert np.array_equal(found[known], correction.adjust(given_p[known]))


@every_correction
def test_no_pair_at_all_is_no_problem(correction: Correction) -> None:
    assert adjust_families(correction, np.zeros((2, 0))).shape == (2, 0)


@every_correction
def test_p_values_that_are_given_stay_as_they_are(correction: Correction) -> None:
    given_p = np.array([0.03, 0.01, 0.5])
    given_p.setflags(write=False)
    correction.adjust(given_p)
    assert given_p.tolist() == [0.03, 0.01, 0.5]
