"""What users add to a difference, design by design, and the joint test of all of it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from cranfield.base.ids import Ids
from cranfield.significance.contrast import contrast_of
from cranfield.significance.pairing import pair_users
from cranfield.workbench.execution import contributions
from cranfield.workbench.execution.contributions import Contribution, joint_test_of
from experiment_cases import study_of
from score_cases import U, scores_of

SCORES = scores_of({"a": [0.9, 0.5, U, 0.2], "b": [0.5, 0.5, U, 0.6]})
STUDY = study_of({"vary": {"cutoff": [3, 5]}, "draws": 200})


def added(design: int = 0, pair: tuple[str, str] = ("a", "b")) -> Contribution:
    found = contrast_of(pair_users(SCORES), SCORES, 0, pair)
    assert found.contributions is not None
    return Contribution(design, SCORES.user_ids, found.users, found.contributions)


def test_every_user_adds_a_share_of_the_mean_difference() -> None:
    assert added().users.tolist() == [0, 1, 2, 3]
    assert added().shares.tolist() == pytest.approx([0.4 / 3, 0.0, 0.0, -0.4 / 3])


def test_the_other_way_round_everything_has_the_other_sign() -> None:
    one, other = added().shares, added(pair=("b", "a")).shares
    assert one.tolist() == pytest.approx((-other).tolist())


def test_designs_with_other_users_are_tested_together(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(contributions, "joint_test", lambda *given, **_: seen.append(given))
    ids = [Ids(pl.Series(["u1", "u2"])), Ids(pl.Series(["u2", "u3"]))]
    found = [
        Contribution(0, ids[0], np.array([0, 1], np.int32), np.array([0.25, -0.5])),
        Contribution(2, ids[1], np.array([1], np.int32), np.array([0.125])),
    ]
    joint_test_of(STUDY, found, np.array([2, 0, 1]))
    [(matrix, users)] = seen
    # u1, u2 and u3 in the rows; who is not in a design adds nothing, a design without
    # contributions is undefined
    assert matrix[:, 0].tolist() == [0.25, -0.5, 0.0]
    assert np.isnan(matrix[:, 1]).all()
    assert matrix[:, 2].tolist() == [0.0, 0.0, 0.125]
    assert users.tolist() == [2, 0, 1]


def test_without_contributions_or_room_there_is_no_joint_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [added()]
    assert joint_test_of(STUDY, [], np.array([3])) is None
    assert joint_test_of(STUDY, found, np.array([3])) is not None
    monkeypatch.setattr(contributions, "MOST", 3)
    assert joint_test_of(STUDY, found, np.array([3])) is None


def test_the_same_seed_gives_the_same_joint_test() -> None:
    found = [added(0), added(1)]
    one, other = (joint_test_of(STUDY, found, np.array([3, 3])) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.p_value == other.p_value
    assert one.adjusted.tolist() == other.adjusted.tolist()
