"""Ranked lists from coded rows: predictions, the order of each list, ties, repetitions.

Every function works on the rows of some users, all of theirs, so that a long run can be
brought into order part by part.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes, Ids
from cranfield.base.ragged import offsets_of, runs_of
from cranfield.base.schema import RANK, SCORE
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.runs import any_repetition
from cranfield.recommendation.recommender import single
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.table import Matched, RunTable, id_places, text_places

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

_SIGN = np.uint64(1 << 63)
_LAST = np.uint64((1 << 64) - 1)
_LEAST_BITS = 16
"""With fewer bits left for the score than these, packing would hardly decide anything."""


class Entries(NamedTuple):
    """Rows of a run: who, what, with which prediction; ``rows`` is where each came from.

    ``places`` decides between equal predictions, and among rows without one (NaN), which
    come last: the lower is first.
    """

    users: Codes
    items: Codes
    predictions: Floats
    places: Rows
    rows: Rows

    def take(self, rows: Rows | Mask) -> Entries:
        """Some of the rows."""
        users, items, predictions, places, origins = self
        return Entries(users[rows], items[rows], predictions[rows], places[rows], origins[rows])


class Lists(NamedTuple):
    """Entries in order, one list per user; list t owns ``offsets[t]:offsets[t + 1]``."""

    entries: Entries
    users: Codes
    offsets: Rows


def in_lists(entries: Entries) -> Lists:
    """Bring entries into lists: by user, falling prediction, then place."""
    order = order_rows(entries.users, entries.predictions, entries.places)
    ordered = entries if order is None else entries.take(order)
    offsets = runs_of(ordered.users)
    return Lists(ordered, ordered.users[offsets[:-1]], offsets)


def order_rows(users: Codes, predictions: Floats, places: Rows) -> Rows | None:
    """The rows by (user, falling prediction, place); None if they are in that order already.

    Lists that only have to change places move as they are. Else user, leading bits of the
    prediction and row are packed into one word, since sorting plain words is several times
    faster than sorting indices. What those bits leave undecided, real ties among it, is
    sorted again by everything.
    """
    starts = runs_of(users)[:-1]
    if are_lists(users, starts) and _never_rise(users, predictions, places):
        return _by_user(users, starts)
    keys = falling_keys(predictions)
    row_bits, user_bits = _bits(len(users)), _bits(int(users.max(initial=0)) + 1)
    key_bits = 64 - row_bits - user_bits
    if key_bits < _LEAST_BITS:
        return np.lexsort((places, keys, users))
    words = users.astype(np.uint64) << np.uint64(key_bits)
    words |= keys >> np.uint64(64 - key_bits)
    words <<= np.uint64(row_bits)
    words |= np.arange(len(users), dtype=np.uint64)
    words.sort()
    rows = (words & np.uint64((1 << row_bits) - 1)).astype(np.int64)
    words >>= np.uint64(row_bits)
    same = words[1:] == words[:-1]
    undecided = np.append(same, False) | np.append(False, same)
    if undecided.any():
        some = rows[undecided]
        rows[undecided] = some[np.lexsort((places[some], keys[some], words[undecided]))]
    return rows


def falling_keys(predictions: Floats) -> Words:
    """Whole numbers that rise as predictions fall; those without a prediction come last.

    >>> np.argsort(falling_keys(np.array([0.5, np.nan, -2.0, 7.0])))
    array([3, 0, 2, 1])
    """
    plain = predictions + 0.0  # −0 and 0 are the same prediction
    bits = plain.view(np.uint64)
    keys = np.where(bits & _SIGN, bits, ~(bits | _SIGN))
    keys[np.isnan(predictions)] = _LAST
    return keys


def are_lists(users: Codes, starts: Rows) -> bool:
    """Whether the rows of each user, which begin at ``starts``, lie together."""
    return bool(np.bincount(users[starts]).max(initial=0) <= 1)


def _never_rise(users: Codes, predictions: Floats, places: Rows) -> bool:
    """Whether no prediction is above the one before it, none is missing, and ties are in order."""
    ends = users[1:] != users[:-1]
    if not (ends | (predictions[1:] <= predictions[:-1])).all() or np.isnan(predictions).any():
        return False
    tied = np.flatnonzero((predictions[1:] == predictions[:-1]) & ~ends)
    return bool((places[tied + 1] >= places[tied]).all())


def _by_user(users: Codes, starts: Rows) -> Rows | None:
    """The rows of lists in the order of their users; None if they are in that order already."""
    order = np.argsort(users[starts])
    if (order[1:] > order[:-1]).all():
        return None
    lengths = np.diff(np.append(starts, len(users)))[order]
    moved: Rows = starts[order] - offsets_of(lengths)[:-1]
    return np.arange(len(users)) + np.repeat(moved, lengths)


def tied_positions(lists: Lists) -> Mask:
    """For each row, whether a neighbour in its list has the same prediction."""
    found, users = lists.entries.predictions, lists.entries.users
    same = (found[1:] == found[:-1]) & (users[1:] == users[:-1])
    tied = np.zeros(len(found), bool)
    tied[1:] |= same
    tied[:-1] |= same
    return tied


def repetitions(lists: Lists) -> Rows:
    """The positions of items that stand higher in the same list already, ascending."""
    entries = lists.entries
    last_list = np.full(int(entries.items.max(initial=-1)) + 1, -1)
    if not any_repetition(lists.offsets, entries.items, last_list):
        return np.empty(0, np.int64)
    words = _pairs(entries.users, entries.items, len(last_list))
    order = np.argsort(words, kind="stable")
    again = np.append(False, words[order][1:] == words[order][:-1])
    return np.sort(order[again])


def in_training(users: Codes, items: Codes, train: Ratings) -> Mask:
    """For each pair of codes, whether it has a training rating; never for negative codes."""
    if not len(train):
        return np.zeros(len(users), bool)
    rated = _pairs(train.users, train.items, train.n_items)
    asked = _pairs(users, items, train.n_items)
    at = np.minimum(np.searchsorted(rated, asked), len(rated) - 1)
    found: Mask = (rated[at] == asked) & (items >= 0) & (users >= 0)
    return found


def _pairs(users: Codes, items: Codes, n_items: int) -> Rows:
    """One whole number per pair, in the order of (user, item)."""
    return users.astype(np.int64) * n_items + items


def _bits(size: int) -> int:
    """The bits that numbers below a size need."""
    return max(size - 1, 0).bit_length()


def predictions_of(table: RunTable, rules: RunRules) -> Floats:
    """What each row predicts, NaN for rows that have a rank only."""
    if SCORE not in table.roles:
        return -table.floats(RANK)
    gaps = table.gaps if RANK in table.roles else None
    if gaps is None:
        predictions = table.floats(SCORE)
    else:
        filled = table.frame.with_columns(pl.col(table.roles[SCORE]).fill_null(0))
        predictions = replace(table, frame=filled).floats(SCORE)
        predictions = np.where(gaps.to_numpy(), np.nan, predictions)
    return single(predictions) if rules.ties == "trec_eval" else predictions


def unchecked_predictions(table: RunTable, rules: RunRules) -> list[Floats]:
    """The same in pieces, as they lie in memory where that can be, infinite or not."""
    in_place = None if rules.ties == "trec_eval" else table.scores_in_place()
    return [predictions_of(table, rules)] if in_place is None else in_place


def places_of(
    table: RunTable,
    items: Matched,
    item_ids: Ids,
    predictions: Floats,
    ranks: Floats | None,
    rules: RunRules,
) -> Rows:
    """For each row, its place among rows of equal prediction."""
    if rules.ties == "rank" and ranks is None:
        raise BadParameter(table.where, "ties", rules.ties, "possible without a column of ranks")
    if rules.ties == "file":
        places = np.arange(len(predictions))
    elif rules.ties == "rank" and ranks is not None:
        places = _dense(ranks)
    else:
        places = places_of_items(items, item_ids, rules)[items.rows]
    unscored = np.isnan(predictions)
    if ranks is not None and unscored.any():
        places = np.where(unscored, _dense(ranks), places)
    return places.astype(np.int64, copy=False)


def places_of_items(items: Matched, item_ids: Ids, rules: RunRules) -> Rows:
    """For each number of an item, its place among items of equal prediction; all 0 by row."""
    if rules.ties == "file":
        return np.zeros(len(items.codes), np.int64)
    places = -text_places(items) if rules.ties == "trec_eval" else id_places(items, item_ids)
    return places.astype(np.int64, copy=False)


def _dense(ranks: Floats) -> Rows:
    """Ranks as whole numbers in the same order."""
    return np.unique(ranks, return_inverse=True)[1]
