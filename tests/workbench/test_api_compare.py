"""Comparisons and assessments as Python calls them, by the spelling of options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import cranfield as cf
from cranfield.base.errors import CranfieldError, MissingFacts, OptionError, UnknownOption
from cranfield.significance.paired_tests.student import StudentT
from cranfield.significance.resampling import Subsets
from cranfield.validity.criteria import Correlation
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import PairwisePValues
from score_cases import scores_of

A = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9]
B = [0.5, 0.5, 0.4, 0.4, 0.1, 0.4, 0.4, 0.4]
SCORES = scores_of({"a": A, "b": B})


def test_options_are_given_by_name_or_as_they_are() -> None:
    spelled = cf.compare(SCORES, test="t", correction="none")
    made = cf.compare(SCORES, test=StudentT(), correction="none")
    assert_frame_equal(spelled.to_polars(), made.to_polars(), check_exact=True)


def test_decisions_reach_the_choice() -> None:
    made = cf.compare(
        SCORES,
        ["P@10"],
        test="log-t",
        aggregation="geometric-mean",
        alpha=0.01,
        subsets=Subsets(count=2, share=0.5),
    )
    assert made.choice.alpha == 0.01
    assert made.pairs[0].rejecting_subsets == 0.5
    assert str(made.choice.test) == "log-t"


def test_a_file_of_scores_is_read(tmp_path: Path) -> None:
    SCORES.to_parquet(tmp_path / "scores.parquet")
    made = cf.compare(tmp_path / "scores.parquet", seed=3)
    assert made.to_dict() == cf.compare(SCORES, seed=3).to_dict()


def test_the_seed_decides_what_a_test_by_drawing_draws() -> None:
    drawn = np.random.default_rng(1).random((2, 40)).tolist()
    scores = scores_of({"a": drawn[0], "b": drawn[1]})
    p_values = [
        cf.compare(scores, test="permutation(draws=200)", seed=seed).pairs[0].p_value
        for seed in (1, 2, 1)
    ]
    assert p_values[0] == p_values[2] != p_values[1]
    powers = [
        cf.assess("DP", scores, test="permutation(draws=200)", seed=seed).to_dict()
        for seed in (1, 2, 1)
    ]
    assert powers[0] == powers[2] != powers[1]


def test_the_seed_decides_whom_robustness_draws() -> None:
    parts = cf.split(cf.read("simulated(size=tiny)"), "per-user", seed=1)
    made = cf.rank(parts.train, cf.judge(parts.test, relevance=4), ["Popularity", "Random"])
    criterion = "robustness(samples=2, sizes=[0.5], scenarios=[users])"
    found = [
        cf.assess(criterion, made, ["P@5", "nDCG@10"], seed=seed).to_dict() for seed in (1, 2, 1)
    ]
    assert found[0] == found[2] != found[1]


def test_metrics_are_compared_in_the_order_in_which_they_are_named() -> None:
    """By P@10 the system a is the better for every user, by RR it is b."""
    both = np.concatenate([SCORES.values, SCORES.values[::-1]], axis=1)
    scores = replace(SCORES, metrics=("P@10", "RR"), values=both)
    made = cf.compare(scores, ["RR", "P@10"], test="t")
    better = {metric: made.pair(metric, "a", "b").better for metric in ("RR", "P@10")}
    assert better == {"RR": "b", "P@10": "a"}
    assert [pair.metric for pair in made.pairs] == ["RR", "P@10"]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownOption, match="permutation"):
        cf.compare(SCORES, test="permutatoin")
    with pytest.raises(OptionError, match=r'there are no scores by "P@5".*There are those by'):
        cf.compare(SCORES, ["P@5"])


def test_scores_are_tested_for_discriminative_power_alone() -> None:
    made = cf.assess("discriminative-power(alpha=0.1)", SCORES, test="t")
    table = made.tables["discriminative_power"]
    assert table["dp"][0] == cf.compare(SCORES, test="t").pairs[0].p_value
    assert made.words["share_below_alpha"] == "share below 0.1"


def test_evidence_is_assessed_as_it_is() -> None:
    given = Evidence(p_values=PairwisePValues((("a", "b"),), ("P",), np.array([[0.25]])))
    made = cf.assess("DP", given)
    assert next(iter(made.tables.values()))["dp_doubled"][0] == 0.5
    with pytest.raises(MissingFacts, match="values of systems"):
        cf.assess(Correlation(), given)


def test_correlation_orders_systems_by_an_aggregation() -> None:
    names = ["P@10", "RR"]
    parts = cf.split(cf.read("simulated(size=tiny)"), "per-user", seed=1)
    made = cf.rank(parts.train, cf.judge(parts.test, relevance=4), ["Popularity", "Random"])
    tables = {name: each.run.table(parts.train.user_ids, parts.train.item_ids)
              for name, each in made.items()}  # fmt: skip
    evaluated = cf.evaluate(parts.test, tables, names, relevance=4, train=parts.train)
    found = cf.assess("correlation", evaluated, names[::-1], aggregation="geometric-mean")
    assert found.shown("system_orders")["metric"].to_list() == names[::-1]
    with pytest.raises(MissingFacts, match="the ranks of the judged items"):
        cf.assess("robustness", Evidence())


def ranked(depth: int = 100) -> tuple[cf.Split, dict[str, cf.Ranked]]:
    parts = cf.split(cf.read("simulated(size=tiny)"), "per-user", seed=1)
    judged = cf.judge(parts.test, relevance=4)
    return parts, cf.rank(parts.train, judged, ["Popularity", "user-kNN(k=5)"], depth=depth)


def test_metrics_of_whole_lists_are_assessed_on_what_systems_ranked() -> None:
    parts, made = ranked()
    names = ["UserEPC@5", "UserPopularity@5", "nDCG@5"]
    found = cf.assess("robustness(sizes=[1, 0.5], samples=2, scenarios=[users])", made, names)
    ids = parts.train.user_ids, parts.train.item_ids
    runs = {name: each.run.table(*ids) for name, each in made.items()}
    scored = cf.evaluate(parts.test, runs, names, relevance=4, train=parts.train).summary
    whole = found.details["values"].filter(pl.col("size") == 1, pl.col("mean") == "arithmetic")
    assert len(whole) == len(names) * len(made)
    for row in whole.to_dicts():
        expected = scored.row(row["system"], row["metric"]).value
        assert row["value"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["UserEPC@5", "UserEPC"])
def test_lists_that_end_above_the_cut_off_of_a_metric_are_refused(metric: str) -> None:
    _, made = ranked(depth=3)
    problem = (
        r'the lists of "Popularity" end at rank 3, and it looks down to rank \d+\. Give rank a'
    )
    with pytest.raises(OptionError, match=problem):
        cf.assess("robustness(samples=2)", made, [metric])


def test_metrics_that_compare_items_need_vectors_which_rankings_have_not() -> None:
    _, made = ranked()
    with pytest.raises(CranfieldError, match="vector"):
        cf.assess("robustness(samples=2, sizes=[0.5])", made, ["UserILD@5"])
