"""Pairs as readers see them: the higher system first, pairs with baselines last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cranfield.base.seeds import Seeds
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.pair import Pair, pair_of
from cranfield.view.numbers import UNKNOWN
from cranfield.view.pairs import higher_first, in_order, users_text
from significance_cases import samples_of

TESTED = {"statistic": -1.0, "p_value": 0.2, "p_error": 0.0, "adjusted": 0.4, "significant": False}
LOWER = pair_of(
    samples_of([0.1, 0.4, 0.3], [0.6, 0.4, 0.9]), (0, (0, 1)), ComparisonChoice(), Seeds(1),
    **TESTED,
)  # fmt: skip


def pair(first: str, second: str, metric: str = "P@10") -> Pair:
    return replace(LOWER, first=first, second=second, metric=metric)


def names(pairs: list[Pair], kinds: dict[str, str] | None = None) -> list[str]:
    return [f"{each.first}-{each.second}" for each in in_order(pairs, kinds)]


def test_a_pair_is_turned_so_that_the_higher_system_comes_first() -> None:
    turned = higher_first(LOWER)
    assert (turned.first, turned.second) == ("b", "a")
    assert (turned.first_value, turned.second_value) == (LOWER.second_value, LOWER.first_value)
    assert turned.difference == -LOWER.difference > 0
    assert (turned.low, turned.high) == (-LOWER.high, -LOWER.low)
    assert (turned.wins, turned.ties, turned.losses) == (2, 1, 0)
    assert (turned.effect, turned.effect_low) == (-LOWER.effect, -LOWER.effect_high)


def test_a_pair_whose_first_is_higher_or_equal_stays() -> None:
    turned = higher_first(LOWER)
    assert higher_first(turned) is turned
    equal = replace(LOWER, difference=0.0)
    assert higher_first(equal) is equal
    unknown = replace(LOWER, difference=float("nan"))
    assert higher_first(unknown) is unknown


def test_pairs_with_a_baseline_come_after_others_and_random_ones_last() -> None:
    pairs = [pair("Random", "kNN"), pair("Pop", "kNN"), pair("Pop", "Random"), pair("MF", "kNN")]
    assert names(pairs) == ["MF-kNN", "Pop-kNN", "Random-kNN", "Pop-Random"]


def test_baselines_are_known_by_their_recommender_where_it_is_known() -> None:
    pairs = [pair("ours", "kNN"), pair("Pop", "kNN")]
    assert names(pairs, {"ours": "Popularity", "Pop": "SLIM"}) == ["Pop-kNN", "ours-kNN"]


def test_metrics_stay_in_their_order() -> None:
    pairs = [pair("Pop", "kNN", "RR"), pair("MF", "kNN", "AP"), pair("MF", "kNN", "RR")]
    assert [(each.metric, each.first) for each in in_order(pairs)] == [
        ("RR", "MF"),
        ("RR", "Pop"),
        ("AP", "MF"),
    ]


@pytest.mark.parametrize("between", [" / ", "–"])
def test_users_are_told_as_wins_ties_and_losses(between: str) -> None:
    many = replace(LOWER, wins=1234, ties=0, losses=56)
    assert users_text(many, between) == between.join(["1,234", "0", "56"])
    assert users_text(replace(many, ties=None), between) == UNKNOWN
