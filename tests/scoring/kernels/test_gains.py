"""Kernels of gains on ratings of any number of levels, zeros among them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import UnmappableRating
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from hit_cases import Ranking, hits_of
from suites import tries

NAMES = (
    *("DCG", "nDCG", "nDCG(gain=exponential)", "nDCG(gain=binary)", "ERR"),
    *("RBP(p=0.8)", "RBP(p=0.1, unjudged=residual)", "RBP(p=0.99, unjudged=relevant)"),
    *("RBP(p=0.5, gain=exponential)", "DCG(gain=binary, relevance=1.5)"),
)
METRICS: list[Metric] = [
    *(parse("metric", f"{name}@{n}") for name in NAMES for n in (1, 2, 5, 1000)),
    *(parse("metric", name) for name in NAMES),
]
LISTED = st.lists(st.none() | st.sampled_from([0.0, 0.5, 1.5, 3.0, 3.25]), max_size=9)


def halves(lists: list[list[float | None]]) -> Hits:
    """Ratings from 0 to 3.25, relevant from 1.5."""
    made = [Ranking(tuple(each), (0.0, 3.0)[: len(each) % 3], len(each) % 2) for each in lists]
    return replace(hits_of(made), relevance=1.5, lowest=0.0, highest=3.25)


def by_definition(hits: Hits) -> np.ndarray:
    topics = [hits.topic(number) for number in range(len(hits))]
    return np.array([[metric.of_topic(topic) for topic in topics] for metric in METRICS])


@settings(deadline=None, max_examples=tries(25))
@given(lists=st.lists(LISTED, min_size=1, max_size=4))
def test_ratings_of_zero_and_between_whole_numbers_are_as_good_as_any(
    lists: list[list[float | None]],
) -> None:
    hits = halves(lists)
    np.testing.assert_allclose(measure(hits, METRICS), by_definition(hits), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("levels", [255, 256, 257, 300])
def test_more_levels_than_are_counted_give_the_same(levels: int) -> None:
    rng = np.random.default_rng(levels)
    made = [Ranking((3.0, None, 3.0, 3.0), (3.0,)) for _ in range(levels // 4 + 1)]
    hits = replace(hits_of(made), relevance=1.5, lowest=0.0, highest=3.25)
    ratings = np.append(np.arange(levels), rng.integers(0, levels, len(hits.items) - levels))
    hits = replace(hits, ratings=rng.permutation(ratings) * 3.25 / (levels - 1))
    assert len(np.unique(hits.ratings)) == levels
    np.testing.assert_allclose(measure(hits, METRICS), by_definition(hits), rtol=1e-12, atol=1e-12)


def test_a_gain_that_no_rating_has_is_refused_as_by_the_definition() -> None:
    hits = replace(halves([[3.0, 0.5]]), ratings=np.array([3.0, -0.5]))
    with pytest.raises(UnmappableRating, match="ratings of at least 0"):
        measure(hits, [parse("metric", "nDCG@3")])
    with pytest.raises(UnmappableRating, match="gains of at most 1"):
        measure(halves([[3.0]]), [parse("metric", "ERR(gain=rating)")])


def test_a_list_beyond_a_power_of_two_has_a_discount_for_its_last_rank() -> None:
    """Ranks 15, 16, 17 and 31, 32, 33: tables of discounts grow by doubling."""
    for rank in (1, 2, 3, 4, 15, 16, 17, 31, 32, 33):
        hits = hits_of([Ranking((*[None] * (rank - 1), 5.0))])
        found = measure(hits, [parse("metric", "nDCG"), parse("metric", "RBP(p=0.5)")])[:, 0]
        np.testing.assert_allclose(found, [1 / np.log2(rank + 1), 0.5 * 0.5 ** (rank - 1)])


def test_more_judged_targets_than_listed_ones_have_an_ideal() -> None:
    hits = hits_of([Ranking((4.0,), (5.0,) * 9)])
    best = sum(5 / np.log2(k + 1) for k in range(1, 10)) + 4 / np.log2(11)
    assert measure(hits, [parse("metric", "nDCG")])[0, 0] == pytest.approx(4 / best)
