"""What all averages share: errors over users, what users add to them, and draws of users."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest

from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.options import parse
from cranfield.scoring.aggregation import (
    DrawnScores,
    TransformedMean,
    influence,
    needs_draws,
    refuse_fewer_than_two,
    scaled,
    standard_error,
)
from cranfield.scoring.aggregation import (
    scores_of as baseline_scores,
)
from cranfield.scoring.coverage import enter
from score_cases import scores_of

MEAN: TransformedMean = parse("aggregation", "mean")
SEGMENTS = {"users": [0, 0, 1, 2], "segments": [0, 1, 0, 1]}


def error(scores: list[float], users: list[int]) -> float:
    shares = np.full(len(scores), 1 / len(scores))
    return standard_error(np.array(scores), shares, np.array(users))


def test_the_error_of_one_topic_per_user_is_that_of_a_mean() -> None:
    scores = [0.1, 0.4, 0.9, 0.2]
    assert error(scores, [0, 1, 2, 3]) == pytest.approx(np.std(scores, ddof=1) / sqrt(4))


def test_topics_of_a_user_go_together() -> None:
    # Means 1, 0, 1 of which two are one user's: what users add is −1/9 and 1/9.
    assert error([1, 0, 1], [0, 0, 1]) == pytest.approx(sqrt(2 / 1 * (1 / 81 + 1 / 81)))


def test_users_without_a_topic_are_not_counted() -> None:
    assert error([1, 0], [0, 7]) == pytest.approx(error([1, 0], [0, 1]))


def test_one_user_has_no_error() -> None:
    assert isnan(error([1, 0], [3, 3]))


def test_what_users_add_gives_the_error_of_the_mean() -> None:
    scores = scores_of({"a": [0.3, 0.8, 0.1, 0.5]}, users=[2, 2, 5, 7])
    entered = enter(scores, 0, 0)
    added = influence(MEAN, entered)
    known = added[~np.isnan(added)]
    assert len(known) == 3
    assert known.sum() == pytest.approx(0)
    wanted = standard_error(entered.scores, MEAN.shares(entered), entered.users)
    assert sqrt(3 / 2 * (known**2).sum()) == pytest.approx(wanted)


def test_users_who_do_not_enter_add_nothing_that_is_known() -> None:
    scores = scores_of({"a": [0.3, float("nan"), 0.1]})
    assert np.isnan(influence(MEAN, enter(scores, 0, 0))).tolist() == [False, True, False]


def test_a_segment_that_grows_by_a_user_weighs_its_topics_less() -> None:
    scores = scores_of({"a": [1.0, 0.0, 0.0, 1.0]}, **SEGMENTS)  # type: ignore[arg-type]
    entered = enter(scores, 0, 0)
    # Each segment has the mean 1/2, so that sizes do not matter: ¼ of each topic's distance.
    assert influence(MEAN, entered).tolist() == pytest.approx([0.0, -1 / 8, 1 / 8])


def test_a_topic_drawn_counts_as_a_share_of_its_segment() -> None:
    entered = enter(scores_of({"a": [1.0, 0.0, 0.0, 1.0]}, **SEGMENTS), 0, 0)  # type: ignore[arg-type]
    once, nobody = np.ones((1, 3)), np.zeros((1, 3))
    drawn = DrawnScores(entered, entered, once, nobody)
    assert drawn.units(entered).tolist() == [[1 / 2] * 4]
    assert drawn.counts.tolist() == [[1.0] * 4 + [0.0] * 4]
    twice = DrawnScores(entered, entered, np.array([[2.0, 1.0, 0.0]]), nobody)
    # The first user's two topics count twice; a segment has three topics, and two.
    assert twice.units(entered).tolist() == [pytest.approx([1 / 3, 1 / 2, 1 / 3, 1 / 2])]
    assert twice.weights[0, :4].tolist() == pytest.approx([2 / 3, 2 / 2, 1 / 3, 0])


def test_a_segment_of_which_nobody_is_drawn_counts_for_nothing() -> None:
    entered = enter(scores_of({"a": [1.0, 0.0]}, segments=[0, 1]), 0, 0)
    drawn = DrawnScores(entered, entered, np.array([[2.0, 0.0]]), np.zeros((1, 2)))
    assert drawn.units(entered).tolist() == [[1 / 2, 0.0]]


@pytest.mark.parametrize(
    ("spelling", "drawn"),
    [("mean", False), ("weighted-mean", False), ("median", True), ("URisk(baseline=a)", False)],
)
def test_random_rankings_are_drawn_where_an_average_is_no_mean(spelling: str, drawn: bool) -> None:
    assert needs_draws(parse("aggregation", spelling)) is drawn


def test_the_scores_of_a_baseline_are_found_by_its_name() -> None:
    entered = enter(scores_of({"a": [0.1, 0.2], "b": [0.3, 0.4]}), 0, 0, compared=True)
    assert baseline_scores("URisk", "b", entered).tolist() == [0.3, 0.4]
    with pytest.raises(BadParameter, match=r"baseline.*one of the systems a, b"):
        baseline_scores("URisk", "c", entered)


def test_a_system_is_not_compared_with_nothing() -> None:
    with pytest.raises(MissingFacts, match="at least two systems"):
        refuse_fewer_than_two("GeoRisk", enter(scores_of({"a": [0.1, 0.2]}), 0, 0, compared=True))
    refuse_fewer_than_two(
        "GeoRisk", enter(scores_of({"a": [0.1], "b": [0.2]}), 0, 0, compared=True)
    )


@pytest.mark.parametrize("highest", [1e-300, 0.3, 1.0, 6.0, 1e300])
def test_scaling_loses_no_digit_and_stays_below_one(highest: float) -> None:
    values = np.array([highest, highest / 3])
    found = scaled(values, highest)
    assert 0.5 <= found[0] < 1
    assert found[0] / found[1] == values[0] / values[1]


def test_a_mean_whose_topics_all_count_nothing_is_undefined() -> None:
    weighted: TransformedMean = parse("aggregation", "weighted-mean(by=test)")
    entered = enter(scores_of({"a": [0.1, 0.2]}, judged=[0, 0]), 0, 0)
    assert isnan(weighted.of_scores(entered))
