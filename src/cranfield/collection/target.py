"""Targets: the items to rank for each topic; three independent choices make them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint
from cranfield.base.ids import Codes
from cranfield.base.options import contract
from cranfield.base.ragged import Ragged
from cranfield.base.seeds import Seeds
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics

Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]


@contract("candidates")
class Candidates(Protocol):
    """Which items may be targets at all, C (decision C1)."""

    needs_catalogue: ClassVar[bool] = True
    """Whether it takes all items of the collection, rather than those of test."""

    def choose(self, collection: TestCollection) -> Mask:
        """For each item, whether it is a candidate."""
        ...


@contract("relevant")
class Relevant(Protocol):
    """How many relevant items one ranking holds (decision C1)."""

    def choose(self, users: Topics, collection: TestCollection, candidates: Mask) -> Topics:
        """The topics: users, or users with one relevant item each."""
        ...


@contract("nonrelevant")
class Nonrelevant(Protocol):
    """Which non-relevant items are ranked with the relevant ones, N_u (decision C1)."""

    needs_catalogue: ClassVar[bool] = True
    """Whether it takes other candidates than those that the user judged."""

    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools | None:
        """The pools that are listed item by item; None if all eligible items are in."""
        ...


@dataclass(frozen=True, eq=False)
class Eligible:
    """The items that may be in N_u: candidates, neither relevant to u nor in u's training.

    Where ``segments`` gives each item a popularity segment, a topic of segment s is
    limited to the items of s.
    """

    collection: TestCollection
    candidates: Mask
    segments: npt.NDArray[np.int32] | None

    def of_topic(self, topics: Topics, number: int) -> Codes:
        """The eligible items of one topic, ascending."""
        user = topics.users[number]
        eligible = self.candidates.copy()
        if self.segments is not None and topics.segments is not None:
            eligible &= self.segments == topics.segments[number]
        eligible[items_of(self.collection.excluded, user)] = False
        eligible[items_of(self.collection.judgments.positives, user)] = False
        return np.flatnonzero(eligible).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Pools:
    """Non-relevant targets listed item by item, each list ascending; topics may share one.

    ``of_topic[t]`` is the pool of topic t and never falls. ``short`` counts the pools
    that could not be filled to the size asked for. ``drawn_from`` is how many items each
    pool is a random sample of; None unless they all are.
    """

    items: Ragged
    of_topic: npt.NDArray[np.int64]
    short: int = 0
    drawn_from: Counts | None = None


@dataclass(frozen=True, eq=False)
class Targets:
    """The items to rank for each topic.

    The targets of a topic are its relevant items (all of PR_test(u) among the candidates,
    or the topic's one item) and its non-relevant ones: a listed pool, or all eligible
    items. They never hold an item of the user's training. They do not depend on any
    system. ``restricted`` tells that the choice leaves out other items too: then items that
    are not in the collection leave a given list as all other non-targets do. ``only_relevant``
    tells that relevant targets alone are judged.
    """

    name: str
    topics: Topics
    eligible: Eligible
    pools: Pools | None
    restricted: bool
    only_relevant: bool = False

    @property
    def judgments(self) -> Judgments:
        """The judgments that the targets were chosen by."""
        return self.eligible.collection.judgments

    @property
    def judged(self) -> Ratings:
        """The test ratings that rankings are judged by: all, or those of relevant items."""
        return self.judgments.positives if self.only_relevant else self.judgments.ratings

    @property
    def collection(self) -> TestCollection:
        """The test collection that the targets are items of."""
        return self.eligible.collection

    @property
    def train(self) -> Ratings:
        """The training ratings."""
        return self.collection.train

    @property
    def excluded(self) -> Ratings:
        """The pairs that are never ranked."""
        return self.collection.excluded

    @property
    def population(self) -> Counts | None:
        """How many targets each topic of one relevant item would have, were all ranked.

        None unless the others are a random sample.
        """
        pools = self.pools
        if self.topics.items is None or pools is None or pools.drawn_from is None:
            return None
        sizes: Counts = 1 + pools.drawn_from[pools.of_topic]
        return sizes

    def take(self, part: slice) -> Targets:
        """The targets of consecutive topics."""
        pools = self.pools
        return replace(
            self,
            topics=self.topics.take(part),
            pools=None if pools is None else replace(pools, of_topic=pools.of_topic[part]),
        )

    def of_topic(self, number: int) -> Codes:
        """The targets of one topic, ascending."""
        pools = self.pools
        listed = None if pools is None else pools.items[pools.of_topic[number]]
        other = self.eligible.of_topic(self.topics, number) if listed is None else listed
        return np.union1d(self.relevant_of(number), other).astype(np.int32)

    def relevant_of(self, number: int) -> Codes:
        """The relevant targets of one topic, ascending."""
        if self.topics.items is not None:
            return self.topics.items[number : number + 1]
        user = self.topics.users[number]
        items = items_of(self.judgments.positives, user)
        allowed = self.eligible.candidates[items] & ~np.isin(items, items_of(self.excluded, user))
        return items[allowed]

    @cached_property
    def groups(self) -> npt.NDArray[np.int64]:
        """Where each run of topics with the same user and the same N_u starts, and the end."""
        if not len(self.topics):
            return np.zeros(1, dtype=np.int64)
        marks: list[npt.NDArray[Any]] = [self.topics.users]
        if self.pools is not None:
            marks.append(self.pools.of_topic)
        elif self.topics.segments is not None:
            marks.append(self.topics.segments)
        changes = np.any([np.diff(mark) != 0 for mark in marks], axis=0)
        if self.topics.items is None:
            changes[:] = True
        return np.concatenate([[0], np.flatnonzero(changes) + 1, [len(self.topics)]])

    @cached_property
    def fingerprint(self) -> str:
        """The name of these targets: same topics, same items."""
        arrays: list[npt.NDArray[Any]] = [self.topics.users, self.eligible.candidates]
        arrays += [] if self.topics.items is None else [self.topics.items]
        arrays += [] if self.pools is None else [self.pools.items.values, self.pools.of_topic]
        inputs = [self.name, self.judgments.fingerprint, self.train.fingerprint]
        inputs += ["only relevant targets judged"] if self.only_relevant else []
        inputs += ["training items kept"] if self.collection.keeps_training else []
        listed = self.collection.listed
        inputs += [] if listed is None else [f"listed {listed.fingerprint}"]
        return fingerprint(*inputs, *arrays)


def items_of(ratings: Ratings, user: int) -> Codes:
    """The items that a user rated, ascending."""
    return ratings.items[ratings.user_offsets[user] : ratings.user_offsets[user + 1]]
