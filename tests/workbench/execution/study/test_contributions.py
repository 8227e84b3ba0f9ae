"""How users move designs: which are the same, the joint test of all, and other users."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.significance.samples.pairing import pair_users
from cranfield.workbench.execution.study.contributions import Contributions, _union
from experiment_cases import study_of
from score_cases import scores_of

GENERATED = np.random.default_rng(3).random((3, 20))
SCORES = scores_of({name: row.tolist() for name, row in zip("abc", GENERATED, strict=True)})
SYSTEMS = {"a": "Random", "b": "Popularity", "c": "user-kNN"}


def contributions(designs: int, pair: tuple[str, str] = ("a", "b"), **asked: Any) -> Contributions:
    study = study_of({"vary": {"cutoff": [3, 5]}, "draws": 300, **asked}, systems=SYSTEMS)
    return Contributions(study, pair, designs)


def add(found: Contributions, design: int, scores: Scores, **given: Any) -> None:
    if "aggregation" in given:
        given["aggregation"] = parse("aggregation", given["aggregation"])
    choice = SummaryChoice(**given)
    values = np.array([row.value for row in summarise(scores, choice).rows])
    found.add(design, values, scores, pair_users(scores, choice))


def test_designs_are_the_same_if_no_value_and_no_contribution_differs_in_any_bit() -> None:
    found = contributions(6)
    nudged = SCORES.values.copy()
    nudged[2, 0, 7] += 1e-12
    add(found, 0, SCORES)
    add(found, 1, SCORES, coverage="common")  # everybody is covered
    add(found, 2, replace(SCORES, values=nudged))  # one score of c
    add(found, 3, SCORES, aggregation="median")
    add(found, 4, SCORES, aggregation="median", coverage="forgiving")
    add(found, 5, SCORES, undefined="zero")
    assert found.same_as.tolist() == [0, 0, 2, 3, 3, 0]


def test_the_same_scores_of_other_users_are_another_design() -> None:
    found = contributions(2)
    others = replace(SCORES, user_ids=Ids(pl.Series([f"v{n:02}" for n in range(20)])))
    add(found, 0, SCORES)
    add(found, 1, others)
    assert found.same_as.tolist() == [0, 1]
    joint = found.test([(0, 1)])
    assert joint is not None
    assert joint.tested == 2  # 40 users, of whom each design has half


def test_the_pair_of_interest_is_tested_in_every_distinct_design() -> None:
    found = contributions(3)
    add(found, 0, SCORES)
    add(found, 1, SCORES, coverage="common")
    add(found, 2, SCORES, aggregation="median")
    joint = found.test([(0, 1)])
    assert joint is not None
    difference = GENERATED[0] - GENERATED[1]
    assert np.isnan(joint.adjusted).tolist() == [False, True, False]
    assert joint.statistics[0] == pytest.approx(
        difference.sum() / np.sqrt((difference * difference).sum())
    )
    medians = np.median(GENERATED, axis=1)
    assert joint.statistics[2] * joint.scales[2] == pytest.approx(medians[0] - medians[1])


@pytest.mark.parametrize("aggregation", ["mean", "median"])
def test_all_pairs_are_tested_on_request_and_turned_as_asked(aggregation: str) -> None:
    found = contributions(1, ("c", "a"), joint_family="all-pairs")
    add(found, 0, SCORES, aggregation=aggregation)
    pairs = [(0, 1), (0, 2), (1, 2)]
    joint, turned = found.test(pairs), found.test([pair[::-1] for pair in pairs])
    assert joint is not None
    assert turned is not None
    assert joint.tested == 3
    assert joint.statistics == pytest.approx(-turned.statistics)
    assert joint.adjusted.tolist() == turned.adjusted.tolist()
    median = aggregation == "median"
    values = np.median(GENERATED, axis=1) if median else GENERATED.mean(axis=1)
    expected = [values[one] - values[two] for one, two in pairs]
    assert joint.statistics * joint.scales == pytest.approx(expected)


def test_users_are_drawn_again_in_every_distinct_design() -> None:
    found = contributions(3)
    add(found, 0, SCORES)
    add(found, 1, SCORES)
    add(found, 2, SCORES, aggregation="median")
    made = found.resample(1, np.array([0.0, 0.0, 0.1]))
    assert made.effects.shape == (1001, 2)
    difference = GENERATED[0] - GENERATED[1]
    assert made.effects[0, 0] == pytest.approx(difference.mean() / difference.std(ddof=1))
    medians = np.median(GENERATED, axis=1)
    assert made.effects[0, 1] == pytest.approx((medians[0] - medians[1]) / (0.1 * np.sqrt(20)))
    assert made.taus[:, 0] == pytest.approx(1)  # the base itself


def test_without_a_design_that_can_be_tested_there_is_no_joint_test() -> None:
    found = contributions(2)
    assert found.test([(0, 1)]) is None
    assert not found.resample(None, np.full(2, np.nan)).known.any()


def test_the_same_seed_gives_the_same_joint_test() -> None:
    def made() -> Any:
        found = contributions(2)
        add(found, 0, SCORES)
        add(found, 1, SCORES, aggregation="median")
        joint = found.test([(0, 1)])
        assert joint is not None
        return joint.adjusted.tolist(), joint.critical

    assert made() == made()


def test_users_of_several_designs_are_those_of_any() -> None:
    one, same, other = (Ids(pl.Series(each)) for each in (["a", "b"], ["a", "b"], ["b", "c"]))
    assert _union(one, other).take(np.arange(3)).to_list() == ["a", "b", "c"]
    assert _union(one, same) is one
