"""Corrections against their definitions, hand-worked cases and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction, adjust_family
from cranfield.significance.corrections import BenjaminiHochberg, Bonferroni, Holm, Uncorrected
from suites import tries

ALL = [Uncorrected(), Bonferroni(), Holm(), BenjaminiHochberg()]
P_VALUES = st.lists(
    st.sampled_from([0.0, 1.0, 0.03, 0.5]) | st.floats(0, 1), min_size=1, max_size=12
)


def adjusted(correction: Correction, *p_values: float) -> list[float]:
    found: list[float] = correction.adjust(np.array(p_values)).tolist()
    return found


def test_bonferroni_multiplies_by_the_number_of_comparisons() -> None:
    assert adjusted(Bonferroni(), 0.01, 0.02, 0.4) == pytest.approx([3 * 0.01, 3 * 0.02, 1])


def test_holm_steps_down_from_the_smallest() -> None:
    # In order .01, .02, .03, .04: 4·.01, 3·.02, 2·.03, and 1·.04 is raised to what came before.
    expected = [3 * 0.02, 4 * 0.01, 2 * 0.03, 2 * 0.03]
    assert adjusted(Holm(), 0.02, 0.01, 0.03, 0.04) == pytest.approx(expected)


def test_benjamini_hochberg_steps_up_from_the_largest() -> None:
    # In order .01, .03, .04: 3·.01/1 = .03; 3·.03/2 = .045 is lowered to 3·.04/3 = .04.
    assert adjusted(BenjaminiHochberg(), 0.04, 0.01, 0.03) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_keeps_all_that_follows_a_hypothesis_that_is_kept() -> None:
    # 3·.02 = .06 is kept at .05; .024 ≤ .05/2 and .03 ≤ .05/1 alone would be rejected.
    assert adjusted(Holm(), 0.02, 0.024, 0.03) == pytest.approx([0.06, 0.06, 0.06])


def test_benjamini_hochberg_rejects_all_that_precedes_a_rejection() -> None:
    # 3·.03/3 = .03 is rejected at .05, and so are the two before it, of the same size.
    assert adjusted(BenjaminiHochberg(), 0.03, 0.03, 0.03) == pytest.approx([0.03, 0.03, 0.03])


@given(p_values=P_VALUES)
@settings(deadline=None, max_examples=tries(50))
def test_holm_rejects_exactly_what_its_steps_reject(p_values: list[float]) -> None:
    alpha, rejected = 0.05, []
    for step, place in enumerate(np.argsort(p_values, kind="stable").tolist()):
        if p_values[place] * (len(p_values) - step) > alpha:
            break
        rejected.append(place)
    found = Holm().adjust(np.array(p_values))
    assert sorted(rejected) == np.flatnonzero(found <= alpha).tolist()


def test_an_undefined_p_value_stays_and_does_not_count() -> None:
    found: Floats = adjust_family(Bonferroni(), np.array([0.01, np.nan, 0.2]))
    np.testing.assert_allclose(found, [2 * 0.01, np.nan, 2 * 0.2])


@pytest.mark.parametrize(
    ("correction", "name"),
    [(Bonferroni(), "bonferroni"), (Holm(), "holm"), (BenjaminiHochberg(), "fdr_bh")],
    ids=str,
)
def test_adjusted_values_equal_those_of_statsmodels(correction: Correction, name: str) -> None:
    multitest = pytest.importorskip(
        "statsmodels.stats.multitest", reason="statsmodels is not installed"
    )
    rng = np.random.default_rng(5)
    for size in (1, 2, 5, 40):
        p_values = np.round(rng.random(size) ** 3, 3)  # with ties
        expected = multitest.multipletests(p_values, method=name)[1]
        np.testing.assert_allclose(correction.adjust(p_values), expected, rtol=1e-12)
