"""Who is compared: one score per user, the same users for all systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError
from cranfield.significance.samples import pair_users
from score_cases import N, U, scores_of


def test_topics_of_one_user_are_averaged_first() -> None:
    scores = scores_of({"a": [0.2, 0.4, 1.0], "b": [0.0, 0.0, 0.5]}, users=[3, 3, 7])
    found = pair_users(scores)
    np.testing.assert_allclose(found.of(0), [[(0.2 + 0.4) / 2, 1.0], [0.0, 0.5]])


def test_a_user_undefined_for_one_system_is_left_out_for_all() -> None:
    found = pair_users(scores_of({"a": [0.2, U, 0.3], "b": [0.1, 0.9, 0.5]}))
    assert found.of(0).tolist() == [[0.2, 0.3], [0.1, 0.5]]
    assert found.users.tolist() == [2]


def test_or_scores_zero_where_undefined_if_so_decided() -> None:
    found = pair_users(scores_of({"a": [0.2, U], "b": [0.1, 0.9]}), undefined="zero")
    assert found.of(0).tolist() == [[0.2, 0.0], [0.1, 0.9]]


def test_a_user_without_a_list_scores_zero() -> None:
    found = pair_users(scores_of({"a": [0.2, N], "b": [0.1, 0.9]}))
    assert found.of(0).tolist() == [[0.2, 0.0], [0.1, 0.9]]


def test_or_is_left_out_for_all_if_so_decided() -> None:
    scores = scores_of({"a": [0.2, N, 0.4], "b": [0.1, 0.9, 0.8]})
    assert pair_users(scores, coverage="common").of(0).tolist() == [[0.2, 0.4], [0.1, 0.8]]


def test_differences_by_rounding_alone_are_none() -> None:
    found = pair_users(scores_of({"a": [0.1 + 0.2, 0.5], "b": [0.3, 0.4]}))
    assert 0.1 + 0.2 != 0.3
    assert found.differences(0, (0, 1)).tolist() == [0.0, 0.5 - 0.4]


def test_a_single_system_is_refused() -> None:
    with pytest.raises(
        CranfieldError, match=r"there is one system, a\. Give the scores of at least"
    ):
        pair_users(scores_of({"a": [0.1, 0.2]}))


@pytest.mark.parametrize("second", [[0.1], [0.1, U], [U, U]])
def test_fewer_than_two_users_are_refused(second: list[float]) -> None:
    scores = scores_of({"a": [0.3] * len(second), "b": second})
    with pytest.raises(CranfieldError, match=r"P@10: [01] of [12] users can be compared"):
        pair_users(scores)


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(CranfieldError, match="a score is infinite"):
        pair_users(scores_of({"a": [0.3, float("inf")], "b": [0.1, 0.2]}))


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(CranfieldError, match="P@5"):
        pair_users(scores_of({"a": [0.3, 0.2], "b": [0.1, 0.2]}), ("P@5",))


def test_metrics_are_chosen_by_name() -> None:
    scores = scores_of({"a": [0.3, 0.2], "b": [0.1, 0.2]})
    double = replace(scores, metrics=("P@10", "RR"), values=np.repeat(scores.values, 2, axis=1))
    assert pair_users(double, ("RR",)).metrics == ("RR",)


def test_no_system_at_all_is_not_called_one() -> None:
    none = scores_of({"a": [0.1, 0.2]})
    empty = replace(none, systems=(), values=none.values[:0], covered=none.covered[:0])
    with pytest.raises(CranfieldError, match=r"there is no system\. Give the scores of at least"):
        pair_users(empty)


def test_shares_add_up_and_follow_the_weights() -> None:
    found = pair_users(scores_of({"a": [0.1, U, 0.3], "b": [0.2, 0.1, 0.4]}))
    assert found.shares(0).tolist() == [1 / 2, 1 / 2]
    # the user who is left out weighs nothing: 1/(1 + 3) and 3/(1 + 3)
    weighed = replace(found, weights=np.array([1.0, 5.0, 3.0]))
    assert weighed.shares(0).tolist() == [1 / 4, 3 / 4]


def test_users_that_are_taken_keep_what_is_known_of_them() -> None:
    scores = scores_of({"a": [0.1, U, 0.3, 0.4], "b": [0.2, 0.1, 0.5, 0.4]}, judged=[4, 3, 2, 1])
    found = pair_users(scores).take(np.array([0, 1, 3]))
    assert found.of(0).tolist() == [[0.1, 0.4], [0.2, 0.4]]
    assert found.judged is not None
    assert found.judged.tolist() == [4, 3, 1]
    assert found.relevant is None
