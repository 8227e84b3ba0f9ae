"""Phrases: numbers and lists read well in a sentence and claim nothing that is not so."""

from __future__ import annotations

from math import inf, nan

from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.phrases import all_of, joined, percent, signed, written_p
from suites import tries


def test_all_of_a_few_things_has_a_word_of_its_own() -> None:
    assert [all_of(number) for number in (1, 2, 3, 4000)] == [
        "the one", "both", "all 3", "all 4,000",
    ]  # fmt: skip


def test_lists_read_as_in_a_sentence() -> None:
    assert [joined(list("abc")[:n], "and") for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_numbers_in_sentences_have_a_true_minus() -> None:
    assert [signed(number) for number in (0.1234, -0.1234, 0.0, -2e-9)] == [
        "0.123", "−0.123", "0", "−2e−09",
    ]  # fmt: skip
    assert signed(-1, ".2f") == "−1.00"
    assert [signed(number) for number in (inf, -inf)] == ["infinity", "minus infinity"]


@settings(deadline=None, max_examples=tries(100))
@given(st.floats(0, 1))
def test_a_share_in_per_cent_claims_all_or_none_only_of_all_or_none(share: float) -> None:
    told = percent(share)
    if told == "100 %":
        assert share > 1 - 1e-9
    if told == "0 %":
        assert share < 1e-9


def test_shares_are_not_rounded_to_all_or_none() -> None:
    assert [percent(share) for share in (0, 0.004, 0.5, 0.996, 1)] == [
        "0 %", "under 1 %", "50 %", "over 99 %", "100 %",
    ]  # fmt: skip


def test_p_values_are_written_without_claiming_zero() -> None:
    assert [written_p(p) for p in (0.00009, 0.01234, 1.0, nan)] == [
        "p < 0.0001", "p = 0.0123", "p = 1.0000", "p undefined",
    ]  # fmt: skip


@given(st.floats(0, 1), st.sampled_from([0.1, 0.05, 0.01, 0.001]))
def test_a_written_p_value_is_on_the_same_side_of_every_usual_level(p: float, level: float) -> None:
    near = level * (1 - p * 1e-4)
    written = float(written_p(near).removeprefix("p = "))
    assert (written < level) == (near < level)


def test_a_p_value_is_written_on_its_side_of_the_level_of_the_study() -> None:
    assert written_p(0.0199999, 0.02) == "p = 0.0199999"
    assert written_p(0.0199999) == "p = 0.0200"
    assert written_p(0.02, 0.02) == "p = 0.0200"
