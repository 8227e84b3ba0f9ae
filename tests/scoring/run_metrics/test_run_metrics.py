"""Beyond accuracy, by hand: three users, five items, one unknown item."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield.scoring.run_metrics  # noqa: F401
from cranfield.base.errors import MissingFacts
from cranfield.base.ids import Ids
from cranfield.base.options import options, parse
from cranfield.collection.items import facts_of_items
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.run_metric import RunFacts, refuse_missing_facts
from run_cases import run_of

ITEMS = Ids(pl.Series([0, 1, 2, 3, 4]))
USERS = Ids(pl.Series([0, 1, 2, 3]))
TRAIN = Ratings.from_triples([0, 1, 2, 3, 0, 1, 0, 3], [0, 0, 0, 0, 1, 1, 2, 3]).reindex(
    USERS, ITEMS
)
"""Four users rated: item 0 four times, item 1 twice, 2 and 3 once, 4 never."""
TEST = Ratings.from_triples([0, 0, 2, 2], [3, 4, 1, 4], [5, 1, 4, 5]).reindex(USERS, ITEMS)
VECTORS = [[1, 0], [1, 0], [0, 1], [1, 1], [0, 0]]
FACTS = RunFacts(facts_of_items(TRAIN, VECTORS), judge(TEST, relevance=4))

NAMES = [
    *("CatalogueCoverage@2", "MeanPopularity@2", "EPC@2", "EFD@2", "Gini@2", "ILD@2"),
    *("UnratedShare@2", "CondensedDepth@2", "EPC(discount=logarithmic, relevant=true)"),
    *("PopularityCorrelation@1", "Entropy@2", "RSP@2", "REO(by=popularity(head=0.6))@2"),
    *("ItemMAD(by=popularity(head=0.6))@2", "EEL@2"),
]


RUN = run_of([3, 4, 1], [2], [0, 1, 4], [])


def value(spelling: str, run: Run = RUN, facts: RunFacts = FACTS) -> float:
    chosen: Any = parse("run-metric", spelling)
    return float(chosen.of_run(run, facts))


def test_these_tests_know_every_run_metric() -> None:
    assert {type(parse("run-metric", name)) for name in NAMES} == set(
        options("run-metric").values()
    )


@pytest.mark.parametrize("name", NAMES)
def test_spelling_round_trips(name: str) -> None:
    assert str(parse("run-metric", name)) == name


def test_catalogue_coverage_is_the_share_of_items_that_somebody_is_shown() -> None:
    assert value("CatalogueCoverage@1") == 3 / 5  # 3, 2, 0
    assert value("CatalogueCoverage") == 5 / 5
    assert value("CatalogueCoverage", run_of([0, -1])) == 1 / 5


def test_mean_popularity_is_the_mean_over_lists_of_their_means() -> None:
    assert value("MeanPopularity@2") == pytest.approx(((1 + 0) / 2 + 1 + (4 + 2) / 2) / 3)
    assert value("MeanPopularity", run_of([0, -1])) == pytest.approx((4 + 0) / 2)


def test_epc_is_the_share_of_users_who_have_not_seen_an_item() -> None:
    first, second, third = (3 / 4 + 4 / 4) / 2, 3 / 4, (0 / 4 + 2 / 4) / 2
    assert value("EPC@2") == pytest.approx((first + second + third) / 3)
    assert value("EPC", run_of([-1])) == 1


def test_epc_discounts_ranks_and_can_ask_for_relevance() -> None:
    weights = [1, 1 / log2(3), 1 / 2]
    first = (weights[0] * 3 / 4) / sum(weights)  # item 3 is relevant to user 0, 4 is not
    third = (weights[1] * 2 / 4 + weights[2] * 4 / 4) / sum(weights)
    found = value("EPC(discount=logarithmic, relevant=true)")
    assert found == pytest.approx((first + 0 + third) / 3)


def test_efd_is_information_in_bits() -> None:
    """8 training ratings: item 0 has 4 of them, item 1 two, items 2 and 3 one, 4 as if one."""
    assert value("EFD@2") == pytest.approx(((3 + 3) / 2 + 3 + (1 + 2) / 2) / 3)
    assert value("EFD", run_of([-1])) == 3


def test_gini_of_exposure_by_hand() -> None:
    """Counts of the top 1: items 0, 2 and 3 once; sorted 0, 0, 1, 1, 1."""
    assert value("Gini@1") == pytest.approx((0 * 1 + 2 * 1 + 4 * 1) / (5 * 3))
    assert value("Gini", run_of([0, 1, 2, 3, 4])) == 0
    assert value("Gini@1", run_of(*[[0]] * 9)) == pytest.approx(4 / 5)


def test_intra_list_diversity_is_the_mean_distance_of_pairs() -> None:
    """Vectors 3 and 1 are at 45°, 4 has none; 0 and 1 are the same."""
    first = ((1 - 0) + (1 - 1 / np.sqrt(2)) + (1 - 0)) / 3
    third = ((1 - 1) + (1 - 0) + (1 - 0)) / 3
    assert value("ILD") == pytest.approx((first + third) / 2)
    assert value("ILD@2") == pytest.approx((1 + 0) / 2)
    assert value("ILD", run_of([0, -1, 2])) == pytest.approx(1)


def test_the_unrated_share_is_over_what_is_in_the_list() -> None:
    """User 0 rated 3 and 4 in test, user 2 rated 1 and 4, user 1 nothing."""
    assert value("UnratedShare@2") == pytest.approx((0 / 2 + 1 / 1 + 1 / 2) / 3)
    assert value("UnratedShare", run_of([3, -1])) == 1 / 2


def test_an_unknown_item_is_nobodys_item() -> None:
    """User 0 rated item 4, the last, which no unknown item of user 1 may pass for."""
    assert value("UnratedShare", run_of([4], [-1])) == pytest.approx((0 + 1) / 2)


def test_condensed_depth_is_the_rank_of_the_kth_judged_item() -> None:
    assert value("CondensedDepth@1") == pytest.approx((1 + 2) / 2)
    assert value("CondensedDepth@2") == pytest.approx((2 + 3) / 2)
    assert np.isnan(value("CondensedDepth@3"))


@pytest.mark.parametrize("name", [name for name in NAMES if "Catalogue" not in name])
def test_a_run_of_empty_lists_is_undefined(name: str) -> None:
    assert np.isnan(value(name, run_of([], [])))


def test_a_run_of_empty_lists_covers_nothing() -> None:
    assert value("CatalogueCoverage@2", run_of([], [])) == 0


def needs_judgments(metric: Any) -> bool:
    known = ("UnratedShare", "CondensedDepth", "REO", "ItemMAD", "EEL")
    judged = metric.option_name in known
    return judged or getattr(metric, "relevant", False)


@pytest.mark.parametrize("name", NAMES)
def test_item_vectors_are_asked_for_before_any_work(name: str) -> None:
    chosen: Any = parse("run-metric", name)
    refuse_missing_facts([chosen], vectors=VECTORS)
    if name.startswith("ILD"):
        with pytest.raises(MissingFacts, match="ILD@2 needs item vectors"):
            refuse_missing_facts([parse("run-metric", "EPC@2"), chosen], vectors=None)
    else:
        refuse_missing_facts([chosen], vectors=None)


@pytest.mark.parametrize("name", NAMES)
def test_only_what_counts_all_items_needs_a_catalogue(name: str) -> None:
    """A fifth and sixth item that no list shows and nobody rated change these values alone."""
    chosen: Any = parse("run-metric", name)
    more = Ids(pl.Series([0, 1, 2, 3, 4, 5, 6]))
    train, test = TRAIN.reindex(USERS, more), TEST.reindex(USERS, more)
    larger = RunFacts(facts_of_items(train, [*VECTORS, [1, 0], [0, 1]]), judge(test, relevance=4))
    assert (chosen.of_run(RUN, larger) != chosen.of_run(RUN, FACTS)) == chosen.needs_catalogue


@pytest.mark.parametrize("name", NAMES)
def test_what_a_metric_needs_is_asked_for(name: str) -> None:
    chosen: Any = parse("run-metric", name)
    bare = RunFacts(facts_of_items(TRAIN))
    if chosen.needs_vectors or needs_judgments(chosen):
        with pytest.raises(MissingFacts, match=r" needs .* Give "):
            chosen.of_run(RUN, bare)
    else:
        assert chosen.of_run(RUN, bare) == value(name)


def test_popularity_correlation_compares_exposure_with_training_popularity() -> None:
    known = [4, 2, 1, 1, 0]  # mean 8/5
    assert np.isnan(value("PopularityCorrelation@2", run_of([3, 4], [2], [0, 1])))  # all alike
    shown = [3, 1, 0, 0, 0]  # mean 4/5
    run = run_of([0, 1], [0], [0])
    products = sum((s - 4 / 5) * (k - 8 / 5) for s, k in zip(shown, known, strict=True))
    squares = sum((s - 4 / 5) ** 2 for s in shown) * sum((k - 8 / 5) ** 2 for k in known)
    assert value("PopularityCorrelation", run) == pytest.approx(products / squares**0.5)


def test_popularity_correlation_by_ranks_shares_the_ranks_of_equal_counts() -> None:
    shown, known = [5, 4, 2, 2, 2], [5, 4, 2.5, 2.5, 1]  # ranks; both have mean 3
    run = run_of([0, 1], [0], [0])
    products = sum((s - 3) * (k - 3) for s, k in zip(shown, known, strict=True))
    squares = sum((s - 3) ** 2 for s in shown) * sum((k - 3) ** 2 for k in known)
    by_ranks = value("PopularityCorrelation(by=ranks)", run)
    assert by_ranks == pytest.approx(products / squares**0.5)


def test_popularity_correlation_is_one_if_exposure_is_popularity() -> None:
    run = run_of([0, 1, 2, 3], [0, 1], [0], [0])
    assert value("PopularityCorrelation", run) == pytest.approx(1.0)
