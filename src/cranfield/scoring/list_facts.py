"""ListFacts: what a system's lists are like, whatever they score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run, is_tied
from cranfield.scoring.coverage import coverage_at, user_coverage
from cranfield.scoring.scores import Counts


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


class ListCounts(NamedTuple):
    """What is counted in the top d of some lists: add up the counts of parts of a run.

    ``positions`` and, of them, ``judged`` are those of targets; ``shown`` and ``tied``
    are those of the run, ``tied`` being negative where there is none.
    """

    positions: int
    judged: int
    shown: int
    tied: int


def count_lists(hits: Hits, depth: int | None, run: Run | None = None) -> ListCounts:
    """What is counted in the top d of some lists, in whole lists without a depth."""
    lengths = hits.lengths if depth is None else np.minimum(hits.lengths, depth)
    judged = hits.ranks > 0 if depth is None else (hits.ranks > 0) & (hits.ranks <= depth)
    positions, found = int(lengths.sum()), int(np.count_nonzero(judged))
    if run is None:
        return ListCounts(positions, found, 0, -1)
    shown = run.lengths if depth is None else np.minimum(run.lengths, depth)
    return ListCounts(positions, found, int(shown.sum()), _count_tied(run, depth))


def _count_tied(run: Run, depth: int | None) -> int:
    """How many positions in the top d share their prediction with a neighbour."""
    if not run.tied.any():
        return 0
    tied = is_tied(run)
    if depth is not None and run.lengths.max() > depth:
        tied = tied[run.ranks <= depth]
    return int(np.count_nonzero(tied))


def facts_from_counts(
    topics: Topics, lengths: Counts, depth: int, counts: Sequence[ListCounts]
) -> ListFacts:
    """What lists of these lengths are like in their top d, by the counts of their parts."""
    positions, judged, shown, tied = (sum(column) for column in zip(*counts, strict=True))
    return ListFacts(
        depth,
        user_coverage(topics, lengths),
        coverage_at(topics, lengths, depth),
        tied / shown if shown else float("nan"),
        1 - judged / positions if positions else float("nan"),
    )
