"""Hits: cut, put in order, joined over folds; each judged target keeps what is known of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.folds import join_folds
from cranfield.recommendation.ranking.hits import Hits, in_order, topic_hits
from cranfield.scoring.measurement.measure import measure
from hit_cases import POPULARITY, Ranking, hits_of, rankings
from suites import tries

SOME = settings(deadline=None, max_examples=tries(15))
MADE = st.lists(rankings(), min_size=1, max_size=5)
METRICS = [parse("metric", name) for name in ("P@3", "nDCG", "AP", "AUC", "Bpref", "RBO(p=0.7)")]


def rows(hits: Hits) -> list[tuple[float, ...]]:
    columns = (hits.owners, hits.items, hits.ratings, hits.ranks, hits.first, hits.last)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@SOME
@given(made=MADE, depth=st.integers(1, 16))
def test_cut_hits_are_those_of_cut_lists(made: list[Ranking], depth: int) -> None:
    """Whatever is below the depth is a target that is not in the list, by its code."""
    cut = hits_of(made).cut(depth)
    for topic, each in enumerate(made):
        own, kept = cut.topic(topic), sum(rating is not None for rating in each.ratings[:depth])
        assert own.ranked == kept
        assert own.length == min(depth, len(each.ratings))
        assert own.targets == len(each.ratings) + len(each.unranked) + each.others
        assert (own.ranks <= depth).all()
        unranked = cut.items[cut.offsets[topic] : cut.offsets[topic + 1]][kept:]
        assert unranked.tolist() == sorted(unranked.tolist())


@SOME
@given(made=MADE, depth=st.integers(1, 16))
def test_a_cut_changes_no_score_above_it(made: list[Ranking], depth: int) -> None:
    metrics = [parse("metric", f"{name}@{depth}") for name in ("P", "nDCG", "AP", "RR", "Bpref")]
    hits = hits_of(made)
    np.testing.assert_array_equal(measure(hits.cut(depth), metrics), measure(hits, metrics))


@SOME
@given(made=MADE, seed=st.integers(0, 99))
def test_rows_put_in_order_are_the_same_whatever_their_order(
    made: list[Ranking], seed: int
) -> None:
    hits = hits_of(made)
    rng = np.random.default_rng(seed)
    mixed = np.lexsort((rng.random(len(hits.items)), hits.owners))
    columns = ("items", "ratings", "ranks", "first", "last")
    turned = replace(hits, **{name: getattr(hits, name)[mixed] for name in columns})
    assert rows(in_order(turned)) == rows(hits)


@SOME
@given(left=MADE, right=MADE)
def test_folds_joined_score_as_they_do_apart(left: list[Ranking], right: list[Ranking]) -> None:
    parts = [hits_of(made) for made in (left, right)]
    whole = join_folds(parts)
    users = np.concatenate([part.topics.users for part in parts])
    order = np.argsort(users, kind="stable")
    assert whole.topics.users.tolist() == users[order].tolist()
    apart = np.concatenate([measure(part, METRICS) for part in parts], axis=1)
    np.testing.assert_array_equal(measure(whole, METRICS), apart[:, order])


def test_folds_of_single_relevant_items_keep_their_items_and_segments() -> None:
    parts = []
    for item in (7, 3):
        hits = hits_of([Ranking((5.0,)), Ranking((None, 4.0))])
        items = np.array([item, item + 1], dtype=np.int32)
        topics = Topics(np.array([0, 5], np.int32), items, np.array([item, 0], np.int32))
        parts.append(replace(hits, topics=topics))
    whole = join_folds(parts).topics
    assert whole.items is not None
    assert whole.segments is not None
    assert whole.users.tolist() == [0, 0, 5, 5]
    assert (whole.items.tolist(), whole.segments.tolist()) == ([7, 3, 8, 4], [7, 3, 0, 0])


def test_one_fold_is_itself() -> None:
    hits = hits_of([Ranking((5.0,))])
    assert join_folds([hits]) is hits


def test_the_popularity_of_a_topic_is_that_of_its_items() -> None:
    hits = hits_of([Ranking((5.0,), items=(2,)), Ranking((4.0, 1.0), items=(6, 0))])
    known = hits.topic(1, POPULARITY).popularity
    assert known is not None
    assert known.tolist() == POPULARITY[[6, 0]].tolist()
    assert hits.topic(1).popularity is None


def test_a_topic_by_hand_has_as_many_targets_as_were_said_or_are_known() -> None:
    assert topic_hits([2, 5], [5, 4], unranked=[1]).targets == 5 + 1
    assert topic_hits([2, 5], [5, 4], unranked=[1], length=9).targets == 9 + 1
    assert topic_hits([2], [5], targets=40).targets == 40
    assert topic_hits([], []).length == 0
