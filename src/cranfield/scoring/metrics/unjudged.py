"""Unjudged items counted as judged ones: as relevant, as rated lowest, or as what is open.

The unjudged items of the top n are given a rating, and the list is scored as if they had
been judged so: they count as relevant items that were to be found, too. Only what is in
the top n is labelled; what no list shows stays unjudged.
"""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan
from typing import Any, Literal

import numpy as np

from cranfield.base.ragged import offsets_of
from cranfield.recommendation.ranking.hits import Hits, TopicHits
from cranfield.scoring.gain import Floats
from cranfield.scoring.metrics.reading import last_rank

Unjudged = Literal["non-relevant", "relevant", "minimal", "residual"]
UNJUDGED = (
    "What unjudged items of the top n count as: non-relevant, relevant (rated highest), minimal "
    "(rated lowest), or residual, the distance between the first two."
)


def of_labelled(metric: Any, topic: TopicHits) -> float:
    """The score of a list whose unjudged items are labelled; undefined where it is without."""
    plain = replace(metric, unjudged="non-relevant")
    score = float(plain.of_topic(topic))
    if isnan(score):
        return nan
    rating = topic.lowest
    if metric.unjudged != "minimal":
        rating = float(topic.ratings.max()) if has_own_top(metric) else topic.highest
    labelled = float(plain.of_topic(label_topic(topic, metric.cutoff, rating)))
    return abs(labelled - score) if metric.unjudged == "residual" else labelled


def has_own_top(metric: Any) -> bool:
    """Whether the highest rating is that of each user, rather than of the collection."""
    return getattr(metric, "top", "collection") == "user"


def label_topic(topic: TopicHits, cutoff: int | None, rating: float) -> TopicHits:
    """The topic with a rating for each unjudged item of the top n."""
    ranks, ratings = topic.ranks.tolist(), topic.ratings.tolist()
    by_rank = dict(zip(ranks, ratings, strict=True))
    top = [(k, by_rank.get(k, rating)) for k in range(1, last_rank(topic, cutoff) + 1)]
    rest = [(k, r) for k, r in zip(ranks, ratings, strict=True) if not 0 < k <= len(top)]
    places = np.array([k for k, _ in [*top, *rest]], dtype=np.int32)
    return replace(
        topic,
        ranks=places,
        ratings=np.array([r for _, r in [*top, *rest]], dtype=np.float64),
        first=places,
        last=places,
        popularity=None,
    )


def label_unjudged(hits: Hits, topics: slice, cutoff: int | None, ratings: Floats) -> Hits:
    """What `label_topic` makes of consecutive topics; ``ratings`` has one for each of all.

    The items of what is labelled are not known: their codes are 0.
    """
    rows = slice(hits.offsets[topics.start], hits.offsets[topics.stop])
    sizes, lengths = np.diff(hits.offsets[topics.start : topics.stop + 1]), hits.lengths[topics]
    owners, ranks = np.repeat(np.arange(len(sizes)), sizes), hits.ranks[rows]
    ends = lengths if cutoff is None else np.minimum(lengths, cutoff)
    top = (ranks > 0) & (ranks <= ends[owners])
    rest = np.bincount(owners[~top], minlength=len(sizes))
    offsets = offsets_of(ends + rest)
    starts = offsets[:-1]
    before = offsets_of(rest)[:-1]
    places = np.empty(len(ranks), dtype=np.int64)
    places[top] = starts[owners[top]] + ranks[top] - 1
    within = np.arange(np.count_nonzero(~top)) - before[owners[~top]]
    places[~top] = (starts + ends)[owners[~top]] + within
    all_ranks = (np.arange(offsets[-1]) - np.repeat(starts, ends + rest) + 1).astype(np.int32)
    all_ranks[places[~top]] = ranks[~top]
    all_ratings = np.repeat(ratings[topics], ends + rest)
    all_ratings[places] = hits.ratings[rows]
    items = np.zeros(len(all_ranks), dtype=np.int32)
    items[places] = hits.items[rows]
    return replace(
        hits,
        offsets=offsets,
        items=items,
        ratings=all_ratings,
        ranks=all_ranks,
        first=all_ranks,
        last=all_ranks,
        lengths=lengths,
        targets=hits.targets[topics],
        unscored=hits.unscored[topics],
        lists=None,
    )
