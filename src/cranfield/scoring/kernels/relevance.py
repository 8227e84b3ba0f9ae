"""Metrics for which an item is relevant or not, over many topics.

``table`` tells of each rating level whether it is relevant (1 or 0), ``totals`` how many
relevant targets each topic has.
"""

from __future__ import annotations

import numpy as np

from cranfield.base.kernels.kernel import kernel
from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.topic_range import WHOLE, Ints, TopicRange

(
    PRECISION,
    PRECISION_UPPER,
    PRECISION_RESIDUAL,
    RECALL,
    F1,
    SUCCESS,
    RECIPROCAL,
    AVERAGE,
    BPREF,
    INFERRED,
    INFERRED_POOL,
    BPREF_UNCAPPED,
    SUBCOLLECTION,
    FALLOUT,
    PRECISION_MINIMAL,
    PRECISION_LISTED,
) = range(16)
"""Forms of what one pass computes; precision with unjudged items counted in four ways, and of
what is listed alone."""
FORMS = 16


@kernel(error_model="numpy")
def score_relevance(
    part: TopicRange, table: Floats, totals: Floats, number: float, least: float, cuts: Ints,
    rows: Ints, out: Floats,
) -> None:  # fmt: skip
    """All forms of one threshold at all cut-offs: sums over the relevant items from the top.

    ``number`` is the ε of inferred precisions, and the p of subcollections; ``least`` is 1
    where the lowest rating is relevant, else 0.
    """
    offsets, ranks, codes, lengths = part.offsets, part.ranks, part.codes, part.lengths
    for t in range(len(totals)):
        row, stop, total = offsets[t], offsets[t + 1], totals[t]
        if total == 0:
            leave_undefined(t, rows, out)
            continue
        most = max(1.0, min(total, stop - row - total))
        good, bad, reciprocal = 0, 0, 0.0
        average, preferred, uncapped, inferred, pooled, sampled = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                if table[codes[row]] > 0:
                    k = ranks[row]
                    # As a NumPy number, 0/0 is NaN in Python too; forms that use it have ε > 0.
                    share = np.float64(good + number) / (good + bad + 2 * number)
                    inferred += 1 / k + (k - 1) / k * share
                    pooled += 1 / k + (good + bad) / k * share
                    preferred += 1 - min(bad, total) / most
                    uncapped += 1 - bad / most
                    good += 1
                    average += good / k
                    sampled += good / (good + bad + number * (k - good - bad))
                    reciprocal = 1 / k if good == 1 else reciprocal
                else:
                    bad += 1
                row += 1
            depth = lengths[t] if cuts[c] == WHOLE else cuts[c]
            counts = good, good + bad, depth, min(depth, lengths[t]), part.targets[t]
            write_counts(counts, total, least, t, c, rows, out)
            sums = reciprocal, average, preferred, inferred, pooled, uncapped, sampled
            write_sums(sums, total, t, c, rows, out)


@kernel(error_model="numpy")
def write_sums(
    sums: tuple[float, float, float, float, float, float, float],
    total: float,
    t: int,
    c: int,
    rows: Ints,
    out: Floats,
) -> None:
    """What was added up over the relevant items, as far as it was asked for."""
    reciprocal, average, preferred, inferred, pooled, uncapped, sampled = sums
    if rows[RECIPROCAL, c] >= 0:
        out[t, rows[RECIPROCAL, c]] = reciprocal
    if rows[AVERAGE, c] >= 0:
        out[t, rows[AVERAGE, c]] = average / total
    if rows[BPREF, c] >= 0:
        out[t, rows[BPREF, c]] = preferred / total
    if rows[INFERRED, c] >= 0:
        out[t, rows[INFERRED, c]] = inferred / total
    if rows[INFERRED_POOL, c] >= 0:
        out[t, rows[INFERRED_POOL, c]] = pooled / total
    if rows[BPREF_UNCAPPED, c] >= 0:
        out[t, rows[BPREF_UNCAPPED, c]] = uncapped / total
    if rows[SUBCOLLECTION, c] >= 0:
        out[t, rows[SUBCOLLECTION, c]] = sampled / total


