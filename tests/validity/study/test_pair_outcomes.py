from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import nan

from cranfield.base.errors import BadParameter, TooFew
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.pair_outcomes import (
    count,
    count_pairs,
    pair_of_interest,
    pair_outcomes,
    specification_curve,
)
from design_cases import crossed, designs_of
from suites import tries

FIVE = pl.DataFrame({"cutoff": [5, 10, 20, 50, 100]})

values = st.sampled_from([0.0, 0.25, 0.5, nan])
universes = st.lists(
    st.tuples(values, values, values, st.sampled_from([0.001, 0.049, 0.05, 0.5, nan])),
    min_size=1,
    max_size=12,
)


def made(rows: list[tuple[float, ...]]) -> Designs:
    numbers = pl.DataFrame({"seed": list(range(len(rows)))})
    p_values = np.array([[row[3]] * 3 for row in rows])
    return designs_of(numbers, [row[:3] for row in rows], p_values)


def test_wins_losses_ties_and_undefined_designs_are_counted() -> None:
    designs = designs_of(
        FIVE,
        [[0.5, 0.3], [0.5, 0.4], [0.2, 0.3], [0.3, 0.3], [0.3, nan]],
        np.array([[0.01], [0.2], [0.04], [1.0], [nan]]),
    )
    found = count(pair_outcomes(designs, "AB"))
    assert (found.wins, found.losses, found.ties, found.undefined) == (2, 1, 1, 1)
    assert (found.significant_wins, found.significant_losses) == (1, 1)
    assert found.flips_sign
    assert found.reversed_significantly
    # effects are 0.2, 0.1, −0.1, 0: the median is (0 + 0.1)/2
    assert found.median_effect == pytest.approx((0 + 0.1) / 2)


def test_a_p_value_at_the_level_is_significant_only_if_it_allows_for_all_designs() -> None:
    designs = designs_of(FIVE[:1], [[0.5, 0.3]], 0.05)
    found = count(pair_outcomes(designs, "AB"))
    assert (found.significant_wins, found.established_wins) == (0, 1)  # p_adjusted ≤ α


def test_values_that_differ_by_rounding_alone_tie() -> None:
    designs = designs_of(FIVE[:1], [[0.1 + 0.2, 0.3]])
    assert count(pair_outcomes(designs, "AB")).ties == 1


def test_wins_are_established_allowing_for_all_designs() -> None:
    designs = designs_of(
        FIVE[:2], [[0.5, 0.3], [0.5, 0.3]], 0.01,
        adjusted=np.array([[0.03], [0.3]]), joint=np.array([0.03]),
    )  # fmt: skip
    found = count(pair_outcomes(designs, "AB"))
    assert (found.significant_wins, found.established_wins, found.established_losses) == (2, 1, 0)
    assert found.joint_p == 0.03


@settings(deadline=None, max_examples=tries(100))
@given(universes)
def test_counts_add_up_and_turning_a_pair_mirrors_them(rows: list[tuple[float, ...]]) -> None:
    designs = made(rows)
    for one, two in ("AB", "AC", "BC"):
        found, mirrored = (
            count(pair_outcomes(designs, (one, two))),
            count(pair_outcomes(designs, (two, one))),
        )
        assert found.wins + found.losses + found.ties + found.undefined == len(rows)
        assert found.significant_wins <= found.wins
        assert found.significant_losses <= found.losses
        assert (mirrored.wins, mirrored.losses) == (found.losses, found.wins)
        assert mirrored.significant_wins == found.significant_losses
        assert mirrored.flips_sign == found.flips_sign


@settings(deadline=None, max_examples=tries(50))
@given(universes)
def test_all_pairs_are_counted_as_each_alone(rows: list[tuple[float, ...]]) -> None:
    designs = made(rows)
    alone = [count(pair_outcomes(designs, pair)) for pair in ("AB", "AC", "BC")]
    assert list(count_pairs(designs)) == alone


@settings(deadline=None, max_examples=tries(50))
@given(universes)
def test_the_curve_holds_every_design_once_and_rises(rows: list[tuple[float, ...]]) -> None:
    pair = pair_outcomes(made(rows), "AB")
    curve = specification_curve(pair)
    assert curve["place"].to_list() == list(range(1, len(rows) + 1))
    assert sorted(curve["design"].to_list()) == list(range(len(rows)))
    known = curve["effect"].drop_nulls()
    assert known.is_sorted()
    assert curve["effect"].head(len(known)).null_count() == 0
    assert curve["significant"].sum() == np.count_nonzero(pair.significant)


def test_the_curve_shows_the_answers_of_each_design() -> None:
    designs = designs_of(FIVE[:3], [[0.5, 0.3], [0.2, 0.3], [0.4, 0.3]], base=1)
    curve = specification_curve(pair_outcomes(designs, "AB"))
    assert curve["cutoff"].to_list() == [10, 20, 5]
    assert curve["winner"].to_list() == ["second", "first", "first"]
    assert curve["base"].to_list() == [True, False, False]
    assert curve["established"].to_list() == [True] * 3
    untested = replace(designs, adjusted=None)
    curve = specification_curve(pair_outcomes(untested, "AB"))
    assert curve["established"].null_count() == 3


