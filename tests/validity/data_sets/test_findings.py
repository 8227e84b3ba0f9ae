"""What several data sets say together: effects, ranks, agreement of designs, and the words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau, t

from cranfield.base.serialisation.plain import restored
from cranfield.significance.comparison import Comparison, compare
from cranfield.validity.data_sets.associations import TRAITS, associations
from cranfield.validity.data_sets.design_agreement import design_agreement
from cranfield.validity.data_sets.findings import (
    FindingsOverData,
    OnDataSet,
    conclude_over_data,
)
from cranfield.validity.data_sets.pair_effects import pair_effects
from cranfield.validity.study.designs import Designs
from score_cases import scores_of

METRIC = "P@10"
TRAITS_OF_ONE = dict.fromkeys(TRAITS, 1.0)


def compared(gap: float, seed: int, users: int = 40) -> Comparison:
    """Systems a, b and c over users: a is ahead of b by about the gap, c behind both."""
    noise = np.random.default_rng(seed).normal(0, 0.05, (3, users))
    values = np.clip(np.array([[0.5 + gap], [0.5], [0.1]]) + noise, 0, 1)
    return compare(scores_of(dict(zip("abc", values.tolist(), strict=True))))


def found_on(*gaps: float) -> dict[str, OnDataSet]:
    made = {}
    for number, gap in enumerate(gaps):
        comparison = compared(gap, number)
        values = {METRIC: dict(zip("abc", comparison.values[0].tolist(), strict=True))}
        traits = {**TRAITS_OF_ONE, "density": gap, "users": float(number)}
        made[f"set {number}"] = OnDataSet(values=values, pairs=comparison.pairs, traits=traits)
    return made


def test_the_standard_error_is_that_of_paired_users() -> None:
    users = np.random.default_rng(0).random((2, 30))
    made = compare(scores_of(dict(zip("ab", users.tolist(), strict=True))))
    (effect,) = pair_effects(METRIC, ("a", "b"), {"one": made.pairs}).effects
    differences = users[0] - users[1]
    assert effect.difference == pytest.approx(differences.mean())
    assert effect.error == pytest.approx(differences.std(ddof=1) / np.sqrt(30))
    reach = t.ppf(0.975, 29) * effect.error
    assert effect.high == pytest.approx(effect.difference + reach)


def test_a_pair_is_the_same_from_both_sides() -> None:
    pairs = {"one": compared(0.1, 1).pairs, "two": compared(-0.05, 2).pairs}
    one, other = (pair_effects(METRIC, names, pairs) for names in (("a", "b"), ("b", "a")))
    assert [e.difference for e in one.effects] == [-e.difference for e in other.effects]
    assert [e.low for e in one.effects] == [-e.high for e in other.effects]
    assert len(one.ahead) == len(other.behind) == 1
    assert one.sign_p == other.sign_p == 1


def test_a_lead_on_all_data_sets_is_said_so() -> None:
    made = conclude_over_data(found_on(0.2, 0.19, 0.21), None, 0.05)
    assert (made.pair.first, made.pair.second) == ("a", "b")
    first, second, third = made.sentences
    assert first == "a scores more than b by P@10 on all 3 data sets, significantly on each."
    assert "a is better on data sets like these" in second
    assert third.startswith("On one more such data set it is expected from +0.0")
    assert made.mean_ranks == {METRIC: {"a": 1, "b": 2, "c": 3}}
    assert made.ranks == {}


def test_data_sets_that_disagree_are_named() -> None:
    made = conclude_over_data(found_on(0.2, -0.2, 0.0), ("a", "b"), 0.05)
    first, second, *_ = made.sentences
    assert "a scores more on set 0 (significantly)" in first
    assert "b scores more on set 1 (significantly)" in first
    assert "no difference is established for data sets like these" in second
    turned = conclude_over_data(found_on(0.2, -0.2, 0.0), ("b", "a"), 0.05)
    assert turned.pair.combined is not None
    assert made.pair.combined is not None
    assert turned.pair.combined.estimate == pytest.approx(-made.pair.combined.estimate)


def test_ranks_are_tested_from_five_data_sets_on() -> None:
    made = conclude_over_data(found_on(*[0.1] * 5), None, 0.05)
    assert made.ranks[METRIC].p_value == pytest.approx(0.00673794699908547)
    assert ("a", "c") in made.ranks[METRIC].differing()


def test_only_what_all_data_sets_have_is_compared() -> None:
    found = found_on(0.1, 0.1)
    lacking = found["set 1"]
    values = {METRIC: {"a": 0.3, "b": 0.2}, "nDCG@5": {"a": 1.0, "b": 1.0}}
    found["set 1"] = replace(lacking, values=values)
    made = conclude_over_data(found, None, 0.05)
    assert made.systems == ("a", "b")
    assert {each.metric for each in made.pairs} == {METRIC}


def test_the_record_gives_the_findings_back() -> None:
    made = conclude_over_data(found_on(0.2, 0.1), None, 0.05)
    again = restored(FindingsOverData, made.to_dict())
    assert again.to_dict() == made.to_dict()


def designs_of(gaps: list[float], **answers: Any) -> Designs:
    values = np.array([[0.5 + gap, 0.5] for gap in gaps])
    none = np.full((len(gaps), 1), np.nan)
    users = np.full(len(gaps), 9)
    return Designs(pl.DataFrame(answers), ("a", "b"), values, none, none, users)


def test_designs_are_matched_by_their_answers() -> None:
    one = designs_of([0.1, -0.1, 0.1], cutoff=[5, 10, 20], targets=["x", "x", None])
    two = designs_of([-0.2, 0.3], cutoff=[10, 5], targets=["x", "x"])
    made = design_agreement({"one": one, "two": two}, ("a", "b"))
    assert made is not None
    assert made.table.to_dict(as_series=False) == {
        "cutoff": ["5", "10"], "targets": ["x", "x"], "first_ahead": [2, 0],
        "second_ahead": [0, 2], "equal": [0, 0], "data_sets": [2, 2],
    }  # fmt: skip
    assert (made.designs, made.first, made.second) == (2, 1, 1)
    assert design_agreement({"one": one, "two": designs_of([0.1], gain=["a"])}, ("a", "b")) is None


def test_traits_are_described_by_kendalls_tau() -> None:
    density = [0.1, 0.2, 0.4, 0.3]
    differences = {f"set {n}": each for n, each in enumerate([0.0, 0.1, 0.2, 0.3])}
    traits = {f"set {n}": {**TRAITS_OF_ONE, "density": each} for n, each in enumerate(density)}
    made = {each.trait: each.tau for each in associations(traits, differences)}
    assert made["density"] == pytest.approx(kendalltau(density, [0, 1, 2, 3]).statistic)
    assert np.isnan(made["users"])
