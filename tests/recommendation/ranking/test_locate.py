"""Runs from elsewhere are located as if the ranking had been made here."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.base.ragged import count_marked, offsets_of
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.hits import Floats, Hits
from cranfield.recommendation.ranking.locate import list_of, locate
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.ranking.ties import break_ties
from cranfield.recommendation.runs.run import Run, is_tied
from ranking_cases import CHOICES, Fixed, cases, small, targets_of
from suites import tries

FULL = RankingChoice(depth=50)


def rows(hits: Hits) -> list[tuple[float, ...]]:
    columns = (hits.owners, hits.items, hits.ratings, hits.ranks, hits.first, hits.last)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@settings(deadline=None, max_examples=tries(30))
@given(case=cases())
def test_locating_a_full_run_equals_ranking(case):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    targets = targets_of(train, test, relevance)
    ranked = rank(Fixed(table), targets, FULL)
    everything = ranked[0].run
    for name, each, made in zip(CHOICES, targets, ranked, strict=True):
        found = locate(everything, each)
        assert rows(found) == rows(made.hits), name
        assert found.lengths.tolist() == made.hits.lengths.tolist()
        assert found.targets.tolist() == made.hits.targets.tolist()
        assert found.unscored.tolist() == made.hits.unscored.tolist()


@settings(deadline=None, max_examples=tries(40))
@given(case=cases())
def test_lists_keep_their_order_without_what_is_no_target(case):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    targets = targets_of(train, test, relevance)
    run = rank(Fixed(table), targets[:1], RankingChoice(depth=4))[0].run
    for each in targets:
        found = locate(run, each)
        for topic in range(len(each.topics)):
            items, _ = list_of(run, each, topic)
            assert found.lengths[topic] == len(items)
            span = slice(found.offsets[topic], found.offsets[topic + 1])
            for item, place in zip(found.items[span], found.ranks[span], strict=True):
                assert place == (items.index(item) + 1 if item in items else 0)


def run_of(table: Floats, known: int) -> Run:
    """All predictions as lists, what users were trained on among them.

    Items from ``known`` on are those that the collection lacks.
    """
    orders = [np.argsort(-row, kind="stable")[: np.count_nonzero(row == row)] for row in table]
    items = np.concatenate(orders).astype(np.int32)
    made = Run(
        "anything",
        Topics(np.arange(len(table), dtype=np.int32)),
        offsets_of(np.array([len(order) for order in orders])),
        np.where(items < known, items, known - 1 - items).astype(np.int32),
        np.concatenate([row[order] for row, order in zip(table, orders, strict=True)]),
        np.zeros(len(table), np.int64),
        Ids(pl.Series([f"unknown {k}" for k in range(table.shape[1] - known)], dtype=pl.String)),
    )
    return replace(made, tied=count_marked(is_tied(made), made.offsets))


@st.composite
def cases_with_unknown_items(draw: st.DrawFn):  # type: ignore[no-untyped-def]
    """As `cases`, and a run that also holds up to four items that are not in the collection."""
    train, test, relevance, table = draw(cases())
    more = np.array(draw(st.lists(st.integers(0, 8), min_size=4 * len(table), max_size=40)))
    wide = np.resize(more, (len(table), draw(st.integers(0, 4)))).astype(float)
    wide[wide == 8] = np.nan
    levels = draw(st.sampled_from([2, 8, 100]))
    run = run_of(np.hstack([table, wide]) % levels, known=table.shape[1])
    return run, targets_of(train, test, relevance)


@settings(deadline=None, max_examples=tries(60))
@given(case=cases_with_unknown_items())
def test_hits_and_their_ties_are_those_of_lists_without_what_is_not_ranked(case):  # type: ignore[no-untyped-def]
    run, targets = case
    for name, each in zip(CHOICES, targets, strict=True):
        found = locate(run, each)
        for topic in range(len(each.topics)):
            items, predictions = list_of(run, each, topic)
            assert found.lengths[topic] == len(items), name
            for row in range(*found.offsets[topic : topic + 2]):
                item, expected = found.items[row], [0, 0, 0]
                if item in items:
                    equal = [
                        k for k, p in enumerate(predictions) if p == predictions[items.index(item)]
                    ]
                    expected = [items.index(item) + 1, equal[0] + 1, equal[-1] + 1]
                assert [found.ranks[row], found.first[row], found.last[row]] == expected, name


@settings(deadline=None, max_examples=tries(40))
@given(case=cases_with_unknown_items())
def test_unknown_items_are_never_targets_nor_counted_as_unscored(case):  # type: ignore[no-untyped-def]
    run, targets = case
    for name, each in zip(CHOICES, targets, strict=True):
        found = locate(run, each)
        for topic in range(len(each.topics)):
            wanted, (listed, _) = each.of_topic(topic).tolist(), list_of(run, each, topic)
            assert found.targets[topic] == len(wanted), name
            assert found.unscored[topic] == len(set(wanted) - set(listed)), name
            assert (found.items[found.offsets[topic] : found.offsets[topic + 1]] >= 0).all()


@settings(deadline=None, max_examples=tries(30))
@given(case=cases_with_unknown_items())
def test_unknown_items_matter_only_where_everything_is_ranked(case):  # type: ignore[no-untyped-def]
    run, targets = case
    known = run.without_unknown_items()
    for name, each in zip(CHOICES, targets, strict=True):
        some = "head" in name or "train-items" in name
        whole = name in ("all-items", "one-relevant", "one-relevant(judged=all)") or (
            some and each.pools is None and each.eligible.candidates.all()  # nothing is left out
        )
        assert each.restricted != whole, name
        if each.restricted:
            one, other = locate(run, each), locate(known, each)
            assert rows(one) == rows(other)
            assert one.lengths.tolist() == other.lengths.tolist()


@settings(deadline=None, max_examples=tries(30))
@given(case=cases())
def test_ties_broken_on_hits_equal_ties_broken_while_ranking(case):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    targets = targets_of(train, test, relevance)
    plain = rank(Fixed(table), targets, FULL)
    for ties in ("optimistic", "pessimistic"):
        for one, two in zip(
            plain, rank(Fixed(table), targets, replace(FULL, ties=ties)), strict=True
        ):
            broken = break_ties(one.hits, ties)
            assert _by_topic(broken) == _by_topic(two.hits)


def _by_topic(hits: Hits) -> list[tuple[int, int, float]]:
    """Topic, rank and rating of the ranked hits that are relevant or tied with nothing.

    Unjudged items count as lowest in both ways of breaking ties, so ranks agree.
    """
    return list(zip(hits.owners.tolist(), hits.ranks.tolist(), hits.ratings.tolist(), strict=True))


@settings(deadline=None, max_examples=tries(40))
@given(case=cases())
def test_random_ties_stay_within_their_group_and_are_distinct(case):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    for each in rank(Fixed(table), targets_of(train, test, relevance), FULL):
        broken = break_ties(each.hits, "random", seed=3)
        ranked = broken.ranks > 0
        assert (broken.ranks[ranked] >= broken.first[ranked]).all()
        assert (broken.ranks[ranked] <= broken.last[ranked]).all()
        pairs = list(zip(broken.owners[ranked], broken.ranks[ranked], strict=True))
        assert len(set(pairs)) == len(pairs)


UNKNOWN_FIRST = Run(
    "elsewhere",
    Topics(np.array([0], dtype=np.int32)),
    np.array([0, 3]),
    np.array([-1, 0, 2], dtype=np.int32),
    np.array([3.0, 2.0, 1.0]),
    np.array([0]),
    Ids(pl.Series([99])),
)


def test_items_that_the_collection_lacks_keep_their_places() -> None:
    found = locate(UNKNOWN_FIRST, small()[0])
    assert found.ranks.tolist() == [2, 3]
    assert found.lengths.tolist() == [3]
    assert found.unscored.tolist() == [found.targets[0] - 2]


def test_unknown_items_leave_where_only_test_items_are_ranked_be_they_all_items() -> None:
    """Without training ratings, the collection has no other items than those of test."""
    ratings = Ratings.from_triples([1, 1, 1], [1, 2, 3], [5, 4, 3])
    every, tested, *_ = targets_of(ratings.take(np.zeros(3, bool)), ratings, 4)
    assert every.eligible.candidates.tolist() == tested.eligible.candidates.tolist()
    assert locate(UNKNOWN_FIRST, every).ranks.tolist() == [2, 3, 0]
    assert locate(UNKNOWN_FIRST, tested).ranks.tolist() == [1, 2, 0]


def test_a_user_without_a_list_is_not_covered() -> None:
    empty = Run(
        "nothing",
        Topics(np.array([], dtype=np.int32)),
        np.array([0]),
        np.array([], dtype=np.int32),
        np.array([]),
        np.array([], dtype=np.int64),
    )
    found = locate(empty, small()[0])
    assert found.lengths.tolist() == [0]
    assert found.ranks.tolist() == [0, 0]


@pytest.mark.parametrize("ties", ["item-id", "trec_eval", "expected"])
def test_other_rules_leave_hits_alone(ties) -> None:  # type: ignore[no-untyped-def]
    made = rank(Fixed(np.zeros((1, 3))), small(), FULL)[0].hits
    assert break_ties(made, ties) is made