def test_shares_of_designs_are_by_the_weights_of_their_answers() -> None:
    designs = designs_of(
        FIVE[:3], [[0.5, 0.3], [0.2, 0.3], [0.4, 0.3]], np.array([[0.01], [0.01], [0.3]]),
        weights=np.array([3.0, 2.0, 1.0]),
    )  # fmt: skip
    found = count(pair_outcomes(designs, "AB"))
    assert (found.wins, found.win_share, found.loss_share) == (2, (3 + 1) / 6, 2 / 6)
    assert (found.established_wins, found.established_win_share) == (1, 3 / 6)
    assert (found.established_losses, found.established_loss_share) == (1, 2 / 6)


def test_a_decision_called_like_a_column_of_the_curve_stays_apart() -> None:
    designs = designs_of(pl.DataFrame({"effect": [1, 2]}), [[0.5, 0.3], [0.2, 0.3]])
    assert specification_curve(pair_outcomes(designs, "AB"))["decision effect"].to_list() == [2, 1]


def test_the_pair_of_interest_is_the_best_two_of_the_base() -> None:
    values = [[0.1, 0.5, 0.4], [0.9, 0.1, 0.2], [0.9, 0.1, 0.2]]
    assert pair_of_interest(designs_of(FIVE[:3], values, base=0)) == ("B", "C")
    # mean ranks are (3 + 1 + 1)/3, (1 + 3 + 3)/3, (2 + 2 + 2)/3
    assert pair_of_interest(designs_of(FIVE[:3], values)) == ("A", "C")


def test_one_system_makes_no_pair() -> None:
    with pytest.raises(TooFew, match="2 systems"):
        pair_of_interest(designs_of(FIVE[:1], [[0.5]]))


@pytest.mark.parametrize("pair", [("A", "X"), ("A", "A"), ("A",)])
def test_a_pair_must_be_two_systems_of_the_study(pair: tuple[str, ...]) -> None:
    with pytest.raises(BadParameter, match="A, B"):
        pair_outcomes(designs_of(crossed({"cutoff": [5]}), [[0.5, 0.3]]), pair)


def test_a_median_between_infinities_is_unknown_and_warns_nobody() -> None:
    effects = np.array([[np.inf], [-np.inf]])
    designs = designs_of(FIVE[:2], [[0.5, 0.3], [0.2, 0.3]], effects=effects)
    assert count(pair_outcomes(designs, "AB")).median_effect is None
    three = designs_of(FIVE[:3], [[0.5, 0.3]] * 3, effects=np.array([[np.inf], [np.inf], [0.1]]))
    assert count(pair_outcomes(three, "AB")).median_effect == np.inf


def test_designs_with_values_and_no_p_value_are_counted_as_untested() -> None:
    designs = designs_of(
        FIVE[:4], [[0.5, 0.3], [0.5, 0.3], [nan, 0.3], [0.3, 0.3]],
        np.array([[0.01], [nan], [nan], [nan]]),
    )  # fmt: skip
    found = count(pair_outcomes(designs, "AB"))
    assert (found.untested, found.undefined, found.tested) == (2, 1, 1)


@pytest.mark.parametrize(
    ("leads", "p_values", "flips", "reversed_"),
    [
        ([0.1, 0.1], [0.01, 0.01], False, False),
        ([0.1, -0.1], [0.01, 0.01], True, True),
        ([0.1, -0.1], [0.01, 0.6], True, False),
        ([0.1, -0.1], [0.6, 0.01], True, False),
        ([-0.1, -0.1], [0.01, 0.01], False, False),
        ([0.1, 0.0], [0.01, 0.01], False, False),
    ],
)
def test_a_flip_is_a_reversal_if_both_win_significantly(
    leads: list[float], p_values: list[float], flips: bool, reversed_: bool
) -> None:
    designs = designs_of(
        FIVE[:2], [[0.5 + lead, 0.5] for lead in leads], np.array(p_values)[:, None]
    )
    found = count(pair_outcomes(designs, "AB"))
    assert (found.flips_sign, found.reversed_significantly) == (flips, reversed_)


def test_significance_is_below_the_level_and_not_at_it() -> None:
    designs = designs_of(FIVE[:2], [[0.5, 0.4]] * 2, np.array([[0.01], [0.0099]]), alpha=0.01)
    assert pair_outcomes(designs, "AB").significant.tolist() == [0, 1]


@settings(deadline=None, max_examples=tries(50))
@given(universes)
def test_turning_twice_changes_nothing(rows: list[tuple[float, ...]]) -> None:
    pair = pair_outcomes(made(rows), "AB")
    again = pair.turned().turned()
    assert (again.first, again.second) == (pair.first, pair.second)
    assert np.array_equal(again.differences, pair.differences, equal_nan=True)
    assert again.winners.tolist() == pair.winners.tolist()
    assert pair.turned().winners.tolist() == (-pair.winners).tolist()
    assert pair.turned().established.tolist() == (-pair.established).tolist()


@settings(deadline=None, max_examples=tries(50))
@given(universes)
def test_who_wins_significantly_wins(rows: list[tuple[float, ...]]) -> None:
    pair = pair_outcomes(made(rows), "AC")
    clear = pair.significant != 0
    assert (pair.significant[clear] == pair.winners[clear]).all()
    assert not (clear & ~pair.defined).any()
