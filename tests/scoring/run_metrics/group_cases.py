"""Small worlds of lists, training and test pairs, and labels, for metrics of item groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.items import facts_of_items
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.scoring.run_metric import RunFacts
from run_cases import run_of

ITEMS = 6
Pairs = list[list[int]]
"""The items of each user."""


@dataclass(frozen=True)
class World:
    """For each user a list, training items, and relevant ones; a kind, or none, for each item."""

    lists: Pairs
    train: Pairs
    relevant: Pairs
    kinds: list[list[str]]

    @property
    def facts(self) -> RunFacts:
        train, test = _ratings(self.train), _ratings(self.relevant)
        return RunFacts(facts_of_items(train, labels={"kind": self.labels}), judge(test, 4, (1, 5)))

    @property
    def labels(self) -> ItemLabels:
        return ItemLabels("kind", ("a", "b"), np.array([self.shares(i) for i in range(ITEMS)]))

    def shares(self, item: int) -> list[float]:
        """How much of an item each kind has."""
        own = self.kinds[item]
        return [(kind in own) / max(len(own), 1) for kind in ("a", "b")]

    def value(self, spelled: str) -> float:
        chosen: Any = parse("run-metric", spelled)
        return float(chosen.of_run(run_of(*self.lists), self.facts))


def _ratings(pairs: Pairs) -> Ratings:
    """Ratings of 5 of these pairs, of users and items that are numbered."""
    users = [user for user, items in enumerate(pairs) for _ in items]
    items = [item for each in pairs for item in sorted(each)]
    made = Ratings.from_triples(users or [0], items or [0], [5.0] * max(len(users), 1))
    made = made if users else made.take(np.zeros(0, dtype=np.int64))
    return made.reindex(Ids(pl.Series(range(len(pairs)))), Ids(pl.Series(range(ITEMS))))


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Lists with an item that the collection lacks (−1); nothing is in training and test."""
    users = draw(st.integers(1, 4))
    lists, train, relevant = [], [], []
    for _ in range(users):
        place = draw(st.lists(st.sampled_from("tro"), min_size=ITEMS, max_size=ITEMS))
        train.append([item for item in range(ITEMS) if place[item] == "t"])
        relevant.append([item for item in range(ITEMS) if place[item] == "r"])
        shown = [-1, *(item for item in range(ITEMS) if place[item] != "t")]
        lists.append(draw(st.lists(st.sampled_from(shown), unique=True)))
    kinds = draw(
        st.lists(st.sampled_from([["a"], ["b"], ["a", "b"], []]), min_size=ITEMS, max_size=ITEMS)
    )
    return World(lists, train, relevant, kinds)
