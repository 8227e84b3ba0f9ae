"""Numbers as the report writes them."""

from __future__ import annotations

from math import inf, nan

from cranfield.view.numbers import answer, fixed, p_value, share, signed


def test_what_is_not_known_is_a_dash() -> None:
    assert [f(nan) for f in (fixed, signed, share, p_value)] == ["–"] * 4
    assert fixed(inf) == "–"


def test_a_minus_is_a_minus() -> None:
    assert (fixed(-0.25, 2), signed(-0.25, 2), signed(0.25, 2)) == ("−0.25", "−0.25", "+0.25")


def test_a_p_value_is_never_said_to_be_zero() -> None:
    assert p_value(0.0) == p_value(0.00009) == "<\u202f0.0001"
    assert p_value(0.0001) == "0.0001"


def test_answers_are_read_as_they_are_spelled() -> None:
    assert [answer(given) for given in ("full", 0.25, 10.0, 10, None)] == [
        "full", "0.25", "10", "10", "does not apply",
    ]  # fmt: skip