@kernel
def leave_undefined(t: int, rows: Ints, out: Floats) -> None:
    """Everything that was asked of a topic without a relevant target."""
    for form in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            if rows[form, c] >= 0:
                out[t, rows[form, c]] = np.nan


@kernel(error_model="numpy")
def write_counts(
    counts: tuple[int, int, int, int, int],
    total: float,
    least: float,
    t: int,
    c: int,
    rows: Ints,
    out: Floats,
) -> None:
    """What follows from how many are relevant, judged, looked at and listed, and of all targets."""
    good, judged, depth, listed, targets = counts
    if rows[PRECISION, c] >= 0:
        out[t, rows[PRECISION, c]] = good / depth if depth > 0 else 0.0
    if rows[PRECISION_LISTED, c] >= 0:
        out[t, rows[PRECISION_LISTED, c]] = good / listed if listed > 0 else np.nan
    if rows[PRECISION_UPPER, c] >= 0:
        upper = good + listed - judged
        out[t, rows[PRECISION_UPPER, c]] = upper / depth if depth > 0 else 0.0
    if rows[PRECISION_RESIDUAL, c] >= 0:
        out[t, rows[PRECISION_RESIDUAL, c]] = (listed - judged) / depth if depth > 0 else 0.0
    if rows[PRECISION_MINIMAL, c] >= 0:
        lowest = good + least * (listed - judged)
        out[t, rows[PRECISION_MINIMAL, c]] = lowest / depth if depth > 0 else 0.0
    if rows[RECALL, c] >= 0:
        out[t, rows[RECALL, c]] = good / total
    if rows[F1, c] >= 0:
        out[t, rows[F1, c]] = 2 * good / (depth + total)
    if rows[SUCCESS, c] >= 0:
        out[t, rows[SUCCESS, c]] = 1.0 if good > 0 else 0.0
    if rows[FALLOUT, c] >= 0:
        others = targets - total
        out[t, rows[FALLOUT, c]] = (listed - good) / others if others > 0 else np.nan


@kernel(error_model="numpy")
def stratified_recall(
    part: TopicRange, table: Floats, weights: Floats, cuts: Ints, rows: Ints, out: Floats
) -> None:
    """Weights of the relevant targets found, over those of all; ``weights`` is by row."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(offsets) - 1):
        row, stop, found, total = offsets[t], offsets[t + 1], 0.0, 0.0
        for every in range(row, stop):
            total += table[codes[every]] * weights[every]
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                found += table[codes[row]] * weights[row]
                row += 1
            out[t, rows[0, c]] = found / total if total > 0 else np.nan


@kernel(error_model="numpy")
def r_precision(part: TopicRange, table: Floats, totals: Floats, rows: Ints, out: Floats) -> None:
    """Hits on as many ranks as there are relevant items, over their number."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(totals)):
        row, stop, hits = offsets[t], offsets[t + 1], 0.0
        while row < stop and 0 < ranks[row] <= totals[t]:
            hits += table[codes[row]]
            row += 1
        out[t, rows[0, 0]] = hits / totals[t] if totals[t] > 0 else np.nan


@kernel(error_model="numpy")
def auc(part: TopicRange, table: Floats, totals: Floats, rows: Ints, out: Floats) -> None:
    """Share of pairs of a relevant and another target in the right order."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(totals)):
        others, above, ranked = part.targets[t] - totals[t], 0.0, 0
        for row in range(offsets[t], offsets[t + 1]):
            if ranks[row] > 0 and table[codes[row]] > 0:
                ranked += 1
                above += ranks[row] - ranked
        listed = part.lengths[t] - ranked
        above += (totals[t] - ranked) * (listed + (others - listed) / 2)
        defined = totals[t] > 0 and others > 0
        out[t, rows[0, 0]] = 1 - above / (totals[t] * others) if defined else np.nan
