"""Hits as rows: where each judged target of a topic landed, written in order of rank."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.kernels.ordering import Keys, better
from cranfield.recommendation.layout import Floats, Heads, HitRows, Offsets


@kernel
def write_hit(
    out: HitRows, place: int, item: int, rating_of: Floats, rank: int, first: int, last: int
) -> None:
    """One row of the hits."""
    out.items[place] = item
    out.ratings[place] = rating_of[item]
    out.ranks[place] = rank
    out.first[place] = first
    out.last[place] = last


@kernel
def write_ranked(
    place: int,
    probes: Codes,
    own: int,
    standing: Offsets,
    keys: Keys,
    others: npt.NDArray[np.bool_],
    rating_of: Floats,
    out: HitRows,
) -> int:
    """Ranked hits of one topic from a place on; returns the next place.

    ``own`` is the place among the probes of the topic's one relevant item, −1 where there
    is none. It is not counted in ``standing``, so it moves down what comes after it.
    Probes marked in ``others`` belong to other topics of the group.
    """
    ranks, first, last = standing
    for probe in range(len(probes)):
        item = probes[probe]
        rank, low, high = ranks[probe] + 1, first[probe] + 1, last[probe]
        if probe == own:
            high += 1
        elif others[item]:
            continue
        elif own >= 0:
            rank += own < probe
            low += better(keys, probes[own], item)
            high += not better(keys, item, probes[own])
        write_hit(out, place, item, rating_of, rank, low, high)
        place += 1
    return place


@kernel
def write_unranked(
    place: int, judged_items: Codes, lost: int, row: Floats, rating_of: Floats, out: HitRows
) -> None:
    """Judged targets without a prediction, by item, from a place on.

    ``lost`` is the topic's own item if it has none either, else −1.
    """
    for at in range(len(judged_items)):
        item = judged_items[at]
        if not np.isnan(row[item]):
            continue
        if 0 <= lost < item:
            write_hit(out, place, lost, rating_of, 0, 0, 0)
            place += 1
            lost = -1
        write_hit(out, place, item, rating_of, 0, 0, 0)
        place += 1
    if lost >= 0:
        write_hit(out, place, lost, rating_of, 0, 0, 0)


@kernel
def count_tied(items: Codes, size: int, shown: int, keys: Keys) -> int:
    """How many of the first ``shown`` items share their value with a neighbour."""
    tied = 0
    for place in range(shown):
        same = place > 0 and not better(keys, items[place - 1], items[place])
        if not same and place + 1 < size:
            same = not better(keys, items[place], items[place + 1])
        tied += same
    return tied


@kernel
def write_head(
    topic: int, head: Codes, own: int, own_rank: int, keys: Keys, row: Floats, top: Heads
) -> None:
    """The head of one topic's list: its group's, with the topic's own item (or −1) put in."""
    most = top.items.shape[1] + 1
    merged = np.empty(most, dtype=np.int32)
    size = 0
    for place in range(len(head) + 1):
        if own >= 0 and place == own_rank and size < most:
            merged[size] = own
            size += 1
        if place < len(head) and size < most:
            merged[size] = head[place]
            size += 1
    shown = min(size, most - 1)
    for place in range(shown):
        top.items[topic, place] = merged[place]
        value = row[merged[place]]
        if np.isnan(value) and keys[0][merged[place]] > -np.inf:  # merged with the others
            value = keys[0][merged[place]]
        top.predictions[topic, place] = value
    top.lengths[topic] = shown
    top.tied[topic] = count_tied(merged, size, shown, keys)
