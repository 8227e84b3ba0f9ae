"""P-values have one format, which never claims 0 and never crosses a level."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.significance.p_text import p_text
from cranfield.validity.phrases import written_p
from cranfield.view.numbers import p_phrase, p_value


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.0, "<0.0001"), (0.00009, "<0.0001"), (0.0001, "0.0001"), (0.05, "0.0500"),
        (0.04999, "0.04999"), (0.05001, "0.0500"), (0.5, "0.5000"), (1.0, "1.0000"),
    ],
)  # fmt: skip
def test_a_p_value_has_four_decimals_or_those_that_keep_its_side(p: float, shown: str) -> None:
    assert p_text(p) == p_value(p) == shown


@given(st.floats(0, 1), st.sampled_from([0.01, 0.02, 0.05]))
def test_what_is_shown_is_on_the_same_side_of_the_level(p: float, level: float) -> None:
    text = p_text(p, level)
    assert (float(text.lstrip("<")) < level) == (p < level)
    assert abs(float(text.lstrip("<")) - p) <= 1e-4


@given(st.floats(0, 1))
def test_sentences_and_tables_agree(p: float) -> None:
    assert written_p(p) == p_phrase(p)
    assert written_p(p).removeprefix("p ").replace(" ", "").lstrip("=") == p_value(p)
