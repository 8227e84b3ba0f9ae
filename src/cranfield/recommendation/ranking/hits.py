"""Hits: where each judged target landed in a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, counted
from cranfield.base.ids import Codes
from cranfield.base.ragged import Ragged, offsets_of
from cranfield.base.storable import storable
from cranfield.collection.items import ItemFacts
from cranfield.collection.propensity import Propensity, Weighing
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.weighing import TopicWeighing, weigh_topic
from cranfield.recommendation.runs.run import Run

if TYPE_CHECKING:
    from cranfield.collection.target import Targets
    from cranfield.recommendation.layout import HitRows

Ranks = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

UNRANKED = 0
"""The rank of a judged target that is not in the list: not scored, or below its end."""


@dataclass(frozen=True, eq=False)
class TopicLists:
    """The list of each topic, item by item from the top, and what is known of items.

    Lists may be shorter than those that were ranked: as deep as they are asked for.
    """

    run: Run
    items: ItemFacts


@dataclass(frozen=True, eq=False)
class TopicHits:
    """One topic's judged targets, as a metric sees them.

    Ranked ones come first, in ascending rank; ``ranks`` is 0 for those that are not in
    the list. ``first`` and ``last`` bound the ranks that an item could have had among the
    items of equal prediction. ``length`` items are in the list, of ``targets`` that were
    to be ranked. ``popularity`` is |PR(i)| of each judged target where it is known, ``list``
    the one list where items matter that nobody judged, and ``weighing`` what weighs targets by
    their propensities, where they are known.
    """

    ranks: Ranks
    ratings: Floats
    relevance: float
    length: int
    targets: int
    lowest: float
    highest: float
    first: Ranks
    last: Ranks
    popularity: Floats | None = None
    list: TopicLists | None = None
    weighing: TopicWeighing | None = None

    @cached_property
    def ranked(self) -> int:
        """How many judged targets are in the list; they come first."""
        return int(np.count_nonzero(self.ranks))


@storable
@dataclass(frozen=True, eq=False)
class Hits:
    """Where each judged target of each topic landed.

    The judged targets of topic t are rows ``offsets[t]:offsets[t + 1]``: ranked ones
    first, in ascending rank, then the unranked (rank 0) by item. ``lengths`` counts the
    items of each list, ``targets`` the items that were to be ranked, ``unscored`` those
    of them without a prediction. A user whose list is empty is not covered. Ranks below
    ``depth`` are not known where it is given. Where a ``reach`` is given, what could not
    stand within so many ranks however ties are broken counts as unranked, though lists go
    on. ``lists`` are there where items matter that nobody judged, ``weighing`` where judged
    ones are weighed by their propensities. ``population`` is how many targets each topic of one
    relevant item would have, where the others are a random sample.
    """

    topics: Topics
    offsets: npt.NDArray[np.int64]
    items: Codes
    ratings: Floats
    ranks: Ranks
    first: Ranks
    last: Ranks
    lengths: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    unscored: npt.NDArray[np.int64]
    relevance: float
    lowest: float
    highest: float
    depth: int | None = None
    lists: TopicLists | None = None
    reach: int | None = None
    weighing: Weighing | None = None
    population: npt.NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        ranked = f"{int(np.count_nonzero(self.ranks)):,} of {len(self.ranks):,} judged items ranked"
        return f"Hits({counted(len(self), 'topic')}, {ranked})"

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def topic(self, number: int, popularity: Floats | None = None) -> TopicHits:
        """One topic; ``popularity`` is by item."""
        rows = slice(self.offsets[number], self.offsets[number + 1])
        return TopicHits(
            self.ranks[rows],
            self.ratings[rows],
            self.relevance,
            int(self.lengths[number]),
            int(self.targets[number]),
            self.lowest,
            self.highest,
            self.first[rows],
            self.last[rows],
            None if popularity is None else popularity[self.items[rows]],
            None if self.lists is None else lists_in_order([self.lists], np.array([number])),
            self._weighing(number),
        )

    def propensities(self, model: Propensity) -> Floats:
        """The propensity of each row; NaN where the model does not know it."""
        if self.weighing is None or model not in self.weighing.propensities:
            raise OptionError(
                f"propensity {model}: it is not known here. Propensities are estimated where "
                "systems are evaluated, on training ratings."
            )
        users = self.topics.users[self.owners]
        return self.weighing.propensities[model].of_pairs(users, self.items, self.ratings)

    def _weighing(self, number: int) -> TopicWeighing | None:
        """What weighs the targets of one topic."""
        known = self.weighing
        if known is None:
            return None
        rows = slice(self.offsets[number], self.offsets[number + 1])
        own = None if self.topics.items is None else int(self.topics.items[number])
        user = int(self.topics.users[number])
        return weigh_topic(known, user, self.items[rows], self.ratings[rows], own)

    def cut(self, depth: int) -> Hits:
        """The same lists, cut at a depth; judged targets below it become unranked."""
        below, lists = self.ranks > depth, self.lists
        shorter = replace(
            self,
            lengths=np.minimum(self.lengths, depth),
            depth=depth,
            lists=None if lists is None else replace(lists, run=lists.run.cut(depth)),
        )
        if not below.any():
            return shorter
        return in_order(replace(shorter, ranks=np.where(below, np.int32(UNRANKED), self.ranks)))

    def within(self, reach: int) -> Hits:
        """The same lists, of which no more is known than what may be in their first ranks."""
        below = (self.ranks == UNRANKED) | (self.first > reach)
        zero = np.int32(UNRANKED)
        cut = replace(
            self,
            ranks=np.where(below, zero, self.ranks),
            first=np.where(below, zero, self.first),
            last=np.where(below, zero, self.last),
            reach=reach,
        )
        return in_order(cut)

    def only(self, rows: npt.NDArray[np.bool_]) -> Hits:
        """The hits as if nothing but these rows were judged."""
        return replace(
            self,
            offsets=offsets_of(np.bincount(self.owners[rows], minlength=len(self))),
            items=self.items[rows],
            ratings=self.ratings[rows],
            ranks=self.ranks[rows],
            first=self.first[rows],
            last=self.last[rows],
        )

    @property
    def tops(self) -> Floats:
        """The highest rating of each topic's judged targets; NaN without any."""
        found = np.full(len(self), np.nan)
        filled = np.flatnonzero(np.diff(self.offsets))
        if len(filled):
            found[filled] = np.maximum.reduceat(self.ratings, self.offsets[filled])
        return found

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """For each row, its topic."""
        return Ragged(self.items, self.offsets).owners


