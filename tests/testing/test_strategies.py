"""The strategies reach the awkward cases, and what they make up is well formed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.scores import Scores
from cranfield.significance.samples.samples import Samples
from cranfield.testing import (
    Ranking,
    collections,
    hits,
    hits_of,
    judgments,
    p_values,
    rankings,
    ratings,
    samples,
    scores,
    training_sets,
)
from cranfield.testing.described import described
from cranfield.testing.rankings import all_orders, better_swaps, tie_orders, topic_of
from cranfield.testing.strategies import in_two_orders, renamed, scores_of
from suites import tries

QUICK = settings(deadline=None, max_examples=tries(40), suppress_health_check=list(HealthCheck))
SOUGHT = settings(QUICK, max_examples=tries(3000), phases=[Phase.generate], database=None)

AWKWARD: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], bool]]] = {
    "a single rating": (ratings(), lambda r: len(r) == 1),
    "one user with several ratings": (ratings(), lambda r: r.n_users == 1 and len(r) > 2),
    "one item of several users": (ratings(), lambda r: r.n_items == 1 and len(r) > 2),
    "ids of text": (ratings(), lambda r: r.user_ids.are_text),
    "no times": (ratings(), lambda r: r.timestamps is None),
    "equal times": (ratings(times=True), lambda r: len(r) > 2 and len(set(r.timestamps)) == 1),
    "a negative rating": (ratings(), lambda r: r.values.min() < 0),
    "nothing relevant": (judgments(), lambda j: len(j) > 1 and not j.relevant.any()),
    "all relevant": (judgments(), lambda j: len(j) > 1 and j.relevant.all()),
    "a cold user": (training_sets(), lambda r: (r.user_counts == 0).any()),
    "a cold item": (training_sets(), lambda r: (r.item_counts == 0).any()),
    "a user without test": (
        collections(),
        lambda c: (c.judgments.ratings.user_counts == 0).any(),
    ),
    "an item without training": (collections(), lambda c: (c.train.item_counts == 0).any()),
    "kept training items": (collections(), lambda c: c.keeps_training),
    "an empty list": (rankings(), lambda r: not r.ratings and len(r.unranked) > 0),
    "a list without judged items": (rankings(), lambda r: r.ratings == (None, None)),
    "all tied": (rankings(ties=True), lambda r: r.ties == (len(r.ratings),) and r.ties[0] > 2),
    "a list shorter than the cut-off": (hits(), lambda h: 0 < h.lengths.max() < 3),
    "an uncovered topic": (scores(), lambda s: not s.covered.all()),
    "an undefined score": (scores(), lambda s: np.isnan(s.values).any()),
    "several topics of a user": (scores(), lambda s: s.n_users < len(s)),
    "users without a rating": (scores(counts=True), lambda s: not s.judged.any()),
    "segments": (scores(segments=True), lambda s: len(set(s.topics.segments)) > 1),
    "systems that never differ": (samples(), lambda s: np.ptp(s.values, axis=0).max() == 0),
    "equal p-values": (p_values(), lambda p: len(p) > 2 and len(set(p)) == 1),
}


@pytest.mark.parametrize("case", AWKWARD)
def test_the_awkward_case_is_reached(case: str) -> None:
    strategy, is_awkward = AWKWARD[case]
    assert is_awkward(find(strategy, is_awkward, settings=SOUGHT))


@QUICK
@given(made=ratings(), judged=judgments(), collection=collections(), hit=hits())
def test_each_strategy_makes_its_noun(
    made: Ratings, judged: Judgments, collection: TestCollection, hit: Hits
) -> None:
    assert len(made) >= 1
    assert isinstance(judged, Judgments)
    assert collection.train.item_ids is collection.judgments.ratings.item_ids
    assert len(hit) == len(hit.lengths) == len(hit.topics)
    assert (hit.targets >= hit.lengths).all()


@QUICK
@given(orders=in_two_orders(ratings()))
def test_another_order_of_rows_is_the_same_content(orders: tuple[Ratings, Ratings]) -> None:
    one, other = orders
    assert one.fingerprint == other.fingerprint


@QUICK
@given(made=ratings())
def test_other_names_keep_codes_values_and_the_order_of_ids(made: Ratings) -> None:
    other = renamed(made)
    assert other.user_ids != made.user_ids
    for name in ("users", "items", "values"):
        assert (getattr(other, name) == getattr(made, name)).all()
    assert other.item_ids.values.is_sorted()


@QUICK
@given(swap=better_swaps())
def test_a_better_swap_exchanges_two_items(swap: tuple[Ranking, Ranking]) -> None:
    before, after = swap
    changed = [at for at, pair in enumerate(zip(before.ratings, after.ratings, strict=True))
               if pair[0] != pair[1]]  # fmt: skip
    assert len(changed) == 2
    high, low = changed
    assert before.ratings[high] == after.ratings[low]
    assert before.ratings[low] == after.ratings[high]
    assert (after.ratings[high] or 0) > (after.ratings[low] or 0)


def test_ties_come_in_every_order_and_items_keep_their_ratings() -> None:
    ranking = Ranking((5.0, 1.0, None), ties=(2, 1), items=(7, 9, 3))
    made = tie_orders(ranking)
    assert [order.ratings for order in made] == [(5.0, 1.0, None), (1.0, 5.0, None)]
    assert [order.items[:2] for order in made] == [(7, 9), (9, 7)]


def test_all_orders_hold_every_target() -> None:
    made = all_orders(Ranking((5.0,), unranked=(1.0,), others=1))
    assert len(made) == 3 * 2 * 1
    assert {order.ratings.index(5.0) for order in made} == {0, 1, 2}
    assert all(not order.unranked and not order.others for order in made)


def test_hits_of_a_ranking_by_hand() -> None:
    topic = topic_of(Ranking((None, 5.0, 2.0), unranked=(4.0,), others=6, ties=(1, 2)))
    assert topic.ranks.tolist() == [2, 3, 0]
    assert topic.ratings.tolist() == [5, 2, 4]
    assert topic.first.tolist() == [2, 2, 0]
    assert topic.last.tolist() == [3, 3, 0]
    assert (topic.length, topic.targets) == (3, 3 + 1 + 6)


def test_a_ranking_shows_its_judged_items_alone() -> None:
    assert repr(Ranking((None, 5.0), unranked=(1.0,))) == (
        "Ranking(ratings=(None, 5.0), unranked=(1.0,), others=0, ties=(), items=(0, 1))"
    )


SHOWN = Ratings.from_triples(["a", "b"], [1, 1], [5.0, 3.0])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (SHOWN, "ratings [('a', 1, 5.0), ('b', 1, 3.0)]"),
        (Judgments(SHOWN, 4, 1, 5), "judgments (relevant from 4) of ratings [('a', 1, 5.0)"),
        (
            TestCollection(SHOWN, Judgments(SHOWN, 4, 1, 5), keeps_training=True),
            "training kept ratings [('a', 1, 5.0)",
        ),
        (hits_of([Ranking((5.0,))]), "hits (topic, item, rating, rank) [(0, 0, 5.0, 1)]"),
        (scores_of({"A": [0.5, None]}), "scores {'A': [[0.5, 0.5]]}, covered [[True, False]]"),
        ([1, "a"], "[1, 'a']"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_case_is_described_by_what_it_holds(value: object, text: str) -> None:
    assert described(value).startswith(text)


def test_a_long_description_is_cut() -> None:
    assert described("x" * 9000).endswith("… (9,002 characters in all)")


@QUICK
@given(sampled=samples(), measured=scores())
def test_samples_and_scores_are_described_system_by_system(
    sampled: Samples, measured: Scores
) -> None:
    assert "'a':" in described(sampled)
    assert "'s0':" in described(measured)
    assert isinstance(measured.user_ids, Ids)
