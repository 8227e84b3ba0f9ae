"""Judgments read test ratings through a threshold; unjudged is not the same as not relevant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from strategies import ratings


def test_a_rating_at_the_threshold_is_relevant() -> None:
    test = Ratings.from_triples([1, 1, 2], [7, 8, 7], [3.5, 4.0, 5.0])
    assert judge(test, relevance=4).relevant.tolist() == [False, True, True]


@given(ratings(), st.floats(-10, 10))
def test_positives_are_the_ratings_from_the_threshold_on(test: Ratings, relevance: float) -> None:
    judgments = judge(test, relevance)
    assert len(judgments.positives) == sum(value >= relevance for value in test.values)
    assert len(judgments) == len(test)


def test_the_scale_is_that_of_the_test_ratings_unless_given() -> None:
    test = Ratings.from_triples([1, 1], [7, 8], [2.0, 4.0])
    assert (judge(test, 4).lowest, judge(test, 4).highest) == (2, 4)
    assert (judge(test, 4, (1, 5)).lowest, judge(test, 4, (1, 5)).highest) == (1, 5)


def test_another_threshold_makes_other_judgments() -> None:
    test = Ratings.from_triples([1], [7], [4.0])
    assert judge(test, 4).fingerprint == judge(test, 4.0).fingerprint
    assert judge(test, 4).fingerprint != judge(test, 3).fingerprint


@pytest.mark.parametrize("relevance", [4, 4.0])
def test_the_threshold_is_a_float_whatever_was_given(relevance: float) -> None:
    assert isinstance(judge(Ratings.from_triples([1], [7]), relevance).relevance, float)
