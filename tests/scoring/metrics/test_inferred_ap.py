"""Inferred average precision: AP where all is judged, an estimate of it where not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.scoring.metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))
JUDGED = st.lists(st.sampled_from([5.0, 4.0, 1.0]), min_size=1, max_size=12)


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


@SOME
@given(ratings=JUDGED, n=st.integers(1, 15), form=st.sampled_from(["rec_eval", "trec_eval"]))
def test_where_all_is_judged_it_is_average_precision_but_for_epsilon(
    ratings: list[float], n: int, form: str
) -> None:
    topic = topic_hits(range(1, len(ratings) + 1), ratings)
    found = score(f"InfAP(as={form}, epsilon=1e-12)@{n}", topic)
    assert found == pytest.approx(score(f"AP@{n}", topic), nan_ok=True, abs=1e-9)


@SOME
@given(ratings=JUDGED, gap=st.integers(1, 4))
def test_unjudged_items_lower_only_the_form_of_trec_eval(ratings: list[float], gap: int) -> None:
    topic = topic_hits([gap * k + k for k in range(1, len(ratings) + 1)], ratings)
    ours, theirs = (score(f"InfAP{form}", topic) for form in ("", "(as=trec_eval)"))
    assert np.isnan(ours) == np.isnan(theirs)
    assert np.isnan(ours) or theirs <= ours + 1e-12


def test_a_first_item_is_right_for_sure_and_one_below_unjudged_ones_by_half() -> None:
    """With nothing judged above, (0 + ε)/(0 + 0 + 2ε) = ½ of the k − 1 items above."""
    assert score("InfAP", topic_hits([1], [5])) == 1.0
    assert score("InfAP", topic_hits([5], [5])) == pytest.approx(1 / 5 + 4 / 5 * 1 / 2)
    assert score("InfAP(as=trec_eval)", topic_hits([5], [5])) == pytest.approx(1 / 5)


def test_items_below_the_cut_off_add_nothing_and_still_count_as_relevant() -> None:
    e = 1e-5
    topic = topic_hits([2, 3, 9], [1, 5, 5], unranked=[4])
    at_three = 1 / 3 + 2 / 3 * (0 + e) / (1 + 2 * e)
    assert score("InfAP@8", topic) == pytest.approx(at_three / 3)


def test_a_larger_epsilon_pulls_the_estimate_to_a_half() -> None:
    topic = topic_hits([1, 2, 3], [1, 1, 5])
    assert score("InfAP(epsilon=1e9)", topic) == pytest.approx(1 / 3 + 2 / 3 * 1 / 2)
