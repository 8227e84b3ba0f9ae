"""Small collections with predictions full of ties and gaps, for tests of ranking."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import strategies as st

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.base.ids import Codes
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.recommendation.recommender import Factors, Predictions, Predictor

TIES = ("item-id", "random", "optimistic", "pessimistic", "trec_eval", "expected")
UNSCORED = (
    *("drop", "random", "popularity", "average-rating", "minimum"),
    *("merged(by=popularity)", "merged(by=average-rating)"),
)
CHOICES = (
    "all-items",
    "test-items",
    "condensed",
    "one-relevant",
    "test-items, one-relevant, sampled(n=3)",
    "one-relevant, sampled(n=3, per=relevant)",
    "sampled(n=4)",
    "one-relevant(judged=all)",
    "one-relevant(judged=all), sampled(n=5)",
    "percentiles(m=2)",
    "percentiles(m=2, judged=all), sampled(n=2)",
    "percentiles(m=3), sampled(n=2)",
    "all-items(without_head=0.3)",
    "train-items, one-relevant",
    "all-items(only_head=0.5, head_of=ratings), judged-and-sampled(n=2)",
    "one-relevant, sampled(n=2, of=unrated)",
    "one-relevant, condensed",
    "percentiles(m=2), condensed",
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
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    return [
        parse_targets(text).choose(users, TestCollection(train, judgments), seed=3)
        for text in CHOICES
    ]


def small() -> list[Targets]:
    ratings = Ratings.from_triples([1, 1, 1], [1, 2, 3], [5, 4, 3])
    test = np.array([True, False, True])
    return targets_of(ratings.take(~test), ratings.take(test), 4)


class Hidden:
    """A model of which nothing is known but what it predicts."""

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor

    def predict(self, users: Codes) -> Predictions:
        return self._predictor.predict(users)


def columns(hits: Hits) -> dict[str, Any]:
    """All that hits hold, as it can be compared."""
    names = [each.name for each in fields(hits) if each.name != "topics"]
    values = {name: getattr(hits, name) for name in names}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def heads(ranked: Ranked) -> list[Any]:
    run = ranked.run
    return [repr(each.tolist()) for each in (run.offsets, run.items, run.predictions, run.tied)]


def wide(users: int = 30, items: int = 5000, factors: int = 7) -> tuple[Ratings, Ratings, Factors]:
    """More items than are compared side by side, most of them without training ratings."""
    rng = np.random.default_rng(4)
    user, item = np.repeat(np.arange(users), 40), rng.integers(0, items, users * 40)
    user, item = np.unique(np.stack([[*user, 0], [*item, items - 1]]), axis=1)
    whole = Ratings.from_triples(user, item, rng.integers(1, 6, len(user)).astype(float))
    test = rng.random(len(whole)) < 0.4
    x, y = (rng.normal(size=(n, factors)) for n in (whole.n_users, whole.n_items))
    known = np.ones(whole.n_users, bool), rng.random(whole.n_items) < 0.95
    return whole.take(~test), whole.take(test), Factors(x, np.ascontiguousarray(y.T), *known)
