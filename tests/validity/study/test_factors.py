from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.factors import factors_of

columns = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=20)


@settings(deadline=None, max_examples=50)
@given(columns)
def test_codes_give_back_the_answers(column: list[str | None]) -> None:
    (factor,) = factors_of(pl.DataFrame({"x": column}, schema={"x": pl.String}))
    back = [None if code < 0 else factor.answers[code] for code in factor.codes.tolist()]
    assert back == column


def test_numbers_ascend_and_words_keep_their_order() -> None:
    table = pl.DataFrame({"cutoff": [20, 5, 10], "metric": ["P", "AP", "P"]})
    cutoff, metric = factors_of(table)
    assert cutoff.answers == (5, 10, 20)
    assert cutoff.codes.tolist() == [2, 0, 1]
    assert metric.answers == ("P", "AP")


def test_what_does_not_apply_is_counted_nowhere() -> None:
    (gain,) = factors_of(pl.DataFrame({"gain": ["binary", None, "rating", "binary"]}))
    assert gain.applies.tolist() == [True, False, True, True]
    assert gain.counts(np.array([True, True, True, False])).tolist() == [1, 1]


def test_designs_can_be_taken_out() -> None:
    factors = factors_of(pl.DataFrame({"cutoff": [5, 10, 20]}))
    some = factors.take(np.array([True, False, True]))
    assert some.designs == 2
    assert some[0].codes.tolist() == [0, 2]
    assert some[0].answers == (5, 10, 20)


def test_answers_that_are_truths_are_words_and_not_numbers() -> None:
    (flag,) = factors_of(pl.DataFrame({"blocks": [True, False, True]}))
    assert not flag.numeric
    assert flag.answers == (True, False)


def test_a_decision_that_applies_nowhere_has_no_answer() -> None:
    (gain,) = factors_of(pl.DataFrame({"gain": [None, None]}, schema={"gain": pl.String}))
    assert gain.answers == ()
    assert not gain.applies.any()
    assert gain.counts(np.array([True, True])).tolist() == []


def test_factors_are_as_many_as_decisions_and_know_their_designs() -> None:
    factors = factors_of(pl.DataFrame({"cutoff": [5, 10], "metric": ["P", "P"]}))
    assert [factor.name for factor in factors] == ["cutoff", "metric"]
    assert (len(factors), factors.designs, factors[1].answers) == (2, 2, ("P",))
