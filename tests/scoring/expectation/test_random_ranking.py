"""Rankings that nobody predicted: tied, ideal and shuffled, cut or whole."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom, nhypergeom

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.expectation.random_ranking import (
    RandomOrders,
    alike,
    cut_lists,
    first_relevant,
    hypergeometric_mean,
    ideal,
    places_of,
    ratio,
    shuffled,
    tied,
    where_any,
)
from hit_cases import Ranking, hits_of, rankings
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))
MADE = st.lists(rankings(), min_size=1, max_size=5)


def by_topic(hits: Hits) -> list[list[tuple[int, float]]]:
    """Item and rating of each topic's judged targets, in any order."""
    pairs = list(zip(hits.items.tolist(), hits.ratings.tolist(), strict=True))
    return [
        sorted(pairs[hits.offsets[t] : hits.offsets[t + 1]]) for t in range(len(hits.offsets) - 1)
    ]


@SOME
@given(made=MADE, depth=st.none() | st.integers(1, 9), seed=st.integers(0, 99))
def test_no_ranking_changes_what_is_judged(made: list[Ranking], depth: int, seed: int) -> None:
    hits = hits_of(made)
    for found in (
        tied(hits, depth),
        ideal(hits, depth),
        shuffled(hits, seed, depth),
    ):
        assert by_topic(found) == by_topic(hits)
        wanted = hits.targets if depth is None else np.minimum(hits.targets, depth)
        assert found.lengths.tolist() == wanted.tolist()
        assert (found.ranks <= np.repeat(found.lengths, np.diff(found.offsets))).all()


@SOME
@given(made=MADE, seed=st.integers(0, 99))
def test_a_shuffled_topic_ranks_every_judged_target_once(made: list[Ranking], seed: int) -> None:
    hits = hits_of(made)
    found = shuffled(hits, seed)
    for t in range(len(hits)):
        ranks = found.ranks[found.offsets[t] : found.offsets[t + 1]]
        assert (np.diff(ranks) > 0).all()
        assert len(ranks) == 0 or (ranks[0] >= 1 and ranks[-1] <= hits.targets[t])


@SOME
@given(made=MADE)
def test_the_ideal_order_falls_and_starts_at_the_top(made: list[Ranking]) -> None:
    found = ideal(hits_of(made))
    for t in range(len(found)):
        rows = slice(found.offsets[t], found.offsets[t + 1])
        assert found.ranks[rows].tolist() == list(range(1, rows.stop - rows.start + 1))
        assert (np.diff(found.ratings[rows]) <= 0).all()


def test_all_targets_tied_may_stand_on_any_rank() -> None:
    found = tied(hits_of([Ranking((5.0,), others=6), Ranking((1.0, 4.0))]))
    assert (found.first.tolist(), found.last.tolist()) == ([1, 1, 1], [7, 2, 2])


@pytest.mark.parametrize("others", [1, 30])
def test_every_order_of_judged_targets_is_as_likely(others: int) -> None:
    """Three items in six orders, 3000 topics: 500 of each expected, ± 20."""
    hits = hits_of([Ranking((5.0, 4.0, 1.0), others=others)] * 3000)
    found = shuffled(hits, 7).items.reshape(-1, 3)
    counts = [(found == order).all(axis=1).sum() for order in permutations(range(3))]
    assert sum(counts) == 3000
    assert np.abs(np.array(counts) - 500).max() < 5 * np.sqrt(3000 / 6 * 5 / 6)


@pytest.mark.parametrize("others", [2, 9])
def test_every_pair_of_ranks_is_as_likely(others: int) -> None:
    """All C(T, 2) pairs alike."""
    size, topics = 2 + others, 4000
    hits = hits_of([Ranking((5.0, 1.0), others=others)] * topics)
    ranks = shuffled(hits, 3).ranks.reshape(-1, 2)
    counts = np.unique(ranks @ [100, 1], return_counts=True)[1]
    pairs = size * (size - 1) // 2
    assert len(counts) == pairs
    assert np.abs(counts - topics / pairs).max() < 5 * np.sqrt(topics / pairs)


def test_lists_are_cut_by_leaving_out_what_is_below() -> None:
    found = cut_lists(hits_of([Ranking((5.0, None, 4.0, 1.0))]), 3)
    assert (found.ranks.tolist(), found.lengths.tolist(), found.depth) == ([1, 3, 0], [3], 3)
    assert cut_lists(found, None).depth is None


def test_places_count_from_one_within_each_topic() -> None:
    hits = hits_of([Ranking((5.0, 1.0)), Ranking(()), Ranking((4.0,), (5.0, 5.0))])
    assert places_of(hits).tolist() == [1, 2, 1, 2, 3]


SIZES = [
    (1, 1, 1),
    (5, 0, 3),
    (5, 5, 2),
    (7, 3, 7),
    (4000, 30, 10),
    (4000, 3999, 50),
    (60_000, 5, 9),
]
"""Targets, marked ones, and how many are drawn."""


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def test_means_of_hypergeometric_numbers_are_those_of_scipy() -> None:
    targets, marked, drawn = (ints(*column) for column in zip(*SIZES, strict=True))
    means = hypergeometric_mean(targets, marked, drawn, lambda h, _: h.astype(float))
    squares = hypergeometric_mean(targets, marked, drawn, lambda h, _: (h * h).astype(float))
    for place, sizes in enumerate(SIZES):
        numbers = np.arange(sizes[2] + 1)
        chances = hypergeom.pmf(numbers, *sizes)
        assert means[place] == pytest.approx(chances @ numbers, rel=1e-6)
        assert squares[place] == pytest.approx(chances @ numbers**2, rel=1e-6)


