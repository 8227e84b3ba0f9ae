"""Pairs: what is known of the difference of two systems, and what is not for other values."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import isnan, nan, sqrt
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.pair import Pair, pair_of
from cranfield.significance.samples.pairing import pair_users
from cranfield.significance.samples.samples import Samples
from score_cases import U, scores_of
from significance_cases import samples_of

FIRST, SECOND = [0.9, 0.5, 0.7, 0.2], [0.4, 0.5, 0.1, 0.6]
TESTED = {"p_value": 0.2, "p_error": 0.0, "adjusted": 0.4, "significant": False}


def made(samples: Samples, statistic: float = 1.0, pair: tuple[int, int] = (0, 1)) -> Pair:
    tested: dict[str, Any] = {"statistic": statistic, **TESTED}
    return pair_of(samples, (0, pair), ComparisonChoice(), Seeds(1), **tested)


def medians(first: list[float], second: list[float]) -> Samples:
    choice = SummaryChoice(aggregation=parse("aggregation", "median"))
    return pair_users(scores_of({"a": first, "b": second}), choice)


def test_values_and_their_difference_are_those_of_the_table() -> None:
    found = made(samples_of(FIRST, SECOND))
    assert (found.first, found.second, found.metric) == ("a", "b", "P@10")
    assert found.first_value == pytest.approx(2.3 / 4)
    assert found.second_value == pytest.approx(1.6 / 4)
    assert found.difference == pytest.approx(0.7 / 4)


def test_what_the_test_found_is_passed_on() -> None:
    found = made(samples_of(FIRST, SECOND))
    assert {name: getattr(found, name) for name in TESTED} == TESTED


@pytest.mark.parametrize(
    ("statistic", "better"), [(2.0, "a"), (-2.0, "b"), (0.0, None), (nan, None)]
)
def test_the_better_one_is_whom_the_statistic_favours(statistic: float, better: str | None) -> None:
    assert made(samples_of(FIRST, SECOND), statistic).better == better


def test_users_are_counted_by_whom_they_favour() -> None:
    found = made(samples_of(FIRST, SECOND))
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)
    assert found.better_low < found.better_share < found.better_high


def test_the_effect_is_the_mean_in_standard_deviations() -> None:
    differences = np.array(FIRST) - np.array(SECOND)
    found = made(samples_of(FIRST, SECOND))
    assert found.effect == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert found.effect_low < found.effect < found.effect_high


def test_the_interval_is_that_of_student() -> None:
    differences = np.array(FIRST) - np.array(SECOND)
    found = made(samples_of(FIRST, SECOND))
    half = 3.182446305284263 * differences.std(ddof=1) / sqrt(4)  # t of 3 degrees, 97.5 %
    assert found.low == pytest.approx(0.7 / 4 - half)
    assert found.high == pytest.approx(0.7 / 4 + half)


def test_a_turned_pair_is_the_pair_of_the_systems_in_the_other_order() -> None:
    samples = samples_of(FIRST, SECOND)
    one, other = made(samples, 1.0), made(samples, -1.0, (1, 0))
    assert asdict(one.turned()) == pytest.approx(asdict(other), nan_ok=True)
    assert one.turned().better == one.better == "a"


@pytest.mark.usefixtures("few_draws")
def test_of_a_turned_pair_of_medians_users_stay_unknown() -> None:
    turned = made(medians(FIRST, SECOND)).turned()
    assert (turned.wins, turned.ties, turned.losses) == (None, None, None)
    assert isnan(turned.better_share)


def test_beliefs_add_up_to_one() -> None:
    found = made(samples_of(FIRST, SECOND))
    beliefs = (found.believed_first, found.believed_equivalent, found.believed_second)
    assert sum(beliefs) == pytest.approx(1)
    assert beliefs[0] > beliefs[2]


def test_users_who_do_not_enter_are_counted_as_left_out() -> None:
    scores = scores_of({"a": [0.9, U, 0.7, 0.2], "b": [0.4, U, 0.1, 0.6]})
    found = made(pair_users(scores))
    assert (found.users, found.left_out) == (3, 1)


@pytest.mark.usefixtures("few_draws")
def test_what_there_is_for_means_alone_is_unknown_of_medians() -> None:
    found = made(medians(FIRST, SECOND))
    assert found.difference == pytest.approx((0.5 + 0.7) / 2 - (0.4 + 0.5) / 2)
    assert found.low <= found.difference <= found.high
    for name in ("effect", "believed_first", "equivalence_p", "detectable", "users_needed"):
        assert isnan(getattr(found, name)), name
    assert (found.wins, found.ties, found.losses) == (None, None, None)
    assert isnan(found.better_share)


def test_where_more_than_users_is_random_users_say_nothing_of_beliefs() -> None:
    samples = samples_of(FIRST, SECOND)
    given = {("P@10", "a", "b"): replace(samples.difference(0, (0, 1)), error=0.5)}
    found = made(replace(samples, given=given))
    assert isnan(found.believed_first)
    assert isnan(found.users_needed)
    assert found.effect == made(samples).effect
    assert found.high - found.low > made(samples).high - made(samples).low
