"""Laws of run metrics: within bounds, whatever users and items are called."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts
from cranfield.base.ids import Ids
from cranfield.base.ragged import offsets_of
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.items import facts_of_items
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.run_metric import RunFacts
from cranfield.testing.law import law, require, require_close, require_equal
from cranfield.testing.strategies import training

_SLACK = 1e-9
_FOREIGN = 3
"""How many items of lists the collection may lack."""


@dataclass(frozen=True)
class ShownLists:
    """ShownLists of item codes, one per user; those below 0 are unknown to the collection.

    ``train`` and ``test`` are ratings of users × items, NaN without one.
    """

    lists: tuple[tuple[int, ...], ...]
    train: tuple[tuple[float, ...], ...]
    test: tuple[tuple[float, ...], ...]

    @property
    def run(self) -> Run:
        """The lists as a run."""
        items = np.array([item for one in self.lists for item in one], dtype=np.int32)
        ranks = [float(rank) for one in self.lists for rank in range(len(one))]
        return Run(
            "A",
            Topics(np.arange(len(self.lists), dtype=np.int32)),
            offsets_of(np.array([len(one) for one in self.lists], dtype=np.int64)),
            items,
            -np.array(ranks),
            np.zeros(len(self.lists), dtype=np.int64),
            Ids(pl.Series([f"foreign {number}" for number in range(_FOREIGN)])),
        )

    @property
    def facts(self) -> RunFacts:
        """Popularity, vectors and labels ("kind") of all items, and the judgments."""
        train, test = training(self.train), training(self.test)
        angles = np.bincount(train.items, train.values, train.n_items)
        vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        kinds = (angles[:, None] % 3 == np.arange(3)).astype(np.float64)
        labels = {"kind": ItemLabels("kind", ("a", "b", "c"), kinds)}
        return RunFacts(facts_of_items(train, vectors, labels), judge(test, 4, (1, 5)))

    def relabelled(self, users: list[int], items: list[int]) -> ShownLists:
        """The same lists of users in another order, who were shown items in another one."""
        codes = {old: new for new, old in enumerate(items)}
        return ShownLists(
            tuple(tuple(codes.get(item, item) for item in self.lists[user]) for user in users),
            tuple(tuple(self.train[user][item] for item in items) for user in users),
            tuple(tuple(self.test[user][item] for item in items) for user in users),
        )


@st.composite
def _shown(draw: st.DrawFn) -> ShownLists:
    """A few lists: empty, foreign items, cold users, items that nobody rated."""
    users, items = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    known = st.sampled_from(range(-_FOREIGN, items))
    rows = st.lists(known, unique=True, max_size=items + _FOREIGN).map(tuple)
    lists = tuple(draw(rows) for _ in range(users))
    cells = st.lists(
        st.sampled_from([math.nan, 5.0, 1.0, 4.0]), min_size=items, max_size=items
    ).map(tuple)
    train, test = (tuple(draw(cells) for _ in range(users)) for _ in range(2))
    return ShownLists(lists, train, test)


def _value(metric: Any, shown: ShownLists) -> float:
    found: float = metric.of_run(shown.run, shown.facts)
    return found


def _is_cut(metric: Any) -> bool:
    cutoff = getattr(metric, "cutoff", None)
    return isinstance(cutoff, int) and not metric.needs_whole_lists


@law("run-metric", shown=_shown(), examples=100)
def values_stay_within_the_declared_bounds(metric: Any, shown: ShownLists) -> None:
    """A value is a number from ``lowest`` to ``highest``, or NaN where it is undefined."""
    value = _value(metric, shown)
    require(isinstance(value, float), f"{value!r} is not a number")
    within = metric.lowest - _SLACK <= value <= metric.highest + _SLACK
    bounds = f"{metric.lowest:g} to {metric.highest:g}"
    require(math.isnan(value) or within, f"{value} is not within {bounds}")


@law("run-metric", shown=_shown(), seed=st.integers(0, 99), examples=100)
def other_labels_for_users_and_items_change_no_value(
    metric: Any, shown: ShownLists, seed: int
) -> None:
    """A run has the same value when users and items have other codes."""
    rng = np.random.default_rng(seed)
    users = rng.permutation(len(shown.lists)).tolist()
    items = rng.permutation(len(shown.train[0])).tolist()
    again = _value(metric, shown.relabelled(users, items))
    require_close(again, _value(metric, shown), "the value under other codes", _SLACK)


@law("run-metric", when=_is_cut, shown=_shown(), examples=100)
def what_is_below_the_cut_off_does_not_matter(metric: Any, shown: ShownLists) -> None:
    """Unless ``needs_whole_lists`` is true, lists have the value of the same lists cut at the
    cut-off.
    """
    top = replace(shown, lists=tuple(one[: metric.cutoff] for one in shown.lists))
    require_close(_value(metric, shown), _value(metric, top), "lists against their tops", _SLACK)


@law("run-metric", shown=_shown())
def predictions_do_not_matter(metric: Any, shown: ShownLists) -> None:
    """A run metric looks at the order of lists, not at the numbers that made it."""
    run, facts = shown.run, shown.facts
    other = replace(run, predictions=np.full(len(run.items), np.nan))
    require_equal(metric.of_run(other, facts), metric.of_run(run, facts), "other predictions")


@law("run-metric")
def what_is_needed_is_asked_for(metric: Any) -> None:
    """A metric that needs item vectors says so, and refuses a run without them."""
    shown = ShownLists(((0, 1), (1,)), ((5.0, 4.0), (1.0, math.nan)), ((math.nan, 5.0), (5.0, 4.0)))
    facts = RunFacts(facts_of_items(Ratings.from_triples([0, 0, 1], [0, 1, 0])))
    try:
        metric.of_run(shown.run, facts)
    except MissingFacts:
        return
    require(not metric.needs_vectors, "a value is given without the vectors that it needs")
