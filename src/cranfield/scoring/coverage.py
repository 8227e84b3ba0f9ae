"""Coverage: how much systems propose, and what happens to topics with an empty list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run, is_tied
from cranfield.scoring.scores import Counts, Flags, Floats, Scores

Coverage = Literal["full", "forgiving", "common"]
"""What happens to topics with an empty list (decision C4): they score 0; they are left
out; or topics that some system does not cover are left out for all systems."""

ComparedWith = bool | tuple[str, ...]
"""The systems whose scores the value of one depends on: its own alone (False), those of all
(True), or those of some by name."""

Undefined = Literal["left-out", "zero"]
"""What happens to topics on which a metric is undefined: they are left out, or score 0."""


@dataclass(frozen=True, eq=False)
class EnteredScores:
    """The scores of one system by one metric on the topics that enter an average.

    ``weights`` are positive and add up to 1. ``measured`` are the scores of all systems
    by all metrics, of which ``system`` and ``metric`` are meant here. ``topics`` are the
    numbers of those that entered, ``defined`` of those that would with every list.
    """

    measured: Scores
    system: int
    metric: int
    topics: npt.NDArray[np.int64]
    weights: Floats
    defined: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def n_users(self) -> int:
        """The number of users who have a topic here."""
        return int(np.count_nonzero(np.bincount(self.users)))

    @cached_property
    def users(self) -> Counts:
        """The user of each topic, numbered among all users who have one.

        So sums over users are the same, bit for bit, whoever else is in the collection.
        """
        return self.measured.user_numbers[self.topics]

    @cached_property
    def scores(self) -> Floats:
        """The scores of this system; none is NaN."""
        mine: Floats = self._resolved(slice(self.system, self.system + 1))[0]
        return mine

    @cached_property
    def all_scores(self) -> Floats:
        """The scores of every system (systems × topics); none is NaN."""
        return self._resolved(slice(None))

    def _resolved(self, systems: slice) -> Floats:
        values = self.measured.values[systems, self.metric, self.topics]
        covered = self.measured.covered[systems, self.topics]
        return np.where(covered & ~np.isnan(values), values, 0.0)

    @cached_property
    def segments(self) -> npt.NDArray[np.int32]:
        """The segment of each topic, numbered from 0; all are in one where there are none."""
        return self._places[self.topics]

    @cached_property
    def segment_sizes(self) -> Floats:
        """How many defined topics of each user lie in each segment (users × segments).

        The sum of their weights where not all topics count alike.
        """
        places, size = self._places, int(self._places.max(initial=0)) + 1
        pairs = self.measured.user_numbers[self.defined] * size + places[self.defined]
        times = None if self._counts is None else self._counts[self.defined]
        counted = np.bincount(pairs, times, self.measured.n_users * size)
        return counted.reshape(-1, size).astype(np.float64)

    @cached_property
    def times(self) -> Floats | None:
        """How often each topic counts where others count once; None where all count alike."""
        return None if self._counts is None else self._counts[self.topics]

    @cached_property
    def _counts(self) -> Floats | None:
        return topic_counts(self.measured, self.metric)

    @cached_property
    def _places(self) -> npt.NDArray[np.int32]:
        segments = self.measured.topics.segments
        if segments is None:
            return np.zeros(len(self.measured), dtype=np.int32)
        return segment_places(segments)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems."""
        return self.measured.systems

    @property
    def metric_name(self) -> str:
        """The metric as it is spelled."""
        return self.measured.metrics[self.metric]

    def of_users(self, column: str) -> Floats | None:
        """A number of each topic's user by the name of its column, where known."""
        known = self.measured.user_columns.get(column)
        return None if known is None else known[self.topics]

    @cached_property
    def judged(self) -> Counts | None:
        """|R_test(u)| of each topic's user, where known."""
        known = self.measured.judged
        return None if known is None else known[self.topics]

    @cached_property
    def relevant(self) -> Counts | None:
        """|PR_test(u)| of each topic's user, where known."""
        known = self.measured.relevant
        return None if known is None else known[self.topics]


