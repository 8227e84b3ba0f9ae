"""The nearest rows of sparse matrices, and sums over them.

Every row is worked on alone and in a fixed order of additions, so that neither threads
nor batches can change a bit of the result. Rows are triples of offsets, codes and
values: row r owns ``codes[offsets[r]:offsets[r + 1]]`` and the values beside them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.kernels.selection import nth_lowest

Offsets = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Rows = tuple[Offsets, Codes, Floats]
Scales = tuple[Floats, Floats]
"""What products are divided by: for the row searched for, and for the other one."""
Workspace = tuple[Floats, Codes, Codes]
"""Sums and numbers of shared columns by row, and room for the codes of rows."""
Neighbourhoods = tuple[Codes, Floats, Offsets]
"""For each row asked for: codes of its neighbours, their weights, and how many there are."""

_FEW = 32
"""Codes are sorted where they are less than one in so many; scanning all is quicker for more."""


@kernel
def nearest_by_product(
    first: int,
    rows: Rows,
    columns: Rows,
    scales: Scales,
    least_overlap: int,
    shrinkage: float,
    found: Neighbourhoods,
) -> None:
    """The most similar other rows of each row from the first on, in ascending order of code.

    The similarity is dot/(scale·scale), times n/(n + shrinkage) where n columns are shared;
    the scales are those of the row searched for, and of the other.
    """
    own, others = scales
    work = _workspace(len(others))
    sums, shared, _ = work
    counted = least_overlap > 1 or shrinkage > 0.0
    for at in range(len(found[2])):
        row = first + at
        near = _add_products(row, rows, columns, counted, work)
        for other in near:
            if (counted and shared[other] < least_overlap) or other == row:
                sums[other] = 0.0
            if sums[other] > 0.0:
                sums[other] /= own[row] * others[other]
                if shrinkage > 0.0:
                    sums[other] *= shared[other] / (shared[other] + shrinkage)
        _keep_best(at, near, sums, found)
        _clear(near, sums, shared)


@kernel
def nearest_by_likelihood(
    first: int,
    queries: Rows,
    columns: Rows,
    biases: Floats,
    found: Neighbourhoods,
) -> None:
    """The other rows whose models make each row from the first on likeliest.

    Values of ``columns`` are what a shared column adds to the logarithm, biases what
    each unit of the query adds whether its column is shared or not.
    """
    offsets, _, values = queries
    work = _workspace(len(biases))
    gains, shared, _ = work
    for at in range(len(found[2])):
        row = first + at
        near = _add_products(row, queries, columns, False, work)
        length = 0.0
        for place in range(offsets[row], offsets[row + 1]):
            length += values[place]
        for other in near:
            if gains[other] > 0.0:
                gains[other] += length * biases[other]
        gains[row] = 0.0
        _keep_best(at, near, gains, found)
        _clear(near, gains, shared)


@kernel
def _workspace(rows: int) -> Workspace:
    """For each row a sum and a count of 0, and room for the codes of rows."""
    return np.zeros(rows), np.zeros(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)


@kernel
def _add_products(row: int, rows: Rows, columns: Rows, counted: bool, work: Workspace) -> Codes:
    """Add the products of one row with all others, column by column, and count what is shared.

    Returns the codes of rows in ascending order, among them all that share a column with
    the row: these alone where few can, and then they are also counted whether asked or not.
    """
    offsets, codes, values = rows
    starts, others, weights = columns
    sums, shared, reached = work
    products = 0
    for column in codes[offsets[row] : offsets[row + 1]]:
        products += starts[column + 1] - starts[column]
    if products < len(sums):
        return reached[: _add_few(row, rows, columns, work)]
    for place in range(offsets[row], offsets[row + 1]):
        column, value = codes[place], values[place]
        for entry in range(starts[column], starts[column + 1]):
            sums[others[entry]] += value * weights[entry]
    if counted:
        _count_shared(row, rows, columns, shared)
    for other in range(len(sums)):
        reached[other] = other
    return reached


@kernel
def _add_few(row: int, rows: Rows, columns: Rows, work: Workspace) -> int:
    """Add the products of a row that shares columns with few; how many they are."""
    offsets, codes, values = rows
    starts, others, weights = columns
    sums, shared, reached = work
    count = 0
    for place in range(offsets[row], offsets[row + 1]):
        column, value = codes[place], values[place]
        for entry in range(starts[column], starts[column + 1]):
            other = others[entry]
            if shared[other] == 0:
                reached[count] = other
                count += 1
            shared[other] += 1
            sums[other] += value * weights[entry]
    if count < len(sums) // _FEW:
        reached[:count].sort()
        return count
    count = 0
    for other in range(len(sums)):
        if shared[other] > 0:
            reached[count] = other
            count += 1
    return count


@kernel
def _count_shared(row: int, rows: Rows, columns: Rows, shared: Codes) -> None:
    """Count the columns that one row shares with each other row."""
    offsets, codes, _ = rows
    starts, others, _ = columns
    for column in codes[offsets[row] : offsets[row + 1]]:
        for other in others[starts[column] : starts[column + 1]]:
            shared[other] += 1


@kernel
def _clear(near: Codes, sums: Floats, shared: Codes) -> None:
    """Set what was added up for some rows back to 0."""
    for other in near:
        sums[other] = 0.0
        shared[other] = 0


@kernel
def _keep_best(at: int, near: Codes, weights: Floats, found: Neighbourhoods) -> None:
    """Keep the highest positive weights; among equals the lowest codes."""
    codes, kept, counts = found
    most = codes.shape[1]
    best, heights = np.empty(2 * most, dtype=np.int32), np.empty(2 * most)
    count, least = 0, 0.0
    for code in near:
        if weights[code] > least:
            best[count] = code
            heights[count] = weights[code]
            count += 1
            if count == 2 * most:
                least = _drop_lower_half(best, heights)
                count = most
    if count > most:
        heights[count:] = 0.0
        _drop_lower_half(best, heights)
        count = most
    for place in range(count):
        codes[at, place] = best[place]
        kept[at, place] = heights[place]
    counts[at] = count


@kernel
def _drop_lower_half(codes: Codes, weights: Floats) -> float:
    """Move the higher half of the weights to the front, in order of code; the lowest kept."""
    half = len(codes) // 2
    least = nth_lowest(weights.copy(), half)
    ties = half
    for place in range(len(weights)):
        ties -= weights[place] > least
    count = 0
    for place in range(len(codes)):
        weight = weights[place]
        if weight > least or (weight == least and ties > 0):
            ties -= weight == least
            codes[count] = codes[place]
            weights[count] = weight
            count += 1
    return float(least)


@kernel
def sum_rows(users: Codes, lists: Rows, table: Rows, out: Floats) -> None:
    """``out[b] = Σ weight · table[code]`` over the list of ``users[b]``; NaN for an empty sum."""
    offsets, codes, weights = lists
    starts, places, values = table
    reached = np.zeros(out.shape[1], dtype=np.bool_)
    for b in range(len(users)):
        out[b, :] = 0.0
        reached[:] = False
        for at in range(offsets[users[b]], offsets[users[b] + 1]):
            code, weight = codes[at], weights[at]
            for entry in range(starts[code], starts[code + 1]):
                out[b, places[entry]] += weight * values[entry]
                reached[places[entry]] = True
        for place in range(out.shape[1]):
            if not reached[place]:
                out[b, place] = np.nan


@kernel
def sum_best_rows(
    users: Codes, lists: Rows, table: Rows, in_table: bool, k: int, averaged: bool, out: Floats
) -> None:
    """``sum_rows`` over the k largest similarities of each place alone, or their average.

    Similarities are the weights of the lists, or the values of the table; the other factor is
    what is summed. Of equal similarities, those that come first in the list count.
    """
    offsets, codes, weights = lists
    starts, places, values = table
    near = np.empty((out.shape[1], k))
    told = np.empty((out.shape[1], k))
    came = np.empty((out.shape[1], k), dtype=np.int64)
    least = np.zeros(out.shape[1], dtype=np.int64)
    counts = np.zeros(out.shape[1], dtype=np.int64)
    for b in range(len(users)):
        counts[:] = 0
        for at in range(offsets[users[b]], offsets[users[b] + 1]):
            code, weight = codes[at], weights[at]
            for entry in range(starts[code], starts[code + 1]):
                place = places[entry]
                similarity = values[entry] if in_table else weight
                count = counts[place]
                if count == k and similarity <= near[place, least[place]]:
                    continue
                to = least[place] if count == k else count
                near[place, to] = similarity
                told[place, to] = weight if in_table else values[entry]
                came[place, to] = at
                counts[place] = min(count + 1, k)
                if counts[place] == k:
                    least[place] = _last_of_least(near[place], came[place])
        for place in range(out.shape[1]):
            total, similarities = 0.0, 0.0
            for one in range(counts[place]):
                total += near[place, one] * told[place, one]
                similarities += near[place, one]
            out[b, place] = np.nan if counts[place] == 0 else total
            if averaged and counts[place] > 0:
                out[b, place] /= similarities


@kernel
def _last_of_least(near: Floats, came: Offsets) -> int:
    """Where the lowest similarity is, of equal ones that which came last."""
    found = 0
    for one in range(1, len(near)):
        if near[one] < near[found] or (near[one] == near[found] and came[one] > came[found]):
            found = one
    return found