def test_chances_of_hypergeometric_numbers_add_up_to_one() -> None:
    targets, marked, drawn = (ints(*column) for column in zip(*SIZES, strict=True))
    ones = hypergeometric_mean(targets, marked, drawn, lambda _, at: np.ones(len(at)))
    np.testing.assert_allclose(ones, 1, rtol=1e-6)


def test_the_function_is_asked_for_the_topics_that_can_have_the_number() -> None:
    """Of 4 targets 3 are marked and 2 drawn: one marked by 1/2, two by 1/2, never none."""
    asked: list[tuple[int, int]] = []

    def of(numbers: np.ndarray, topics: np.ndarray) -> np.ndarray:
        asked.extend(zip(topics.tolist(), numbers.tolist(), strict=True))
        return 10.0**numbers

    found = hypergeometric_mean(ints(4, 4), ints(3, 0), ints(2, 2), of)
    assert asked == [(0, 1), (0, 2), (1, 0)]
    np.testing.assert_allclose(found, [(10 + 100) / 2, 1])


def test_terms_that_are_worked_out_a_few_at_a_time_change_no_digit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    targets, marked, drawn = (ints(*column) for column in zip(*SIZES, strict=True))

    def of(numbers: np.ndarray, topics: np.ndarray) -> np.ndarray:
        given: np.ndarray = 1.0 / (numbers + topics + 1)
        return given

    at_once = hypergeometric_mean(targets, marked, drawn, of)
    monkeypatch.setattr("cranfield.scoring.expectation.random_ranking._TERMS_AT_ONCE", 60)
    assert hypergeometric_mean(targets, marked, drawn, of).tolist() == at_once.tolist()


@pytest.mark.parametrize("most", [7, 2**40])
def test_topics_are_alike_if_all_their_facts_are(most: int) -> None:
    """Facts so large that no number holds all of them are told apart as well."""
    facts = np.random.default_rng(5).integers(0, 3, (4, 200)) * most
    first, kinds = alike(*facts)
    found, inverse = np.unique(facts, axis=1, return_inverse=True)
    np.testing.assert_array_equal(facts[:, first], found)
    np.testing.assert_array_equal(kinds, inverse)


@pytest.mark.parametrize("end", [1, 4, 40])
def test_the_first_relevant_item_comes_as_a_negative_hypergeometric_number_says(end: int) -> None:
    """Before the first of R relevant items come as many of the T − R others as nhypergeom has."""
    made = [(1, 0), (1, 7), (3, 9), (5, 35), (2, 0), (1, 39)]  # relevant, others
    hits = hits_of([Ranking((5.0,) * r, others=o) for r, o in made])
    ends = np.minimum(hits.targets, end)
    within, inverse = first_relevant(RandomOrders(hits), ints(*(r for r, _ in made)), ends)
    for place, (relevant, others) in enumerate(made):
        above = np.arange(ends[place])
        chances = nhypergeom.pmf(above, relevant + others, others, 1) if others else above == 0
        assert within[place] == pytest.approx(np.sum(chances))
        assert inverse[place] == pytest.approx(np.sum(chances / (above + 1)))


def test_without_a_relevant_item_or_a_list_nothing_comes_first() -> None:
    hits = hits_of([Ranking((1.0,), others=3), Ranking((5.0,), others=3)])
    within, inverse = first_relevant(RandomOrders(hits), ints(0, 1), ints(4, 0))
    assert (within.tolist(), inverse.tolist()) == ([0.0, 0.0], [0.0, 0.0])


def test_lists_end_at_their_depth_their_targets_or_the_cut_off() -> None:
    hits = hits_of([Ranking((5.0,), others=3), Ranking((5.0,), others=8)])
    assert RandomOrders(hits).last(None).tolist() == [4, 9]
    assert RandomOrders(hits).last(6).tolist() == [4, 6]
    assert RandomOrders(hits, 5).last(None).tolist() == [4, 5]
    assert RandomOrders(hits, 5).nominal(6).tolist() == [6, 6]
    assert RandomOrders(hits, 5).nominal(None).tolist() == [4, 5]


def test_the_mean_weight_is_over_all_targets_those_beyond_the_end_weighing_nothing() -> None:
    hits = hits_of([Ranking((5.0,), others=3), Ranking((5.0,), others=1)])
    found = RandomOrders(hits).mean_weight(ints(2, 0), lambda ranks: 1.0 / ranks)
    np.testing.assert_allclose(found, [(1 + 1 / 2) / 4, 0])


def test_nothing_is_divided_by_nothing() -> None:
    assert ratio(ints(3, 3), ints(2, 0)).tolist() == [1.5, 0.0]
    np.testing.assert_array_equal(where_any(ints(1, 0), np.array([7.0, 7.0])), [7.0, np.nan])
