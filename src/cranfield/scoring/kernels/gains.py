"""Metrics for which items are worth more or less, over many topics.

``table`` tells what each rating level is worth, ``totals`` what all judged targets of
each topic are worth together, ``weights`` what each rank from 0 on counts.
"""

from __future__ import annotations

import numpy as np

from cranfield.base.kernels.kernel import kernel
from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.topic_range import Ints, TopicRange

DCG, NDCG, NDCG_FULL = range(3)
"""Forms of the discounted gain: plain, and as a share of the best, cut at n or not."""
NON_RELEVANT, RELEVANT, RESIDUAL, MINIMAL = range(4)
"""Forms of rank-biased precision: what unjudged items count as."""


@kernel(error_model="numpy")
def score_discounted(
    part: TopicRange,
    table: Floats,
    totals: Floats,
    weights: Floats,
    cuts: Ints,
    rows: Ints,
    out: Floats,
) -> None:
    """Gains, each with the weight of its rank; over those of the best order."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    run_codes, run_counts = part.run_codes, part.run_counts
    for t in range(len(totals)):
        row, stop, gained = offsets[t], offsets[t + 1], 0.0
        run, used, place, best = part.run_offsets[t], 0, 0, 0.0
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                gained += table[codes[row]] * weights[ranks[row]]
                row += 1
            end = min(cuts[c], stop - offsets[t])
            while place < end:
                gain = table[run_codes[run]]
                upto = min(end, place + run_counts[run] - used)
                used += upto - place
                while place < upto:  # one by one, so that other cut-offs change no bit
                    place += 1
                    best += gain * weights[place]
                if used == run_counts[run]:
                    run, used = run + 1, 0
            if rows[DCG, c] >= 0:
                out[t, rows[DCG, c]] = gained if totals[t] > 0 else np.nan
            if rows[NDCG, c] >= 0:
                out[t, rows[NDCG, c]] = gained / best if totals[t] > 0 else np.nan
            if rows[NDCG_FULL, c] >= 0:
                most = best_order(part, t, table, weights)
                out[t, rows[NDCG_FULL, c]] = gained / most if totals[t] > 0 else np.nan


@kernel
def best_order(part: TopicRange, t: int, table: Floats, weights: Floats) -> float:
    """The gains of a topic's judged targets from the best, each with the weight of its rank."""
    place, best = 0, 0.0
    for run in range(part.run_offsets[t], part.run_offsets[t + 1]):
        for _ in range(part.run_counts[run]):
            place += 1
            best += table[part.run_codes[run]] * weights[place]
    return best


@kernel(error_model="numpy")
def score_by_worth(
    part: TopicRange,
    table: Floats,
    weights: Floats,
    by_row: Floats,
    cuts: Ints,
    rows: Ints,
    out: Floats,
) -> None:
    """Gains with the weight of their ranks and rows, over those of the best order."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(part.lengths)):
        row, stop, gained, best, place = offsets[t], offsets[t + 1], 0.0, 0.0, 0
        falling = -table[codes[row:stop]] * by_row[row:stop]
        falling.sort()
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                gained += table[codes[row]] * by_row[row] * weights[ranks[row]]
                row += 1
            while place < min(cuts[c], len(falling)):
                place += 1
                best -= falling[place - 1] * weights[place]
            out[t, rows[0, c]] = gained / best if best > 0 else np.nan


@kernel(error_model="numpy")
def score_rank_biased(
    part: TopicRange,
    table: Floats,
    totals: Floats,
    weights: Floats,
    least: float,
    cuts: Ints,
    rows: Ints,
    out: Floats,
) -> None:
    """Gains with the weight of their ranks, and what unjudged ranks leave open.

    ``least`` is the gain of the lowest rating.
    """
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    forms = np.empty(4)
    for t in range(len(totals)):
        row, stop, gained, judged = offsets[t], offsets[t + 1], 0.0, 0.0
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                gained += table[codes[row]] * weights[ranks[row]]
                judged += weights[ranks[row]]
                row += 1
            forms[NON_RELEVANT], forms[RESIDUAL] = gained, 1 - judged
            forms[RELEVANT] = gained + (1 - judged)
            forms[MINIMAL] = gained + least * (1 - judged)
            for form in range(4):
                if rows[form, c] >= 0:
                    out[t, rows[form, c]] = forms[form] if totals[t] > 0 else np.nan


@kernel(inline="always")
def has_gain(by_row: Floats, row: int, stop: int) -> bool:
    """Whether any of some rows has a gain; the maximum of a slice takes longer to compile."""
    found = False
    for at in range(row, stop):
        found |= by_row[at] > 0
    return found


@kernel(error_model="numpy")
def score_cascade(
    part: TopicRange,
    table: Floats,
    totals: Floats,
    by_row: Floats,
    cuts: Ints,
    rows: Ints,
    out: Floats,
) -> None:
    """ERR: the chance to stop at each rank, over the rank.

    ``by_row`` are the gains of the judged targets; where it is empty, ``table`` tells them.
    """
    offsets, ranks, codes, own = part.offsets, part.ranks, part.codes, len(by_row) > 0
    for t in range(len(totals)):
        row, stop, added, reaching = offsets[t], offsets[t + 1], 0.0, 1.0
        defined = totals[t] > 0 and (not own or has_gain(by_row, row, stop))
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                gain = by_row[row] if own else table[codes[row]]
                added += reaching * gain / ranks[row]
                reaching *= 1 - gain
                row += 1
            out[t, rows[0, c]] = added if defined else np.nan
