"""Numbers as the report writes them."""

from __future__ import annotations

from math import inf, nan

from cranfield.view.numbers import (
    answer,
    any_value,
    fixed,
    interval,
    p_phrase,
    p_value,
    share,
    signed,
)


def test_what_is_not_known_is_a_dash() -> None:
    assert [f(nan) for f in (fixed, signed, share, p_value)] == ["–"] * 4
    assert fixed(inf) == "–"
    assert [f(None) for f in (fixed, signed, p_value)] == ["–"] * 3


def test_a_minus_is_a_minus() -> None:
    assert (fixed(-0.25, 2), signed(-0.25, 2), signed(0.25, 2)) == ("−0.25", "−0.25", "+0.25")


def test_a_p_value_is_never_said_to_be_zero() -> None:
    assert p_value(0.0) == p_value(0.00009) == "<0.0001"
    assert p_value(0.0001) == "0.0001"


def test_answers_are_read_as_they_are_spelled() -> None:
    assert [answer(given) for given in ("full", 0.25, 10.0, 10, None)] == [
        "full", "0.25", "10", "10", "does not apply",
    ]  # fmt: skip


def test_what_rounds_to_zero_has_no_sign_unless_signs_are_wanted() -> None:
    assert [fixed(value, 2) for value in (-0.001, -0.0, 0.001)] == ["0.00"] * 3
    assert signed(-0.001, 2) == "−0.00"


def test_an_interval_with_an_unknown_end_is_unknown() -> None:
    assert interval(0.25, 0.5) == "0.2500 to 0.5000"
    assert interval(-0.25, 0.5, signed) == "−0.2500 to +0.5000"
    assert interval(nan, 0.5) == interval(0.5, nan) == interval(-inf, inf) == "–"


def test_a_value_of_any_kind_is_shown_by_its_kind() -> None:
    shown = [any_value(value) for value in (-0.25, nan, None, 7, True, False, "x")]
    assert shown == ["−0.250", "–", "–", "7", "yes", "no", "x"]
    assert any_value(0.25, 4) == "0.2500"


def test_a_p_value_in_a_sentence_says_below_where_it_is() -> None:
    assert (p_phrase(0.25), p_phrase(0.00001)) == ("p = 0.2500", "p < 0.0001")
