"""ThinnedSystems: systems whose judgments can be thinned, scored again and averaged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits, lists_in_order
from cranfield.scoring.coverage import Undefined
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.rec_eval import rec_eval_scores
from cranfield.scoring.scores import Counts, Flags, Floats
from cranfield.validity.meta.kernels.averages import averages_of
from cranfield.validity.meta.kernels.thinning import fast_thin
from cranfield.validity.meta.thinning import (
    WHOLE_USERS,
    ItemShares,
    Numbers,
    Pairs,
    Scenario,
)

_ROWS_AT_ONCE = 1_000_000
"""Rows of hits that are thinned and scored together, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class HitsBlock:
    """The hits of several systems, one after the other, and the pair of each row."""

    hits: Hits
    numbers: Numbers
    covered: Flags


class ThinnedSystems:
    """Systems that ranked the same targets, whose judgments can be thinned.

    Lists stay as they are. A judged item that is removed becomes unjudged. A topic without
    judgments is excluded from the averages. A topic for which a metric is undefined, such
    as one without a relevant item, is excluded too, or scores 0. A topic without a list
    scores 0. ``items`` says of which items shares are left, ``nested`` whether what is left
    at a smaller size of a sample is part of what is left at a larger one. Without an
    ``epsilon`` geometric means are those of rec_eval, with its fault.
    """

    def __init__(
        self,
        hits: Mapping[str, Hits],
        metrics: tuple[Metric, ...],
        *,
        epsilon: float | None,
        undefined: Undefined = "left-out",
        popularity: Floats | None = None,
        items: ItemShares | None = None,
        nested: bool = True,
    ) -> None:
        first = next(iter(hits.values()))
        self.systems = tuple(hits)
        self.metrics = metrics
        self.topics = first.topics
        self.pairs = Pairs.from_hits(first)
        self._epsilon = epsilon
        self._undefined = undefined
        self._popularity = popularity
        self._items = items
        self._nested = nested
        self._blocks = list(_blocks(list(hits.values()), self.pairs))
        self.scores = self._score(None)
        self.whole = self._average(self.scores)

    def sample(
        self, scenario: Scenario, sample: int, sizes: Sequence[float], seed: int
    ) -> tuple[Floats, npt.NDArray[np.int64]]:
        """One sample at all sizes: both means (sizes × 2 × metrics × systems), topics left."""
        scored = list(self.scores_at(scenario, sample, sizes, seed))
        found = [self.whole if each is self.scores else self._average(each) for each in scored]
        left = [np.count_nonzero(~np.isnan(scores).all((0, 1))) for scores in scored]
        return np.array(found), np.array(left, dtype=np.int64)

    def scores_at(
        self, scenario: Scenario, sample: int, sizes: Sequence[float], seed: int
    ) -> Iterator[Floats]:
        """The scores of one sample at each size (metrics × systems × topics).

        They are ``scores`` themselves where nothing has left.
        """
        leaving = None
        for size in sizes:
            if leaving is None or not self._nested:
                leaving = self.pairs.leaving(
                    scenario,
                    Seeds(seed),
                    sample,
                    items=self._items,
                    size=None if self._nested else size,
                )
            yield self._thinned(leaving.remaining(size), scenario)

    def _thinned(self, remaining: Flags, scenario: Scenario) -> Floats:
        if remaining.all():
            return self.scores
        if scenario not in WHOLE_USERS:
            return self._score(remaining)
        staying = np.unique(self.pairs.users[remaining])
        return np.where(np.isin(self.topics.users, staying), self.scores, np.nan)

    def _score(self, remaining: Flags | None) -> Floats:
        shape = len(self.metrics), -1, len(self.topics)
        parts = [self._score_block(block, remaining) for block in self._blocks]
        return np.concatenate([part.reshape(shape) for part in parts], axis=1)

    def _score_block(self, block: HitsBlock, remaining: Flags | None) -> Floats:
        hits = block.hits
        if remaining is not None:
            hits = fast_thin(hits, block.numbers, remaining)
        scores = np.ascontiguousarray(measure(hits, self.metrics, popularity=self._popularity))
        scores[:, ~block.covered] *= 0.0  # what is undefined stays so
        if self._undefined == "zero":
            np.nan_to_num(scores, copy=False, nan=0.0)
        scores[:, np.diff(hits.offsets) == 0] = np.nan
        return scores

    def _average(self, scores: Floats) -> Floats:
        """Both means of scores (2 × metrics × systems)."""
        rows = scores.reshape(-1, scores.shape[2])
        if self._epsilon is None:
            return self._as_rec_eval(scores, rows)
        return averages_of(rows, self.topics, self._epsilon).reshape(2, *scores.shape[:2])

    def _as_rec_eval(self, scores: Floats, rows: Floats) -> Floats:
        """The arithmetic mean of scores, and the geometric one of what rec_eval makes of them."""
        named = zip(scores, map(str, self.metrics), strict=True)
        taken = np.array([rec_eval_scores(each, name) for each, name in named])
        plain = averages_of(rows, self.topics, 0.0)[0]
        geometric = averages_of(taken.reshape(rows.shape), self.topics, 0.0)[1]
        return np.array([plain, geometric]).reshape(2, *scores.shape[:2])


def _blocks(hits: Sequence[Hits], pairs: Pairs) -> Iterator[HitsBlock]:
    """As many systems together as the rows allow, one at least."""
    together = max(1, _ROWS_AT_ONCE // max(len(hits[0].items), 1))
    for start in range(0, len(hits), together):
        some = hits[start : start + together]
        joined = join_hits(some)
        numbers = np.concatenate([pairs.find(each) for each in some])
        yield HitsBlock(joined, numbers, joined.lengths > 0)


def join_hits(hits: Sequence[Hits]) -> Hits:
    """The hits of several systems as the topics of one; bounds of tied ranks are dropped."""
    first = hits[0]
    if len(hits) == 1:
        return replace(first, first=first.ranks, last=first.ranks)
    ranks = np.concatenate([each.ranks for each in hits])
    return replace(
        first,
        topics=_join_topics([each.topics for each in hits]),
        offsets=offsets_of(np.concatenate([np.diff(each.offsets) for each in hits])),
        items=np.concatenate([each.items for each in hits]),
        ratings=np.concatenate([each.ratings for each in hits]),
        ranks=ranks,
        first=ranks,
        last=ranks,
        lengths=np.concatenate([each.lengths for each in hits]),
        targets=np.concatenate([each.targets for each in hits]),
        unscored=np.concatenate([each.unscored for each in hits]),
        population=_joined([each.population for each in hits]),
        lists=lists_in_order(
            [each.lists for each in hits if each.lists is not None],
            np.arange(sum(map(len, hits))),
        ),
    )


def _joined(sizes: Sequence[Counts | None]) -> Counts | None:
    """What is known of the topics of all systems, where it is known of those of each."""
    known = [each for each in sizes if each is not None]
    return np.concatenate(known) if known and len(known) == len(sizes) else None


def _join_topics(parts: Sequence[Topics]) -> Topics:
    """The topics of one system after those of another."""

    def every(name: str) -> Any:
        pieces = [getattr(each, name) for each in parts]
        return None if pieces[0] is None else np.concatenate(pieces)

    return Topics(every("users"), every("items"), every("segments"))
