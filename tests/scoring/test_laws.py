"""What holds for the metrics that ship, beyond the laws of every metric."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import options, parse
from cranfield.scoring.kernels.forms import has_kernel
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import cutoff_of, labels_unjudged
from hit_cases import (
    METRICS,
    OF_LISTS,
    POPULARITY,
    Ranking,
    hits_of,
    rankings,
    relabelled,
    topic_of,
)
from suites import tries

SOME = settings(deadline=None, max_examples=tries(40))
ALL: list[Any] = list(METRICS)
GROWING = {"Recall", "Success", "RR", "DCG", "AP", "Bpref", "InfAP", "ERR", "StratifiedRecall"}
"""Metrics that never fall as the cut-off grows, in their own form."""


def same(a: float, b: float) -> bool:
    """Equal up to rounding, or both undefined."""
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))


def own_form(metric: Any) -> bool:
    return getattr(metric, "as_", None) in (None, "rec_eval")


def test_the_inventory_of_these_tests_holds_every_metric() -> None:
    listed = {type(parse("metric", name)) for name in OF_LISTS}
    assert {type(metric) for metric in ALL} | listed == set(options("metric").values())


def test_most_metrics_reward_better_swaps() -> None:
    assert parse("metric", "Bpref@3").rewards_swaps  # but not in the form of bellogin2017
    without = {metric.option_name for metric in ALL if not metric.rewards_swaps}
    weighing = {"StratifiedRecall", "HalfLife"}  # the latter by popularity
    assert without == weighing | {"Unrated", "CondensedDepth", "TauAP", "Bpref", "Fallout"}


def test_all_metrics_but_those_that_describe_lists_are_better_higher() -> None:
    described = {metric.option_name for metric in ALL if not metric.higher_is_better}
    assert described == {"Unrated", "CondensedDepth", "Fallout"}


@SOME
@given(made=st.lists(rankings(), min_size=1, max_size=5), data=st.data())
def test_relabelled_users_keep_their_scores(made: list[Ranking], data: st.DataObject) -> None:
    order = list(data.draw(st.permutations(range(len(made)))))
    hits = hits_of(made)
    scores = measure(hits, ALL, popularity=POPULARITY)
    again = measure(relabelled(hits, order), ALL, popularity=POPULARITY)
    np.testing.assert_array_equal(again, scores[:, order])


@SOME
@given(ranking=rankings(), shift=st.integers(1, 30))
def test_relabelled_items_keep_the_scores(ranking: Ranking, shift: int) -> None:
    hits = hits_of([ranking])
    other = replace(hits, items=hits.items + np.int32(shift))
    scores = measure(hits, ALL, popularity=POPULARITY)
    again = measure(other, ALL, popularity=np.roll(POPULARITY, shift))
    np.testing.assert_array_equal(again, scores)


@SOME
@given(ranking=rankings())
def test_nothing_below_the_cut_off_counts(ranking: Ranking) -> None:
    hits = hits_of([ranking])
    for metric in ALL:
        if (cutoff := cutoff_of(metric)) is not None:
            cut = metric.of_topic(hits.cut(cutoff).topic(0, POPULARITY))
            assert same(metric.of_topic(hits.topic(0, POPULARITY)), cut), metric


def test_two_metrics_need_a_catalogue_and_rank_targets_only() -> None:
    both = {"AUC", "Fallout"}
    assert {metric.option_name for metric in ALL if metric.needs_catalogue} == both
    assert {metric.option_name for metric in ALL if metric.ranks_targets_only} == both


def test_two_metrics_look_below_their_cut_off() -> None:
    below = {metric.option_name for metric in ALL if metric.needs_whole_lists}
    assert below == {"CondensedDepth", "BoundOf1R"}


@SOME
@given(ranking=rankings(), more=st.integers(1, 9))
def test_unjudged_targets_outside_the_list_change_nothing(ranking: Ranking, more: int) -> None:
    topic, larger = topic_of(ranking), topic_of(replace(ranking, others=ranking.others + more))
    for metric in ALL:
        if not metric.needs_catalogue:
            assert same(metric.of_topic(topic), metric.of_topic(larger)), metric


@SOME
@given(ranking=rankings(), small=st.integers(1, 8), more=st.integers(0, 8))
def test_growing_metrics_never_fall_as_the_cut_off_grows(
    ranking: Ranking, small: int, more: int
) -> None:
    topic = topic_of(ranking)
    for metric in ALL:
        if metric.option_name in GROWING and own_form(metric) and not labels_unjudged(metric):
            low = replace(metric, cutoff=small).of_topic(topic)
            high = replace(metric, cutoff=small + more).of_topic(topic)
            assert math.isnan(low) or low <= high + 1e-12, metric


@SOME
@given(ranking=rankings())
def test_a_cut_off_at_the_end_of_the_list_is_no_cut_off(ranking: Ranking) -> None:
    topic = topic_of(ranking)
    for metric in ALL:
        if hasattr(metric, "cutoff") and metric.option_name not in ("CondensedDepth", "BoundOf1R"):
            whole = replace(metric, cutoff=None).of_topic(topic)
            cut_ideal = metric.option_name in ("nDCG", "HalfLife")
            if not cut_ideal and topic.length and own_form(metric):
                assert same(replace(metric, cutoff=topic.length).of_topic(topic), whole), metric


@SOME
@given(ranking=rankings())
def test_undefined_means_nothing_to_find_or_nothing_listed(ranking: Ranking) -> None:
    """With a relevant item and a list, every metric of relevance has a value."""
    topic = topic_of(replace(ranking, ratings=(*ranking.ratings, 5.0), others=1))
    for metric in ALL:
        name = metric.option_name
        if name not in {"KendallTau", "TauAP", "CondensedDepth"}:
            assert not math.isnan(metric.of_topic(topic)), metric


def test_all_but_forms_of_other_tools_positions_and_bounds_have_a_kernel() -> None:
    without = {str(metric) for metric in ALL if not has_kernel(metric)}
    rare = ("CondensedDepth", "BoundOf1R")
    forms = ("as=", "unjudged=")  # lists with labels are scored by the kernel of the plain form
    assert all(name.startswith(rare) or any(form in name for form in forms) for name in without)


@pytest.mark.parametrize(("spelling", "score"), [("Unrated", 1.0), ("CondensedDepth", math.nan)])
def test_a_list_without_judged_items_is_described_as_such(spelling: str, score: float) -> None:
    found = parse("metric", spelling).of_topic(topic_of(Ranking((None, None))))
    assert found == pytest.approx(score, nan_ok=True)
