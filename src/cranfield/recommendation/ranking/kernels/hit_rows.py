"""Hits as rows: where each judged target of a topic landed, written in order of rank."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Heads, HitRows, Offsets, TargetLayout
from cranfield.recommendation.ranking.kernels.ordering import Keys, better


class Marks(NamedTuple):
    """What is noted by item while hits are written: the ratings of a user's judged items,
    those that belong to single topics, and the topic that an item was last written for.
    """

    rating_of: Floats
    others: npt.NDArray[np.bool_]
    written: Offsets


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
    marks: Marks,
    topic: int,
    reach: int,
    out: HitRows,
) -> int:
    """Ranked hits of one topic from a place on; returns the next place.

    ``own`` is the place among the probes of the topic's one relevant item, −1 where there
    is none. It is not counted in ``standing``, so it moves down what comes after it.
    Probes marked in ``others`` belong to other topics of the group. What could not stand
    within the first ``reach`` ranks, however ties are broken, is left to `write_unranked`.
    """
    ranks, first, last = standing
    for probe in range(len(probes)):
        item = probes[probe]
        rank, low, high = ranks[probe] + 1, first[probe] + 1, last[probe]
        if probe == own:
            high += 1
        elif marks.others[item]:
            continue
        elif own >= 0:
            rank += own < probe
            low += better(keys, probes[own], item)
            high += not better(keys, item, probes[own])
        if low <= reach:
            write_hit(out, place, item, marks.rating_of, rank, low, high)
            marks.written[item] = topic
            place += 1
    return place


@kernel
def write_unranked(
    place: int, judged_items: Codes, one: int, marks: Marks, topic: int, out: HitRows
) -> None:
    """The judged targets of a topic that are not written yet, by item, from a place on.

    ``one`` is the topic's own item, −1 where it has none.
    """
    lost = one if one >= 0 and marks.written[one] != topic else -1
    for item in judged_items:
        if marks.written[item] == topic:
            continue
        if 0 <= lost < item:
            write_hit(out, place, lost, marks.rating_of, 0, 0, 0)
            place += 1
            lost = -1
        write_hit(out, place, item, marks.rating_of, 0, 0, 0)
        place += 1
    if lost >= 0:
        write_hit(out, place, lost, marks.rating_of, 0, 0, 0)


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


class RankedGroup(NamedTuple):
    """What is found of one group: sizes, its judged items in order, and the head of its list.

    Of ``size`` members ``scored`` have a prediction and ``ranked`` are in the list.
    """

    size: int
    scored: int
    ranked: int
    judged_items: Codes
    probes: Codes
    standing: Offsets
    head: Codes


@kernel
def write_topic(
    topic: int,
    one: int,
    own: int,
    found: RankedGroup,
    row: Floats,
    drop: bool,
    reach: int,
    keys: Keys,
    marks: Marks,
    out: HitRows,
    top: Heads,
) -> None:
    """Hits and head of one topic.

    ``one`` is its one relevant item, −1 where it ranks them all; ``own`` the place of that
    item among the probes, −1 where it is not among them.
    """
    missing = one >= 0 and np.isnan(row[one])
    out.targets[topic] = found.size + (one >= 0)
    out.lengths[topic] = found.ranked + (one >= 0 and not (drop and missing))
    out.unscored[topic] = found.size - found.scored + missing
    place, probes = out.offsets[topic], found.probes
    place = write_ranked(place, probes, own, found.standing, keys, marks, topic, reach, out)
    if place < out.offsets[topic + 1]:
        write_unranked(place, found.judged_items, one, marks, topic, out)
    if top.items.shape[1]:
        own_rank = found.standing[0][own] if own >= 0 else -1
        write_head(topic, found.head, one if own >= 0 else -1, own_rank, keys, row, top)


@kernel
def write_topics(
    layout: TargetLayout, group: int, found: RankedGroup, row: Floats, drop: bool, reach: int,
    keys: Keys, marks: Marks, place_of: Offsets, out: HitRows, top: Heads,
) -> None:  # fmt: skip
    """Hits and heads of the topics of one group; ``place_of`` is scratch space by item."""
    begin, end = layout.groups[group], layout.groups[group + 1]
    own_items = layout.one_items[begin:end] if layout.one_each else layout.one_items[:0]
    marks.others[own_items] = True
    place_of[own_items] = -1
    for probe in range(len(found.probes)):
        place_of[found.probes[probe]] = probe
    for topic in range(begin, end):
        one = layout.one_items[topic] if layout.one_each else -1
        own = place_of[one] if one >= 0 else -1
        write_topic(topic, one, own, found, row, drop, reach, keys, marks, out, top)
    marks.others[own_items] = False
