"""ListFacts: what a system's lists are like, whatever they score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.recommendation.hits import Hits
from cranfield.recommendation.run import Mask, Run
from cranfield.scoring.coverage import coverage_at, user_coverage


@dataclass(frozen=True)
class ListFacts:
    """What the lists of one system are like down to a depth d.

    ``user_coverage`` is the share of users with a list, ``coverage`` is Coverage@d
    (canamares2020 C4), ``tied`` and ``unjudged`` are shares of all positions in the top
    d: those whose item shares its prediction with a neighbour, those whose item nobody
    judged. NaN where there is no position, ``tied`` also where predictions are not known.
    """

    depth: int
    user_coverage: float
    coverage: float
    tied: float
    unjudged: float


def facts_of_lists(hits: Hits, depth: int, run: Run | None = None) -> ListFacts:
    """What the lists behind the hits are like in their top d; ties are seen in the run."""
    return ListFacts(
        depth,
        user_coverage(hits.topics, hits.lengths),
        coverage_at(hits.topics, hits.lengths, depth),
        float("nan") if run is None else _tied_share(run, depth),
        _unjudged_share(hits, depth),
    )


def _unjudged_share(hits: Hits, depth: int) -> float:
    positions = int(np.minimum(hits.lengths, depth).sum())
    judged = int(np.count_nonzero((hits.ranks > 0) & (hits.ranks <= depth)))
    return 1 - judged / positions if positions else float("nan")


def _tied_share(run: Run, depth: int) -> float:
    top = run.ranks <= depth
    return float(is_tied(run)[top].mean()) if top.any() else float("nan")


def is_tied(run: Run) -> Mask:
    """For each row of a run, whether the item above or below has the same prediction."""
    same = run.predictions[1:] == run.predictions[:-1]
    starts = run.offsets[1:-1]
    same[starts[(starts > 0) & (starts < len(run.items))] - 1] = False
    tied = np.zeros(len(run.items), dtype=bool)
    tied[1:] |= same
    tied[:-1] |= same
    return tied
