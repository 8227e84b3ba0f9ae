"""What a study may repeat, and by which seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import BadExperiment
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.definition.study.repeat import Repeat
from cranfield.workbench.definition.study.study import Study
from experiment_cases import study_of

VARY = {"cutoff": [3, 5]}
RUN = {"user": [1], "item": [2], "score": [0.5]}


def repeating(repeat: object, **changes: Any) -> Study:
    return study_of({"vary": VARY, "repeat": repeat}, **changes)


def test_a_study_repeats_nothing_unless_it_is_asked_to() -> None:
    assert study_of({"vary": VARY}).repeat is None


def test_it_is_written_as_it_is_read() -> None:
    study = repeating({"split_seeds": 5, "fit_seeds": 3})
    assert study.repeat == Repeat(split_seeds=5, fit_seeds=3)
    assert study.to_table()["study"]["repeat"] == {"split_seeds": 5, "fit_seeds": 3}


def test_the_first_repeat_is_the_base_and_no_other_fit_shares_a_seed() -> None:
    seeds = Repeat(split_seeds=4, fit_seeds=3).seeds(11)
    assert seeds[0][0] == seeds[0][1][0] == 11
    assert [split for split, _ in seeds] == [fits[0] for _, fits in seeds] == [11, 12, 13, 14]
    assert len({seed for _, fits in seeds for seed in fits}) == 12


@pytest.mark.parametrize(
    ("repeat", "changes", "problem"),
    [
        ({}, {}, "study.repeat: one split and one fit repeat nothing"),
        (
            {"split_seeds": 0},
            {},
            "study.repeat.split_seeds: 0 is not a whole number from 1 to",
        ),
        ({"splits": 5}, {}, 'no decision "splits"'),
        ({"split_seeds": 3}, {"aggregation": "median"}, "it needs a mean, and median is not one"),
        ({"fit_seeds": 3}, {"runs": {"mine": RUN}}, "runs cannot be fitted again: mine"),
        (
            {"split_seeds": 3},
            {"data": None, "split": "given(train=a.csv, test=b.csv)"},
            "study.repeat.split_seeds: the parts of a given split are one split",
        ),
    ],
)
def test_what_cannot_be_repeated_is_refused(
    repeat: object, changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(BadExperiment) as caught:
        repeating(repeat, **changes)
    assert problem in str(caught.value)


def test_a_model_that_is_given_fitted_is_refused() -> None:
    model = adapt(lambda train, users: np.zeros((len(users), train.n_items)), fitted=True, name="m")
    with pytest.raises(BadExperiment, match="is not fitted again: Mine"):
        repeating({"split_seeds": 3}, systems={"Mine": model, "Random": "Random"})
