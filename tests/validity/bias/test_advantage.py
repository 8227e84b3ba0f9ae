"""What becomes of a lead, in figures and in words."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.bias.advantage import Advantage
from suites import tries


def lead(before: float, after: float, p_before: float = 0.001, p_after: float = 0.001) -> Advantage:
    return Advantage(
        first="MF", second="kNN", before=before, after=after, p_before=p_before, p_after=p_after
    )


def test_what_disappears_is_what_is_left_short_of_the_whole() -> None:
    shrunk = lead(0.2, 0.058)
    assert shrunk.fate == "shrunk"
    assert shrunk.lost == pytest.approx(1 - 0.058 / 0.2)
    assert shrunk.sentence("AR", "UAR") == (
        "Under AR, 71 % of MF's advantage over kNN disappears once item popularity is "
        "neutralised (UAR)."
    )


def test_a_lead_that_grows_is_said_to_grow() -> None:
    assert lead(0.2, 0.3).lost == pytest.approx(-0.5)
    assert "grows by 50 % once" in lead(0.2, 0.3).sentence("1R", "P1R")


def test_a_lead_that_turns_is_said_to_turn_and_has_no_per_cent() -> None:
    turned = lead(0.2, -0.1)
    assert turned.lost == pytest.approx(1.5)
    assert "is reversed" in turned.sentence("AR", "UAR")
    assert "%" not in turned.sentence("AR", "UAR")


def test_a_lead_that_stays_is_said_to_stay() -> None:
    assert lead(0.2, 0.1995).fate == "unchanged"
    assert "stays as it is" in lead(0.2, 0.1995).sentence("AR", "UAR")


def test_without_a_significant_lead_there_is_nothing_to_lose() -> None:
    none = lead(1e-9, 0.3, p_before=0.4)
    assert none.fate == "none"
    assert isnan(none.lost)
    assert "do not differ significantly (p = 0.4000)" in none.sentence("AR", "UAR")


def test_equal_systems_have_no_lead_whatever_the_p_value() -> None:
    assert lead(0.0, 0.1).fate == "none"


def test_a_lead_that_is_no_longer_significant_is_lost() -> None:
    lost = lead(0.2, 0.02, p_after=0.3)
    assert lost.fate == "lost"
    assert lost.lost == pytest.approx(1 - 0.02 / 0.2)
    assert "it is no longer significant (p = 0.3000)" in lost.sentence("AR", "UAR")


def test_an_undefined_lead_is_said_to_be_undefined() -> None:
    assert lead(nan, 0.1).fate == lead(0.1, nan).fate == "undefined"
    assert isnan(lead(0.1, nan).lost)
    assert "is undefined or untested under AR or UAR" in lead(0.1, nan).sentence("AR", "UAR")


def test_a_lead_that_was_not_tested_is_neither_none_nor_lost() -> None:
    for untested in (lead(0.2, 0.1, p_before=nan), lead(0.2, 0.1, p_after=nan)):
        assert untested.fate == "undefined"
        assert "nan" not in untested.sentence("AR", "UAR")


def test_nearly_all_that_disappears_is_not_called_all() -> None:
    assert lead(0.2, 0.0004).sentence("AR", "UAR").startswith("Under AR, over 99 % of MF's")
    assert "grows by under 1 %" in lead(0.2, 0.2012).sentence("AR", "UAR")


def test_equal_systems_are_not_said_to_differ_insignificantly_by_a_small_p_value() -> None:
    assert lead(0.0, 0.1).sentence("AR", "UAR") == (
        "Under AR, MF has no lead over kNN: there is no advantage that popularity could explain."
    )


@settings(deadline=None, max_examples=tries(60))
@given(
    st.floats(0.01, 1), st.floats(-1, 1, allow_subnormal=False), st.sampled_from([0.001, 0.4]),
    st.sampled_from([0.001, 0.4]), st.floats(0.1, 10),
)  # fmt: skip
def test_the_unit_of_a_lead_changes_nothing(
    before: float, after: float, p_before: float, p_after: float, unit: float
) -> None:
    one, two = lead(before, after, p_before, p_after), lead(
        before * unit, after * unit, p_before, p_after
    )  # fmt: skip
    assert two.lost == pytest.approx(one.lost, nan_ok=True, abs=1e-9)
    if abs(abs(1 - after / before) - 0.005) > 1e-6:
        assert one.fate == two.fate
