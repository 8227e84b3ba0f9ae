"""True values with users and repetitions drawn again, against loops over users."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from cranfield.significance.kernels.drawing import fill_counts
from cranfield.validity.study.drawn_truth import (
    TruthDraws,
    UserShares,
    draw_repetitions,
    draw_truth,
    ends_of,
    shares_of_first,
    user_shares,
)
from cranfield.validity.study.truthfulness import Truthfulness
from score_cases import scores_of_topics
from validity.study.test_truthfulness import designs

SHARES = UserShares(np.array([[1.0, 0.0, 2.0], [0.5, 0.0, 0.25]]), np.array([[1.0, 0, 2.0]] * 2))


def test_a_user_who_is_drawn_twice_counts_twice() -> None:
    counts = np.array([[1.0, 1, 1], [2, 0, 1], [0, 3, 0]])
    made = SHARES.values(counts)
    assert made[0].tolist() == pytest.approx([3 / 3, 0.75 / 3])
    assert made[1].tolist() == pytest.approx([(2 + 2) / (2 + 2), (1 + 0.25) / 4])
    assert np.isnan(made[2]).all()


def test_draws_are_means_over_drawn_users() -> None:
    """A loop over the same counts; the middle user has no topic and is never drawn."""
    drawn = draw_truth([SHARES], Seeds(7), draws=50)
    counts = np.empty((50, 2))
    fill_counts(np.uint64(Seeds(7).key("truth", "users")), 0, counts)
    for draw, (first, last) in enumerate(counts):
        weight = first * 1.0 + last * 2.0
        wanted = [(first * 1.0 + last * 2.0) / weight, (first * 0.5 + last * 0.25) / weight]
        assert drawn[draw, 0].tolist() == pytest.approx(wanted)


def test_all_parts_draw_the_same_users() -> None:
    drawn = draw_truth([SHARES, SHARES], Seeds(1), draws=20)
    assert np.array_equal(drawn[:, 0], drawn[:, 1])
    assert not np.array_equal(drawn[0], drawn[1])


def test_users_keep_their_shares_among_more_of_them() -> None:
    among = SHARES.among(np.array([4, 0, 2], dtype=np.int32), 5)
    assert among.sums[0].tolist() == [0, 0, 2, 0, 1]
    again = draw_truth([among], Seeds(3), draws=30)
    assert again.shape == (30, 1, 2)
    assert again.min() >= 0.125


@given(scores_of_topics())
def test_shares_add_up_to_the_mean(scores: Scores) -> None:
    entered = enter(scores, 0, 0)
    if not len(entered):
        return
    made = user_shares([entered], len(scores.user_ids))
    mean = float(entered.weights @ entered.scores)
    assert made.sums.sum() / made.weights.sum() == pytest.approx(mean)
    assert not made.sums[:, made.weights[0] == 0].any()


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_repetitions_of_a_label_are_drawn_together_and_as_many_as_there_are(
    seed: int, labels: int
) -> None:
    of_designs = np.tile(np.arange(labels), 3)
    drawn = draw_repetitions(of_designs, Seeds(seed), draws=10)
    parts = drawn.reshape(10, 3, labels)
    assert (parts == parts[:, :1]).all()
    assert (parts[:, 0].sum(axis=1) == labels).all()


def test_means_of_groups_leave_out_what_is_undefined_or_not_drawn() -> None:
    weights = np.array([[1.0, 1, 1], [2, 0, 1], [0, 0, 1]])
    values = np.array([[0.2, 0.4, np.nan]])
    groups = [np.array([0, 1]), np.array([2])]
    made = TruthDraws(weights).means(values, groups)
    assert made[:2, 0].tolist() == pytest.approx([0.3, 0.2])
    assert np.isnan(made[2, 0])
    assert np.isnan(made[:, 1]).all()


def test_the_ends_hold_95_percent_of_the_draws() -> None:
    drawn = np.arange(1001, dtype=np.float64)[:, None] * np.array([1.0, np.nan])
    low, high = ends_of(drawn)
    assert (low[0], high[0]) == pytest.approx((25, 975))
    assert np.isnan([low[1], high[1]]).all()


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3), min_size=1))
def test_shares_of_the_first_place_add_up_and_follow_the_counts(rows: list[list[float]]) -> None:
    found = shares_of_first(np.array(rows))
    wanted: Counter[int] = Counter()
    for row in rows:
        best = [place for place, value in enumerate(row) if value == max(row)]
        for place in best:
            wanted[place] += 1 / len(best) / len(rows)  # type: ignore[assignment]
    assert found.tolist() == pytest.approx([wanted[place] for place in range(3)])
    assert found.sum() == pytest.approx(1)


def test_nobody_is_first_where_nothing_is_defined() -> None:
    assert np.isnan(shares_of_first(np.full((2, 2), np.nan))).all()


def test_agreement_and_distance_have_intervals_from_the_draws() -> None:
    """Three draws of the truth, worked by hand: the second swaps the last two systems."""
    truth = np.array([[0.4, 0.2, 0.1], [0.4, 0.1, 0.2], [0.5, 0.2, 0.1]])
    values = [[0.4, 0.2, 0.1], [0.1, 0.2, 0.4]]
    drawn = np.repeat(truth[:, None], 2, axis=1)
    made = Truthfulness(
        designs(values, split=["x", "y"]),
        drawn[0],
        np.array([True, False]),
        draws=TruthDraws(np.ones((3, 2)), drawn),
    )
    assert made.drawn_agreement[:, 0].tolist() == pytest.approx([1, 1 / 3, 1])
    assert made.drawn_agreement[:, 1].tolist() == pytest.approx([-1, -1 / 3, -1])
    table = made.by_design()
    row = table.row(0, named=True)
    assert row["split"] == "x"
    assert row["tau_low"] == pytest.approx(np.quantile([1, 1 / 3, 1], 0.025))
    assert row["tau_high"] == pytest.approx(1)
    distances = [0, 0.2 / 3, 0.1 / 3]
    assert row["distance_high"] == pytest.approx(np.quantile(distances, 0.975))
    assert table["nearest"].to_list() == [1, 0]
    assert np.isnan(made.table()["distance_low"][1])


def test_without_draws_there_are_no_intervals() -> None:
    made = Truthfulness(
        designs([[1.0, 2.0]], split=["x"]), np.array([[0.1, 0.2]]), np.array([True])
    )
    assert "tau_low" not in made.by_design().columns
