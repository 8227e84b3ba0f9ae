"""Pairs that occur repeatedly: what is refused of them, and events in order."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import polars as pl

from cranfield.base.errors import BadParameter, BadValue, DuplicatePairs
from cranfield.base.ids import Codes, Ids
from cranfield.base.schema import RATING
from cranfield.collection.tables.columns import Floats, LineOf, Times
from cranfield.collection.tables.ordering import Column, Rows, Words

Duplicates = Literal["auto", "refuse", "last", "first", "max", "mean", "sum", "events"]
"""What becomes of several ratings of one pair: the last by time (by row where times are equal
or absent) is kept, the first likewise, the highest, their mean, or their sum; none of it is
accepted; or all are kept, as the events of a log. By default (auto) they are events where the
rows are a log, that is have times and no ratings, and else none of it is accepted."""

Pairs = tuple[Codes, Codes]
"""The users and the items of rows, pair by pair in ascending order."""


def refuse_unknown(duplicates: str) -> None:
    """Refuse what is no way with pairs that occur repeatedly."""
    if duplicates not in (known := get_args(Duplicates)):
        raise BadParameter("ratings", "duplicates", duplicates, f"one of {', '.join(known)}")


def repeated(
    ids: tuple[Ids, Ids], pairs: Pairs, again: Rows, row_at: Rows, where: str, line_of: LineOf
) -> DuplicatePairs:
    """How many pairs occur more than once, and the one whose repetition comes first.

    ``again`` are the places whose pair is that of the place before, ``row_at`` the rows of
    all places in the file.
    """
    first = int(again[row_at[again].argmin()])
    both = np.stack([codes[again] for codes in pairs])
    rows = row_at[first - 1 : first + 1].tolist()
    user, item = (known[codes[first]] for known, codes in zip(ids, pairs, strict=True))
    lines = tuple(line_of(row) for row in rows) if line_of else ()
    return DuplicatePairs(where, np.unique(both, axis=1).shape[1], user, item, lines)


def refuse_uncounted(counts: Column, where: str, line_of: LineOf) -> None:
    """Refuse events that count nothing, or less."""
    if counts is None or not len(counts):
        return
    known = counts.to_numpy() if isinstance(counts, pl.Series) else counts
    row = int(known.argmin())
    if known[row] <= 0:
        line = line_of(row) if line_of else None
        raise BadValue(where, RATING, float(known[row]), "a count of events above 0", line=line)


def event_order(pairs: Pairs, times: Times | None, values: Floats) -> Rows | None:
    """The rows of each pair by time and value, pair by pair; None where they are so already.

    Events that agree in all of it are the same, so that their order in a file is forgotten.
    """
    users, items = pairs
    known = np.zeros(len(values), np.int64) if times is None else times
    same = (users[1:] == users[:-1]) & (items[1:] == items[:-1])
    later = known[1:] > known[:-1]
    ordered = later | ((known[1:] == known[:-1]) & (values[1:] >= values[:-1]))
    if (ordered | ~same).all():
        return None
    keys = _keys(np.append(0, np.cumsum(~same)), known)
    if (values == values[0]).all():
        return np.argsort(keys, kind="stable")
    return np.lexsort((values, keys))


def _keys(pairs: Rows, times: Times) -> Words:
    """Pair and time of each row in one word, which is sorted much sooner than two columns."""
    bits = (int(times.max()) - int(times.min())).bit_length()
    if bits + int(pairs[-1]).bit_length() > 64:
        times = np.unique(times, return_inverse=True)[1]
        bits = int(times.max()).bit_length()
    # Unsigned differences are right even where signed ones would overflow.
    offsets = times.view(np.uint64) - times.min().view(np.uint64)
    keys: Words = (pairs.astype(np.uint64) << np.uint64(bits)) | offsets
    return keys