def enter(
    scores: Scores,
    system: int,
    metric: int,
    coverage: Coverage = "full",
    undefined: Undefined = "left-out",
    *,
    compared: ComparedWith = False,
) -> EnteredScores:
    """The topics that enter the average of one system by one metric, and their scores.

    First undefined topics are resolved, then uncovered ones. An uncovered topic scores 0
    whatever the metric makes of an empty list; an undefined one is undefined, covered or
    not. If the system is ``compared`` with others, a topic that is undefined for one of
    them is undefined for it too.
    """
    enters: Flags = np.ones(len(scores), dtype=bool)
    if undefined == "left-out":
        others = _compared_systems(scores, compared)
        enters = np.all(~np.isnan(scores.values[[system, *others], metric]), axis=0)
    if scores.metrics[metric] in scores.unknown:
        enters = np.zeros(len(scores), dtype=bool)
    counts = topic_counts(scores, metric)
    weights, defined = topic_weights(scores.topics, enters, counts), np.flatnonzero(enters)
    if coverage == "forgiving":
        enters = enters & scores.covered[system]
    elif coverage == "common":
        enters = enters & scores.covered.all(axis=0)
    chosen = np.flatnonzero(enters)
    shares = weights[chosen]
    made = shares / shares.sum() if len(chosen) else shares
    return EnteredScores(scores, system, metric, chosen, made, defined)


def _compared_systems(scores: Scores, compared: ComparedWith) -> list[int]:
    """The numbers of the systems that one is compared with; none for names that are unknown."""
    if isinstance(compared, bool):
        return list(range(len(scores.systems))) if compared else []
    return [place for place, name in enumerate(scores.systems) if name in compared]


def topic_counts(scores: Scores, metric: int) -> Floats | None:
    """How often each topic counts by a metric, 1 on average; None where all count alike."""
    given = scores.topic_weights.get(scores.metrics[metric])
    if given is None:
        return None
    known = ~np.isnan(given)
    mean = float(given[known].mean()) if known.any() else 1.0
    return np.where(known, given, mean) / mean


def topic_weights(topics: Topics, enters: Flags, counts: Floats | None = None) -> Floats:
    """How much each entering topic counts in a mean; the weights add up to 1.

    All count alike, or as often as ``counts`` tell: users in AR, and in 1R relevant test
    ratings, (1/|PR_test|) Σ_u Σ_r.
    In P1R the topics of a segment share the weight of the segment, and all segments with
    an entering topic weigh alike (bellogin2017 §6.1).

    >>> topics = Topics(np.arange(3, dtype=np.int32), segments=np.array([0, 0, 1], np.int32))
    >>> topic_weights(topics, np.ones(3, bool))
    array([0.25, 0.25, 0.5 ])
    """
    weights = enters.astype(np.float64) if counts is None else enters * counts
    if topics.segments is not None:
        places = segment_places(topics.segments)
        sizes = np.bincount(places, weights=weights)
        weights /= np.where(sizes > 0, sizes, 1)[places]
    total = weights.sum()
    return weights / total if total else weights


def segment_places(segments: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Segments as numbers from 0, whatever they are numbered by."""
    return np.asarray(segments - segments.min(initial=0))


def coverage_at(topics: Topics, lengths: Counts, depth: int) -> float:
    r"""How much of the top d the lists fill, over all users.

        Coverage@d = Σ_u min(d, |R_u|) / (d·|U|)

    R_u is the list of user u; a user with several lists counts with their mean. At d = 1
    it is user coverage, the share of users with a list. canamares2020 C4.

    >>> coverage_at(Topics(np.arange(3, dtype=np.int32)), np.array([0, 5, 20]), 10)
    0.5
    """
    if not len(topics):
        return float("nan")
    lists = np.bincount(topics.users)
    users = np.flatnonzero(lists)
    filled = np.bincount(topics.users, weights=np.minimum(lengths, depth))[users] / lists[users]
    return float(filled.sum() / (depth * len(users)))


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
        coverage_at(topics, lengths, 1),
        coverage_at(topics, lengths, depth),
        tied / shown if shown else float("nan"),
        1 - judged / positions if positions else float("nan"),
    )
