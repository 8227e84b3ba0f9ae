"""Who is compared: one score per user, the same users for all systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.samples.pairing import pair_users
from score_cases import N, U, scores_of


def test_topics_of_one_user_are_averaged_first() -> None:
    scores = scores_of({"a": [0.2, 0.4, 1.0], "b": [0.0, 0.0, 0.5]}, users=[3, 3, 7])
    found = pair_users(scores)
    np.testing.assert_allclose(found.of(0), [[(0.2 + 0.4) / 2, 1.0], [0.0, 0.5]])


def test_a_user_with_more_topics_counts_more() -> None:
    scores = scores_of({"a": [0.2, 0.4, 1.0], "b": [0.0, 0.0, 0.5]}, users=[3, 3, 7])
    assert pair_users(scores).shares(0).tolist() == pytest.approx([2 / 3, 1 / 3])


def test_a_user_undefined_for_one_system_enters_the_value_of_the_other_alone() -> None:
    found = pair_users(scores_of({"a": [0.2, U, 0.3], "b": [0.1, 0.9, 0.5]}))
    assert found.of(0).tolist() == [[0.2, 0.3], [0.1, 0.5]]
    assert found.users.tolist() == [2]
    assert found.compared(0) == 3
    assert found.unequal(0)
    assert found.shown(0).tolist() == pytest.approx([0.5 / 2, 1.5 / 3])


def test_or_scores_zero_where_undefined_if_so_decided() -> None:
    found = pair_users(scores_of({"a": [0.2, U], "b": [0.1, 0.9]}), SummaryChoice(undefined="zero"))
    assert found.of(0).tolist() == [[0.2, 0.0], [0.1, 0.9]]


def test_a_user_without_a_list_scores_zero() -> None:
    found = pair_users(scores_of({"a": [0.2, N], "b": [0.1, 0.9]}))
    assert found.of(0).tolist() == [[0.2, 0.0], [0.1, 0.9]]


def test_or_is_left_out_for_all_if_so_decided() -> None:
    scores = scores_of({"a": [0.2, N, 0.4], "b": [0.1, 0.9, 0.8]})
    assert pair_users(scores, SummaryChoice(coverage="common")).of(0).tolist() == [
        [0.2, 0.4],
        [0.1, 0.8],
    ]


def test_differences_by_rounding_alone_are_none() -> None:
    found = pair_users(scores_of({"a": [0.1 + 0.2, 0.5], "b": [0.3, 0.4]}))
    assert 0.1 + 0.2 != 0.3
    assert found.differences(0, (0, 1)).tolist() == [0.0, 0.5 - 0.4]


def test_a_single_system_is_refused() -> None:
    with pytest.raises(
        CranfieldError, match=r"there is one system, a\. Give the scores of at least"
    ):
        pair_users(scores_of({"a": [0.1, 0.2]}))


@pytest.mark.parametrize("second", [[0.1], [0.1, U]])
def test_fewer_than_two_users_are_refused(second: list[float]) -> None:
    scores = scores_of({"a": second, "b": second})
    with pytest.raises(CranfieldError, match=r"P@10: 1 of [12] users can be compared"):
        pair_users(scores)


def test_a_system_without_any_score_is_refused_by_name() -> None:
    with pytest.raises(CranfieldError, match="P@10: b has no value, as no user has a score"):
        pair_users(scores_of({"a": [0.3, 0.2], "b": [U, U]}))


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(CranfieldError, match="a score is infinite"):
        pair_users(scores_of({"a": [0.3, float("inf")], "b": [0.1, 0.2]}))


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(CranfieldError, match="P@5"):
        pair_users(scores_of({"a": [0.3, 0.2], "b": [0.1, 0.2]}), metrics=("P@5",))


def test_metrics_are_chosen_by_name() -> None:
    scores = scores_of({"a": [0.3, 0.2], "b": [0.1, 0.2]})
    double = replace(scores, metrics=("P@10", "RR"), values=np.repeat(scores.values, 2, axis=1))
    assert pair_users(double, metrics=("RR",)).metrics == ("RR",)


def test_no_system_at_all_is_not_called_one() -> None:
    none = scores_of({"a": [0.1, 0.2]})
    empty = replace(none, systems=(), values=none.values[:0], covered=none.covered[:0])
    with pytest.raises(CranfieldError, match=r"there is no system\. Give the scores of at least"):
        pair_users(empty)


def test_shares_add_up_and_follow_the_weights() -> None:
    found = pair_users(scores_of({"a": [0.1, U, 0.3], "b": [0.2, U, 0.4]}))
    assert found.shares(0).tolist() == [1 / 2, 1 / 2]
    # the user who is left out weighs nothing: 1/(1 + 3) and 3/(1 + 3)
    weighed = replace(found, weights=np.array([[1.0, 5.0, 3.0]]))
    assert weighed.shares(0).tolist() == [1 / 4, 3 / 4]


def test_means_of_linearised_scores_are_the_values() -> None:
    scores = scores_of({"a": [0.2, 0.4, 1.0], "b": [0.0, 0.1, 0.5]}, users=[3, 3, 7])
    found = pair_users(scores)
    np.testing.assert_allclose(found.linearised(0).mean(axis=1), [1.6 / 3, 0.6 / 3])
    np.testing.assert_allclose(found.contributions[:, 0].mean(axis=1), [1.6 / 3, 0.6 / 3])


def test_users_that_are_taken_keep_their_weights() -> None:
    scores = scores_of({"a": [0.1, U, 0.3, 0.4], "b": [0.2, U, 0.5, 0.4]})
    weighed = replace(pair_users(scores), weights=np.array([[4.0, 3.0, 2.0, 1.0]]))
    found = weighed.take(np.array([0, 1, 3]))
    assert found.of(0).tolist() == [[0.1, 0.4], [0.2, 0.4]]
    assert found.shares(0).tolist() == [4 / 5, 1 / 5]


def test_a_score_that_the_aggregation_has_no_value_for_is_refused() -> None:
    choice = SummaryChoice(aggregation=parse("aggregation", "geometric-mean"))
    with pytest.raises(CranfieldError, match=r"a score is -0\.5, for which there is no geometric"):
        pair_users(scores_of({"a": [-0.5, 0.2], "b": [0.1, 0.2]}), choice)