def in_order(hits: Hits) -> Hits:
    """The same hits, each topic's rows in order: by rank, then the unranked by item."""
    rank = np.where(hits.ranks == UNRANKED, np.iinfo(np.int32).max, hits.ranks)
    rows = np.lexsort((hits.items, rank, hits.owners))
    return replace(
        hits,
        items=hits.items[rows],
        ratings=hits.ratings[rows],
        ranks=hits.ranks[rows],
        first=hits.first[rows],
        last=hits.last[rows],
    )


def lists_in_order(parts: Sequence[TopicLists], topics: npt.NDArray[np.int64]) -> TopicLists | None:
    """The lists of some topics of all parts, in this order; None without parts."""
    if not parts:
        return None
    runs = [part.run for part in parts]
    lengths = np.concatenate([run.lengths for run in runs])
    starts = offsets_of(lengths)[:-1]
    offsets = offsets_of(lengths[topics])
    rows = np.repeat(starts[topics] - offsets[:-1], lengths[topics]) + np.arange(offsets[-1])
    run = replace(
        runs[0],
        topics=Topics(np.concatenate([run.topics.users for run in runs])[topics]),
        offsets=offsets,
        items=np.concatenate([run.items for run in runs])[rows],
        predictions=np.concatenate([run.predictions for run in runs])[rows],
        tied=np.concatenate([run.tied for run in runs])[topics],
    )
    return TopicLists(run, parts[0].items)


def topic_hits(
    ranks: Sequence[int],
    ratings: Sequence[float],
    *,
    unranked: Sequence[float] = (),
    relevance: float = 4,
    length: int | None = None,
    targets: int | None = None,
    scale: tuple[float, float] = (1, 5),
    popularity: Sequence[float] | None = None,
) -> TopicHits:
    """One topic by hand: ranks of judged items and their ratings, then unranked ratings.

    >>> topic_hits([1, 3], [5, 4], unranked=[4]).ranks
    array([1, 3, 0], dtype=int32)
    """
    in_list = length if length is not None else max(ranks, default=0)
    all_ranks = np.array([*ranks, *[UNRANKED] * len(unranked)], dtype=np.int32)
    return TopicHits(
        all_ranks,
        np.array([*ratings, *unranked], dtype=np.float64),
        relevance,
        in_list,
        targets if targets is not None else in_list + len(unranked),
        *scale,
        all_ranks,
        all_ranks,
        None if popularity is None else np.array(popularity, dtype=np.float64),
    )


def hits_from(targets: Targets, rows: HitRows) -> Hits:
    """Hits from the rows that a kernel filled."""
    judgments = targets.judgments
    return Hits(
        topics=targets.topics,
        offsets=rows.offsets,
        items=rows.items,
        ratings=rows.ratings,
        ranks=rows.ranks,
        first=rows.first,
        last=rows.last,
        lengths=rows.lengths,
        targets=rows.targets,
        unscored=rows.unscored,
        relevance=judgments.relevance,
        lowest=judgments.lowest,
        highest=judgments.highest,
        population=targets.population,
    )
