"""Metrics for which an item is relevant or not, over many topics.

``table`` tells of each rating level whether it is relevant (1 or 0), ``totals`` how many
relevant targets each topic has.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.part import WHOLE, Ints, Part

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
) = range(11)
"""Forms of what one pass computes; precision with unjudged items counted in three ways."""
FORMS = 11


@njit(cache=True, nogil=True, error_model="numpy")
def score_relevance(
    part: Part,
    table: Floats,
    totals: Floats,
    epsilon: float,
    cuts: Ints,
    rows: Ints,
    out: Floats,
) -> None:
    """All forms of one threshold at all cut-offs: sums over the relevant items from the top."""
    offsets, ranks, codes, lengths = part.offsets, part.ranks, part.codes, part.lengths
    forms = np.empty(FORMS)
    for t in range(len(totals)):
        row, stop, total = offsets[t], offsets[t + 1], totals[t]
        if total == 0:
            leave_undefined(t, rows, out)
            continue
        most = max(1.0, min(total, stop - row - total))
        good, bad, first = 0, 0, 0
        average, preferred, inferred, pooled = 0.0, 0.0, 0.0, 0.0
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                if table[codes[row]] > 0:
                    k = ranks[row]
                    share = (good + epsilon) / (good + bad + 2 * epsilon)
                    inferred += 1 / k + (k - 1) / k * share
                    pooled += 1 / k + (good + bad) / k * share
                    preferred += 1 - min(bad, total) / most
                    good += 1
                    average += good / k
                    first = k if good == 1 else first
                else:
                    bad += 1
                row += 1
            depth = lengths[t] if cuts[c] == WHOLE else cuts[c]
            count_forms(good, good + bad, depth, min(depth, lengths[t]), total, forms)
            forms[RECIPROCAL] = 1 / first if first > 0 else 0.0
            forms[AVERAGE], forms[BPREF] = average / total, preferred / total
            forms[INFERRED], forms[INFERRED_POOL] = inferred / total, pooled / total
            write_forms(forms, rows[:, c], t, out)


@njit(cache=True, nogil=True)
def write_forms(forms: Floats, rows: Ints, t: int, out: Floats) -> None:
    """The forms that were asked for, each to its row."""
    for form in range(len(forms)):
        if rows[form] >= 0:
            out[rows[form], t] = forms[form]


@njit(cache=True, nogil=True)
def leave_undefined(t: int, rows: Ints, out: Floats) -> None:
    """Everything that was asked of a topic without a relevant target."""
    for form in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            if rows[form, c] >= 0:
                out[rows[form, c], t] = np.nan


@njit(cache=True, nogil=True, error_model="numpy")
def count_forms(
    good: int, judged: int, depth: int, listed: int, total: float, forms: Floats
) -> None:
    """What follows from how many items are relevant, how many judged, in the top n."""
    unjudged = listed - judged
    forms[PRECISION] = good / depth if depth > 0 else 0.0
    forms[PRECISION_UPPER] = (good + unjudged) / depth if depth > 0 else 0.0
    forms[PRECISION_RESIDUAL] = unjudged / depth if depth > 0 else 0.0
    forms[RECALL] = good / total
    forms[F1] = 2 * good / (depth + total)
    forms[SUCCESS] = 1.0 if good > 0 else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def stratified_recall(
    part: Part, table: Floats, weights: Floats, cuts: Ints, rows: Ints, out: Floats
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
            out[rows[0, c], t] = found / total if total > 0 else np.nan


@njit(cache=True, nogil=True, error_model="numpy")
def r_precision(part: Part, table: Floats, totals: Floats, rows: Ints, out: Floats) -> None:
    """Hits on as many ranks as there are relevant items, over their number."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(totals)):
        row, stop, hits = offsets[t], offsets[t + 1], 0.0
        while row < stop and 0 < ranks[row] <= totals[t]:
            hits += table[codes[row]]
            row += 1
        out[rows[0, 0], t] = hits / totals[t] if totals[t] > 0 else np.nan


@njit(cache=True, nogil=True, error_model="numpy")
def auc(part: Part, table: Floats, totals: Floats, rows: Ints, out: Floats) -> None:
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
        out[rows[0, 0], t] = 1 - above / (totals[t] * others) if defined else np.nan
