"""Where judged targets land, and the top of each list, from one batch of predictions."""

from __future__ import annotations

import numpy as np
from numba import njit

from cranfield.recommendation.kernels.ordering import (
    DROP,
    better,
    count_ahead,
    fill_keys,
    fill_ties_by_rating,
    sort_items,
    top_items,
)


@njit(cache=True, nogil=True)
def stamp_user(stamp, mark, offsets, items, user):
    """Mark the items of a user."""
    for row in range(offsets[user], offsets[user + 1]):
        stamp[items[row]] = mark


@njit(cache=True, nogil=True)
def fill_members(layout, group, stamp, members):
    """The items that all topics of a group rank: N_u, and PR_test(u) unless it is one each.

    Returns how many. Items of the user's training are never among them.
    """
    topic = layout.groups[group]
    user = layout.users[topic]
    size = 0
    stamp_user(stamp, group, layout.train_offsets, layout.train_items, user)
    if layout.listed:
        pool = layout.pool_of[topic]
        for row in range(layout.pool_offsets[pool], layout.pool_offsets[pool + 1]):
            members[size] = layout.pool_items[row]
            size += 1
        if layout.one_each:
            return size
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            item = layout.test_items[row]
            relevant = layout.test_ratings[row] >= layout.relevance
            if relevant and layout.candidates[item] and stamp[item] != group:
                members[size] = item
                size += 1
        return size
    if layout.one_each:
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            if layout.test_ratings[row] >= layout.relevance:
                stamp[layout.test_items[row]] = group
    segment = layout.segments[topic] if layout.segmented else 0
    for item in range(len(layout.candidates)):
        if layout.candidates[item] and stamp[item] != group:
            if not layout.segmented or layout.segment_of[item] == segment:
                members[size] = item
                size += 1
    return size


@njit(cache=True, nogil=True)
def lay_out(layout, start, stop, counts, sizes, offsets, items, ratings, fill):
    """The judged members of each group: counted first, and on a second call filled in.

    ``counts`` and ``sizes`` get the number of judged members and of members.
    """
    stamp = np.full(len(layout.candidates), -1, dtype=np.int64)
    inside = np.full(len(layout.candidates), -1, dtype=np.int64)
    members = np.empty(len(layout.candidates), dtype=np.int32)
    for group in range(start, stop):
        size = fill_members(layout, group, stamp, members)
        for place in range(size):
            inside[members[place]] = group
        user = layout.users[layout.groups[group]]
        found = 0
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            if inside[layout.test_items[row]] == group:
                if fill:
                    items[offsets[group] + found] = layout.test_items[row]
                    ratings[offsets[group] + found] = layout.test_ratings[row]
                found += 1
        counts[group] = found
        sizes[group] = size


@njit(cache=True, nogil=True)
def keep_scored(row, items, size):
    """Drop the items without a prediction, in place; returns how many are left."""
    kept = 0
    for place in range(size):
        if not np.isnan(row[items[place]]):
            items[kept] = items[place]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def write_hit(out, place, item, rating_of, rank, first, last):
    """One row of the hits."""
    out.items[place] = item
    out.ratings[place] = rating_of[item]
    out.ranks[place] = rank
    out.first[place] = first
    out.last[place] = last


@njit(cache=True, nogil=True)
def write_all(topic, probes, standing, rating_of, out):
    """Ranked hits of a topic that ranks all its judged targets; returns the next place."""
    place = out.offsets[topic]
    ranks, first, last = standing
    for probe in range(len(probes)):
        hit = (ranks[probe] + 1, first[probe] + 1, last[probe])
        write_hit(out, place, probes[probe], rating_of, hit[0], hit[1], hit[2])
        place += 1
    return place


@njit(cache=True, nogil=True)
def write_one(topic, probes, own, standing, keys, one_each, rating_of, out):
    """Ranked hits of a topic with one relevant item among the judged members of its group.

    ``own`` is the place of the topic's item among the probes (−1: not ranked); of the
    other probes, those in ``one_each`` belong to other topics. Returns the next place.
    """
    place = out.offsets[topic]
    prediction, fallback = keys
    ranks, first, last = standing
    for probe in range(len(probes)):
        item = probes[probe]
        if probe == own:
            hit = (ranks[probe] + 1, first[probe] + 1, last[probe] + 1)
        elif one_each[item]:
            continue
        elif own < 0:
            hit = (ranks[probe] + 1, first[probe] + 1, last[probe])
        else:
            above = better(prediction, fallback, probes[own], item)
            below = better(prediction, fallback, item, probes[own])
            hit = (
                ranks[probe] + 1 + (own < probe),
                first[probe] + 1 + above,
                last[probe] + (not below),
            )
        write_hit(out, place, item, rating_of, hit[0], hit[1], hit[2])
        place += 1
    return place


@njit(cache=True, nogil=True)
def write_unranked(place, judged_items, own, row, rating_of, out):
    """Judged targets without a prediction, by item, from a place on; ``own`` is −1 or one more."""
    for at in range(len(judged_items)):
        item = judged_items[at]
        if not np.isnan(row[item]):
            continue
        if 0 <= own < item:
            write_hit(out, place, own, rating_of, 0, 0, 0)
            place += 1
            own = -1
        write_hit(out, place, item, rating_of, 0, 0, 0)
        place += 1
    if own >= 0:
        write_hit(out, place, own, rating_of, 0, 0, 0)


