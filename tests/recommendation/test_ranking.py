"""One pass over users gives what sorting every topic's targets would give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.base.errors import PredictionError
from cranfield.base.ids import Codes
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation import ranking
from cranfield.recommendation.choice import RankingChoice
from cranfield.recommendation.order import order_of
from cranfield.recommendation.ranking import Ranked, rank
from cranfield.recommendation.recommender import Predictions

TIES = ("item-id", "random", "optimistic", "pessimistic", "trec_eval", "expected")
UNSCORED = ("drop", "random", "popularity", "average-rating")
CHOICES = (
    "all-items",
    "test-items",
    "condensed",
    "one-relevant",
    "test-items, one-relevant, sampled(n=3)",
    "one-relevant, sampled(n=3, per=relevant)",
    "sampled(n=4)",
    "percentiles(m=2)",
    "percentiles(m=3), sampled(n=2)",
    "all-items(without_head=0.3)",
    "one-relevant, condensed",
)


class Fixed:
    """A predictor whose predictions are given."""

    def __init__(self, table: Predictions) -> None:
        self.table = table

    def predict(self, users: Codes) -> Predictions:
        return self.table[users]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Ratings, Ratings, float, Predictions]:
    """Training, test, threshold and predictions: few items, many ties, gaps."""
    users, items = draw(st.integers(1, 5)), draw(st.integers(2, 14))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    observed = rng.random((users, items)) < draw(st.sampled_from([0.3, 0.6, 0.9]))
    observed[0, :2] = True
    rows, columns = np.nonzero(observed)
    ratings = Ratings.from_triples(rows, columns, rng.integers(1, 6, len(rows)).astype(float))
    test = rng.random(len(ratings)) < 0.5
    test[:2] = [True, False]
    levels = draw(st.sampled_from([1, 3, 1000]))
    table = rng.integers(0, levels, (ratings.n_users, ratings.n_items)).astype(float)
    table[rng.random(table.shape) < draw(st.sampled_from([0.0, 0.3, 1.0]))] = np.nan
    return ratings.take(~test), ratings.take(test), float(draw(st.integers(1, 5))), table


def targets_of(train: Ratings, test: Ratings, relevance: float) -> list[Targets]:
    judgments = judge(test, relevance, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, entering="all"))
    return [parse_targets(text).choose(users, train, judgments, seed=3) for text in CHOICES]


def expected_rows(
    items: list[int], values: list[tuple[float, float]], judged: dict[int, float], aim: list[int]
) -> list[tuple[int, float, int, int, int]]:
    """Item, rating, rank, first and last possible rank of each judged target."""
    rows = [
        (
            item,
            judged[item],
            place + 1,
            values.index(values[place]) + 1,
            len(values) - values[::-1].index(values[place]),
        )
        for place, item in enumerate(items)
        if item in judged
    ]
    lost = [item for item in aim if item in judged and item not in items]
    return rows + [(item, judged[item], 0, 0, 0) for item in lost]


def check(ranked: Ranked, targets: Targets, table: Predictions, choice: RankingChoice) -> None:
    hits, run, test = ranked.hits, ranked.run, targets.judgments.ratings
    for topic, user in enumerate(targets.topics.users):
        aim = targets.of_topic(topic).tolist()
        items, values = order_of(table[user], targets, topic, choice)
        own = slice(test.user_offsets[user], test.user_offsets[user + 1])
        judged = dict(zip(test.items[own].tolist(), test.values[own].tolist(), strict=True))
        rows = slice(hits.offsets[topic], hits.offsets[topic + 1])
        columns = (hits.items, hits.ratings, hits.ranks, hits.first, hits.last)
        found = list(zip(*(column[rows].tolist() for column in columns), strict=True))
        assert found == expected_rows(items, values, judged, aim)
        assert hits.lengths[topic] == len(items)
        assert hits.targets[topic] == len(aim)
        assert hits.unscored[topic] == np.isnan(table[user][aim]).sum()
        head = run.items[run.offsets[topic] : run.offsets[topic + 1]].tolist()
        assert head == items[: choice.depth]
        neighbours = zip([None, *values], values, [*values[1:], None], strict=False)
        tied = [value in (above, below) for above, value, below in neighbours]
        assert run.tied[topic] == sum(tied[: choice.depth])


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("unscored", UNSCORED)
@settings(deadline=None, max_examples=8)
@given(case=cases(), depth=st.integers(1, 6))
def test_one_pass_equals_sorting_the_targets_of_every_topic(case, depth, ties, unscored):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    choice = RankingChoice(ties=ties, unscored=unscored, depth=depth, seed=5)
    targets = targets_of(train, test, relevance)
    for ranked, each in zip(rank(Fixed(table), targets, choice), targets, strict=True):
        check(ranked, each, table, choice)


@pytest.mark.slow
@settings(deadline=None, max_examples=3000)
@given(
    case=cases(),
    depth=st.integers(1, 6),
    ties=st.sampled_from(TIES),
    unscored=st.sampled_from(UNSCORED),
)
def test_one_pass_equals_sorting_on_thousands_of_cases(case, depth, ties, unscored):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    choice = RankingChoice(ties=ties, unscored=unscored, depth=depth, seed=5)
    targets = targets_of(train, test, relevance)
    for ranked, each in zip(rank(Fixed(table), targets, choice), targets, strict=True):
        check(ranked, each, table, choice)


@settings(deadline=None, max_examples=25)
@given(case=cases(), size=st.sampled_from([1, 64, 1 << 20]), threads=st.sampled_from(["1", "2"]))
def test_neither_batch_size_nor_threads_change_a_digit(case, size, threads):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    targets = targets_of(train, test, relevance)
    choice = RankingChoice(ties="random", unscored="random", depth=3)
    with pytest.MonkeyPatch.context() as patch:
        usual = rank(Fixed(table), targets, choice)
        patch.setattr(ranking, "_BYTES_AT_ONCE", size)
        patch.setenv("CRANFIELD_THREADS", threads)
        other = rank(Fixed(table), targets, choice)
    for one, two in zip(usual, other, strict=True):
        assert one.hits.ranks.tolist() == two.hits.ranks.tolist()
        assert one.run.items.tolist() == two.run.items.tolist()


@settings(deadline=None, max_examples=25)
@given(case=cases())
def test_condensed_order_equals_full_order(case):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    full, _, condensed, *_ = rank(Fixed(table), targets_of(train, test, relevance))
    assert full.hits.items.tolist() == condensed.hits.items.tolist()


def small() -> list[Targets]:
    ratings = Ratings.from_triples([1, 1, 1], [1, 2, 3], [5, 4, 3])
    test = np.array([True, False, True])
    return targets_of(ratings.take(~test), ratings.take(test), 4)


def test_an_infinite_prediction_is_refused() -> None:
    with pytest.raises(PredictionError, match="an infinite prediction"):
        rank(Fixed(np.array([[1.0, np.inf, 2.0]])), small())


def test_predictions_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(PredictionError, match=r"shape \(1, 2\) where shape \(1, 3\)"):
        rank(Fixed(np.array([[1.0, 2.0]])), small())
