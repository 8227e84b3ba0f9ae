"""Contrasts: what users add to a difference, and what it is once they are drawn again."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.samples.contrast import Contrast, contrast_of
from cranfield.significance.samples.pairing import pair_users
from score_cases import U, scores_of

ROWS = {"a": [0.2, 0.4, 0.9], "b": [0.1, 0.8, 0.3]}
SIGNS = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]])


def contrast(
    rows: dict[str, list[float]], pair: tuple[str, str] = ("a", "b"), aggregation: str = "mean"
) -> Contrast:
    scores = scores_of(rows)
    choice = SummaryChoice(aggregation=parse("aggregation", aggregation))
    return contrast_of(pair_users(scores, choice), scores, 0, pair)


def test_what_users_add_sums_to_the_difference() -> None:
    found = contrast(ROWS)
    assert found.difference == pytest.approx((0.2 + 0.4 + 0.9) / 3 - (0.1 + 0.8 + 0.3) / 3)
    assert found.contributions is not None
    assert found.contributions.tolist() == pytest.approx([0.1 / 3, -0.4 / 3, 0.6 / 3])


def test_it_is_the_first_minus_the_second_as_they_are_named() -> None:
    assert contrast(ROWS, ("b", "a")).difference == pytest.approx(-contrast(ROWS).difference)


def test_exchanging_a_user_turns_what_the_user_adds() -> None:
    swapped = contrast(ROWS).swapped(SIGNS)
    assert swapped.tolist() == pytest.approx([0.3 / 3, (-0.1 - 0.4 + 0.6) / 3, -0.3 / 3])


def test_a_median_is_worked_out_anew_in_every_draw() -> None:
    found = contrast(ROWS, aggregation="median")
    assert found.contributions is None
    medians = [0.4 - 0.3, 0.4 - 0.3, 0.3 - 0.4]  # of (0.1, 0.4, 0.9) and (0.2, 0.8, 0.3), second
    assert found.swapped(SIGNS).tolist() == pytest.approx(medians)


def test_drawing_each_user_once_gives_the_difference_itself() -> None:
    once = np.ones((1, 3))
    for aggregation in ("mean", "median"):
        found = contrast(ROWS, aggregation=aggregation)
        assert found.drawn_again(once).tolist() == pytest.approx([found.difference])


def test_drawing_one_user_for_all_gives_that_users_difference() -> None:
    one = np.array([[3.0, 0.0, 0.0], [0.0, 0.0, 3.0]])
    for aggregation in ("mean", "median"):
        drawn = contrast(ROWS, aggregation=aggregation).drawn_again(one)
        assert drawn.tolist() == pytest.approx([0.2 - 0.1, 0.9 - 0.3])


def test_users_who_are_left_out_add_nothing() -> None:
    scores = scores_of({"a": [0.2, 0.4, 0.9], "b": [0.1, U, 0.3]})
    samples = pair_users(scores, SummaryChoice(coverage="common", undefined="left-out"))
    found = contrast_of(samples, scores, 0, ("a", "b"))
    assert found.users.tolist() == [0, 1, 2]
    if found.contributions is not None:
        assert found.contributions[1] == 0
        assert found.contributions.sum() == pytest.approx(found.difference)


def test_errors_of_users_add_up_to_nothing() -> None:
    influence = contrast(ROWS).influence
    assert influence is not None
    assert influence.sum() == pytest.approx(0)
    assert influence.tolist() == pytest.approx([0.0, -0.5 / 3, 0.5 / 3])