@njit(cache=True, nogil=True)
def count_tied(items, size, shown, prediction, fallback):
    """How many of the first ``shown`` items share their value with a neighbour."""
    tied = 0
    for place in range(shown):
        same = place > 0 and not better(prediction, fallback, items[place - 1], items[place])
        if not same and place + 1 < size:
            same = not better(prediction, fallback, items[place], items[place + 1])
        tied += same
    return tied


@njit(cache=True, nogil=True)
def write_top(topic, listed, size, own, own_rank, prediction, fallback, row, top, scratch):
    """The head of one topic's list: of its group's, with the topic's own item put in."""
    kept = 0
    for place in range(size + 1):
        if own >= 0 and kept == own_rank:
            scratch[kept] = own
            kept += 1
        if place < size and kept < len(scratch):
            scratch[kept] = listed[place]
            kept += 1
    shown = min(kept, top.items.shape[1])
    for place in range(shown):
        top.items[topic, place] = scratch[place]
        top.predictions[topic, place] = row[scratch[place]]
    top.lengths[topic] = shown
    top.tied[topic] = count_tied(scratch, kept, shown, prediction, fallback)


@njit(cache=True, nogil=True)
def locate(layout, judged, order, start, stop, rows, predictions, out, top):
    """Hits, and the head of each list, for the topics of some groups.

    ``rows[group − start]`` is the row of the group's user among the predictions.
    """
    n_items, depth = len(layout.candidates), top.items.shape[1]
    prediction, fallback, tie = np.empty(n_items), np.empty(n_items), np.empty(n_items)
    rating_of = np.zeros(n_items)
    one_each = np.zeros(n_items, dtype=np.bool_)
    stamp = np.full(n_items, -1, dtype=np.int64)
    place_of = np.zeros(n_items, dtype=np.int64)
    members = np.empty(n_items, dtype=np.int32)
    listed, scratch = np.empty(depth + 1, dtype=np.int32), np.empty(depth + 1, dtype=np.int32)
    last_user = -1
    for group in range(start, stop):
        begin, end = layout.groups[group], layout.groups[group + 1]
        user = layout.users[begin]
        row = predictions[rows[group - start]]
        if user != last_user:
            tests = slice(layout.test_offsets[user], layout.test_offsets[user + 1])
            fill_keys(row, order, user, prediction, fallback, tie)
            fill_ties_by_rating(order, layout.test_items[tests], layout.test_ratings[tests], tie)
            for at in range(tests.start, tests.stop):
                rating_of[layout.test_items[at]] = layout.test_ratings[at]
            last_user = user
        size = fill_members(layout, group, stamp, members)
        scored = keep_scored(row, members.copy(), size)
        ranked = keep_scored(row, members, size) if order.unscored == DROP else size
        judged_items = judged.items[judged.offsets[group] : judged.offsets[group + 1]]
        extra = end - begin if layout.one_each else 0
        probes = np.empty(len(judged_items) + extra, dtype=np.int32)
        probes[: len(judged_items)] = judged_items
        if layout.one_each:
            probes[len(judged_items) :] = layout.one_items[begin:end]
        if order.unscored == DROP:
            probes = probes[: keep_scored(row, probes, len(probes))]
        sort_items(probes, len(probes), prediction, fallback, tie)
        standing = np.empty((3, len(probes) + 1), dtype=np.int64)
        ranks, first, last = standing[0], standing[1], standing[2]
        count_ahead(members, ranked, probes, prediction, fallback, tie, ranks, first, last)
        heads = (
            top_items(members, ranked, depth + 1, prediction, fallback, tie, listed) if depth else 0
        )
        if layout.one_each:
            for topic in range(begin, end):
                one_each[layout.one_items[topic]] = True
        for probe in range(len(probes)):
            place_of[probes[probe]] = probe
        for topic in range(begin, end):
            own, own_rank, lost = -1, -1, -1
            if layout.one_each:
                item = layout.one_items[topic]
                missing = order.unscored == DROP and np.isnan(row[item])
                own = -1 if missing else place_of[item]
                lost = item if missing else -1
                place = write_one(
                    topic,
                    probes,
                    own,
                    (ranks, first, last),
                    (prediction, fallback),
                    one_each,
                    rating_of,
                    out,
                )
                out.targets[topic] = size + 1
                out.lengths[topic] = ranked + (own >= 0)
                out.unscored[topic] = size - scored + np.isnan(row[item])
            else:
                place = write_all(topic, probes, (ranks, first, last), rating_of, out)
                out.targets[topic] = size
                out.lengths[topic] = ranked
                out.unscored[topic] = size - scored
            if order.unscored == DROP:
                write_unranked(place, judged_items, lost, row, rating_of, out)
            if depth:
                chosen = probes[own] if own >= 0 else -1
                own_rank = ranks[own] if own >= 0 else -1
                write_top(
                    topic, listed, heads, chosen, own_rank, prediction, fallback, row, top, scratch
                )
        if layout.one_each:
            for topic in range(begin, end):
                one_each[layout.one_items[topic]] = False
