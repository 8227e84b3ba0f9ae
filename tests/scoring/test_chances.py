"""Random orders counted: against SciPy's distributions, at sizes no enumeration reaches."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom, nhypergeom

from cranfield.scoring.chances import (
    Chances,
    alike,
    first_relevant,
    hypergeometric_mean,
    ratio,
    where_any,
)
from hit_cases import Ranking, hits_of

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
    monkeypatch.setattr("cranfield.scoring.chances._TERMS_AT_ONCE", 60)
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
    within, inverse = first_relevant(Chances(hits), ints(*(r for r, _ in made)), ends)
    for place, (relevant, others) in enumerate(made):
        above = np.arange(ends[place])
        chances = nhypergeom.pmf(above, relevant + others, others, 1) if others else above == 0
        assert within[place] == pytest.approx(np.sum(chances))
        assert inverse[place] == pytest.approx(np.sum(chances / (above + 1)))


def test_without_a_relevant_item_or_a_list_nothing_comes_first() -> None:
    hits = hits_of([Ranking((1.0,), others=3), Ranking((5.0,), others=3)])
    within, inverse = first_relevant(Chances(hits), ints(0, 1), ints(4, 0))
    assert (within.tolist(), inverse.tolist()) == ([0.0, 0.0], [0.0, 0.0])


def test_lists_end_at_their_depth_their_targets_or_the_cut_off() -> None:
    hits = hits_of([Ranking((5.0,), others=3), Ranking((5.0,), others=8)])
    assert Chances(hits).last(None).tolist() == [4, 9]
    assert Chances(hits).last(6).tolist() == [4, 6]
    assert Chances(hits, 5).last(None).tolist() == [4, 5]
    assert Chances(hits, 5).nominal(6).tolist() == [6, 6]
    assert Chances(hits, 5).nominal(None).tolist() == [4, 5]


def test_the_mean_weight_is_over_all_targets_those_beyond_the_end_weighing_nothing() -> None:
    hits = hits_of([Ranking((5.0,), others=3), Ranking((5.0,), others=1)])
    found = Chances(hits).mean_weight(ints(2, 0), lambda ranks: 1.0 / ranks)
    np.testing.assert_allclose(found, [(1 + 1 / 2) / 4, 0])


def test_nothing_is_divided_by_nothing() -> None:
    assert ratio(ints(3, 3), ints(2, 0)).tolist() == [1.5, 0.0]
    np.testing.assert_array_equal(where_any(ints(1, 0), np.array([7.0, 7.0])), [7.0, np.nan])
