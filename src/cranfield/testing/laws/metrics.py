"""Laws of metrics: a score depends on the topic alone, within the declared bounds."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.expectation.closed_forms import has_closed_form
from cranfield.scoring.expectation.expectation import expect
from cranfield.scoring.kernels.forms import has_kernel
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import cutoff_of, expects_ties, is_better_higher
from cranfield.scoring.scores import Floats
from cranfield.testing.law import law, require, require_close, require_equal, threads
from cranfield.testing.rankings import (
    POPULARITY,
    Ranking,
    all_orders,
    better_swaps,
    hits_of,
    rankings,
    relabelled,
    tie_orders,
    topic_of,
)

_ROUNDING = 1e-12
_TOPICS = st.lists(rankings(), min_size=1, max_size=6)


@lru_cache(maxsize=16)
def _hits(*made: Ranking) -> Hits:
    """The hits of rankings, made once for all metrics that a case is tried on."""
    return hits_of(made)


@lru_cache(maxsize=16)
def _orders(ranking: Ranking) -> Hits:
    """The hits of a ranking with its tied items in every order."""
    return hits_of(tie_orders(ranking))


def _score(metric: Any, ranking: Ranking) -> float:
    score: float = metric.of_topic(_hits(ranking).topic(0, POPULARITY))
    return score


def _measured(hits: Hits, metric: Any) -> Floats:
    scores: Floats = measure(hits, [metric], popularity=POPULARITY)[0]
    return scores


def _expects(metric: Any) -> bool:
    return expects_ties(metric)


def _has_cutoff(metric: Any) -> bool:
    return isinstance(getattr(metric, "cutoff", None), int)


@cache
def _many() -> Hits:
    """So many topics that several threads score them."""
    rng = np.random.default_rng(5)
    pool = [None, None, 1.0, 3.0, 4.0, 5.0]
    listed = (rng.integers(0, 6, rng.integers(0, 12)) for _ in range(2500))
    return hits_of([Ranking(tuple(pool[i] for i in places), (4.0,)) for places in listed])


@law("metric", ranking=rankings(), examples=100)
def scores_stay_within_the_declared_bounds(metric: Any, ranking: Ranking) -> None:
    """A score is a number from ``lowest`` to ``highest``, or NaN where it is undefined."""
    score = _score(metric, ranking)
    require(isinstance(score, float), f"{score!r} is not a number")
    within = metric.lowest - _ROUNDING <= score <= metric.highest + _ROUNDING
    bounds = f"{metric.lowest:g} to {metric.highest:g}"
    require(math.isnan(score) or within, f"{score} is not within {bounds}")


def _rewards_swaps(metric: Any) -> bool:
    return bool(metric.rewards_swaps) and is_better_higher(metric)


@law("metric", when=_rewards_swaps, swap=better_swaps(), examples=250)
def a_better_swap_never_lowers_the_score(metric: Any, swap: tuple[Ranking, Ranking]) -> None:
    """Where ``rewards_swaps`` is true, a better item that changes places with a worse one
    above it never lowers the score, and makes nothing undefined.
    """
    low, high = (_score(metric, ranking) for ranking in swap)
    same = math.isnan(low) == math.isnan(high)
    better = math.isnan(low) or high >= low - _ROUNDING
    require(same and better, f"the score was {low} before the swap and {high} after it")


@law("metric", made=_TOPICS, seed=st.integers(0, 99), examples=100)
def other_labels_for_users_change_no_score(metric: Any, made: list[Ranking], seed: int) -> None:
    """Topics have the same scores, bit for bit, in any order and under any user."""
    order = np.random.default_rng(seed).permutation(len(made))
    hits = _hits(*made)
    again = _measured(relabelled(hits, order.tolist()), metric)
    require_equal(again, _measured(hits, metric)[order], "scores of topics in another order")


@law("metric", ranking=rankings(), shift=st.integers(1, 30), examples=100)
def other_labels_for_items_change_no_score(metric: Any, ranking: Ranking, shift: int) -> None:
    """A topic has the same score, bit for bit, when its items have other codes."""
    hits = _hits(ranking)
    other = replace(hits, items=hits.items + np.int32(shift))
    again = measure(other, [metric], popularity=np.roll(POPULARITY, shift))[0]
    require_equal(again, _measured(hits, metric), "the score under other item codes")


@law("metric", made=_TOPICS, examples=100)
def many_topics_are_scored_as_the_definition_says(metric: Any, made: list[Ranking]) -> None:
    """Measuring many topics, by a kernel or not, gives what ``of_topic`` gives for each."""
    hits = _hits(*made)
    defined = [metric.of_topic(hits.topic(number, POPULARITY)) for number in range(len(hits))]
    require_close(_measured(hits, metric), defined, "measured scores against the definition")


@law("metric", when=has_kernel)
def the_number_of_threads_changes_no_bit(metric: Any) -> None:
    """Scores are the same, bit for bit, however many threads measure them."""
    hits = _many()
    with threads(1):
        alone = _measured(hits, metric)
    for count in (2, 3):
        with threads(count):
            require_equal(_measured(hits, metric), alone, f"scores with {count} threads")


@law("metric", when=_has_cutoff, ranking=rankings(), examples=100)
def what_is_below_the_cut_off_does_not_matter(metric: Any, ranking: Ranking) -> None:
    """A metric with a cut-off scores a list as it scores the same list cut there."""
    top = _hits(ranking).cut(metric.cutoff).topic(0, POPULARITY)
    require_close(_score(metric, ranking), metric.of_topic(top), "the list against its top")


@law(
    "metric",
    when=lambda metric: cutoff_of(metric) is not None,
    ranking=rankings(ties=True),
    examples=100,
)
def what_cannot_stand_within_the_cut_off_does_not_matter(metric: Any, ranking: Ranking) -> None:
    """Where no tie rule brings a judged item above the cut-off, its rank changes no bit of a
    score: so such ranks need not be found.
    """
    whole = _hits(ranking)
    found, wanted = (_measured(hits, metric) for hits in (whole.within(metric.cutoff), whole))
    require_equal(found, wanted, "scores without such ranks")


@law("metric", ranking=rankings(), more=st.integers(1, 9), examples=100)
def unjudged_targets_outside_the_list_change_no_score(
    metric: Any, ranking: Ranking, more: int
) -> None:
    """How many unjudged targets are not in the list does not matter."""
    larger = replace(ranking, others=ranking.others + more)
    found, wanted = (_score(metric, each) for each in (larger, ranking))
    require_close(found, wanted, f"{more} more unjudged targets")


@law("metric", when=lambda metric: metric.higher_is_better)
def a_topic_without_judged_items_is_undefined(metric: Any) -> None:
    """Where nothing is judged there is nothing to score: NaN, not 0."""
    score = _score(metric, Ranking((None, None)))
    require(math.isnan(score), f"the score is {score}, not NaN")


@law("metric", ranking=rankings())
def a_topic_is_left_as_it_is(metric: Any, ranking: Ranking) -> None:
    """A metric changes nothing in the hits that it scores, and scores them alike again."""
    topic, before = topic_of(ranking), topic_of(ranking)
    first = metric.of_topic(topic)
    for name in ("ranks", "ratings", "first", "last", "popularity"):
        require_equal(getattr(topic, name), getattr(before, name), f"{name} were changed")
    require_equal(metric.of_topic(topic), first, "the score of the same topic once more")


@law("metric", when=_expects, ranking=rankings(), examples=100)
def an_expectation_without_ties_is_the_score(metric: Any, ranking: Ranking) -> None:
    """Where nothing is tied, the expected score is the score."""
    expected = metric.expected_of_topic(_hits(ranking).topic(0, POPULARITY))
    require_close(expected, _score(metric, ranking), "expected and scored")


@law("metric", when=_expects, ranking=rankings(longest=5, ties=True), examples=60)
def an_expectation_is_the_mean_over_all_orders_of_ties(metric: Any, ranking: Ranking) -> None:
    """The expected score is the mean score over all orders of tied items."""
    orders = _orders(ranking)
    scores = [metric.of_topic(orders.topic(at, POPULARITY)) for at in range(len(orders))]
    expected = metric.expected_of_topic(_hits(ranking).topic(0, POPULARITY))
    require_close(expected, sum(scores) / len(scores), "expected and mean", 1e-9)


@law(
    "metric",
    when=lambda metric: _expects(metric) or has_closed_form(metric),
    ranking=rankings(longest=3),
    depth=st.sampled_from([None, 1, 3]),
    examples=25,
)
def a_random_ranking_scores_what_is_expected_of_it(
    metric: Any, ranking: Ranking, depth: int | None
) -> None:
    """The expectation of a random ranking is the mean score over all orders of the targets."""
    few = replace(ranking, unranked=ranking.unranked[:1], others=min(ranking.others, 1))
    hits, orders = _hits(few), _hits(*all_orders(few))
    if depth is not None and cutoff_of(metric) is None:
        orders = orders.cut(depth)
    found = expect(hits, [metric], depths=(depth,), popularity=POPULARITY)[depth]
    require(not found.estimated[0], "the expectation is estimated, though an exact one is known")
    mean = _measured(orders, metric).mean()
    require_close(found.values[0, 0], mean, "expected and mean", 1e-9)
