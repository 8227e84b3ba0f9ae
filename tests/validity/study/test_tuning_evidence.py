"""Did tuning decide it? What the smallest and the largest budget say of a pair."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from cranfield.validity.study.designs import Designs
from cranfield.validity.study.tuning_evidence import BUDGET, tuning_evidence


def said(budgets: list[float] | list[str], differences: list[float], name: str = BUDGET) -> str:
    """The sentence on a pair whose first system is ahead by so much in each design."""
    values = np.array([[0.5 + each, 0.5] for each in differences])
    unknown = np.full((len(differences), 1), np.nan)
    users = np.ones(len(differences), dtype=np.int64)
    made = Designs(pl.DataFrame({name: budgets}), ("A", "B"), values, unknown, unknown, users)
    return " ".join(tuning_evidence(made, "A", "B"))


def test_another_leader_with_more_trials_means_that_tuning_decided() -> None:
    assert said([1.0, 5.0, 20.0], [0.1, 0.1, -0.1]) == (
        "Tuning decided it: with their defaults, A scores more than B; tuned by 20 trials each, "
        "B scores more than A."
    )


def test_the_same_leader_means_that_it_did_not() -> None:
    assert said([2.0, 2.0, 2.0, 9.0, 9.0, 9.0], [-1, -1, 1, -1, -1, -1]) == (
        "Tuning did not decide it: B scores more than A tuned by 2 trials each in 2 of 3 designs, "
        "and tuned by 9 trials each in 3 of 3 designs."
    )


def test_a_lead_that_is_lost_or_won_matters() -> None:
    assert said([1.0, 1.0, 9.0, 9.0], [1, 1, 1, -1]) == (
        "Tuning matters: with their defaults, A scores more than B in 2 of 2 designs; tuned by 9 "
        "trials each, neither scores more in most designs."
    )
    assert said([1.0, 9.0], [0, -1]) == (
        "Tuning matters: with their defaults, neither scores more in most designs; tuned by 9 "
        "trials each, B scores more than A."
    )


@pytest.mark.parametrize(
    ("budgets", "differences"),
    [
        ([1.0, 1.0], [0.1, -0.1]),
        ([1.0, 9.0], [0.0, 0.0]),
        ([1.0, 9.0], [np.nan, 0.1]),
        (["1", "{A: 3}"], [0.1, -0.1]),
    ],
)
def test_nothing_is_said_where_nothing_is_known(
    budgets: list[float] | list[str], differences: list[float]
) -> None:
    assert said(budgets, differences) == ""
    assert said([1.0, 9.0], [0.1, -0.1], name="cutoff") == ""
