"""Coverage: what happens to users for whom a system proposed too little, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.collection.topics import Topics
from cranfield.scoring.scores import Counts, Flags, Floats, Scores

Coverage = Literal["full", "forgiving", "common"]
"""What happens to topics with an empty list (decision C4): they score 0; they are left
out; or all topics are left out that one of the systems does not cover."""

Undefined = Literal["left-out", "zero"]
"""What happens to topics on which a metric is undefined: they are left out, or score 0."""


@dataclass(frozen=True, eq=False)
class Entered:
    """The scores of one system by one metric on the topics that enter an average.

    No score is NaN. ``weights`` are positive and add up to 1. ``systems`` names all
    systems that are compared, ``all_scores[s, t]`` holds the scores of each, and
    ``system`` is the place of this one. ``topics`` are the numbers of those that entered,
    ``users`` their users; ``judged`` and ``relevant`` are |R_test(u)| and |PR_test(u)|.
    """

    system: int
    systems: tuple[str, ...]
    all_scores: Floats
    weights: Floats
    topics: npt.NDArray[np.int64]
    users: npt.NDArray[np.int32]
    judged: Counts | None = None
    relevant: Counts | None = None

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def n_users(self) -> int:
        """The number of users who have a topic here."""
        return int(np.count_nonzero(np.bincount(self.users)))

    @cached_property
    def scores(self) -> Floats:
        """The scores of this system."""
        scores: Floats = self.all_scores[self.system]
        return scores


def enter(
    scores: Scores,
    system: int,
    metric: int,
    coverage: Coverage = "full",
    undefined: Undefined = "left-out",
    *,
    compared: bool = False,
) -> Entered:
    """The topics that enter the average of one system by one metric, and their scores.

    First undefined topics are resolved, then uncovered ones. An uncovered topic scores 0
    whatever the metric makes of an empty list; an undefined one is undefined, covered or
    not. If systems are ``compared`` with each other, a topic that is undefined for one of
    them is undefined for all.
    """
    values = scores.values[:, metric]
    defined = ~np.isnan(values)
    enters: Flags = np.all(defined, axis=0) if compared else defined[system]
    if undefined == "zero":
        enters = np.ones(len(scores), dtype=bool)
    weights = topic_weights(scores.topics, enters)
    if coverage == "forgiving":
        enters = enters & scores.covered[system]
    elif coverage == "common":
        enters = enters & scores.covered.all(axis=0)
    chosen = np.flatnonzero(enters)
    resolved = np.where(defined & scores.covered, values, 0.0)
    total = weights[chosen].sum()
    return Entered(
        system,
        scores.systems,
        resolved[:, chosen],
        weights[chosen] / total if total else weights[chosen],
        chosen,
        scores.topics.users[chosen],
        None if scores.judged is None else scores.judged[chosen],
        None if scores.relevant is None else scores.relevant[chosen],
    )


def topic_weights(topics: Topics, enters: Flags) -> Floats:
    """How much each entering topic counts in a mean; the weights add up to 1.

    All count alike: users in AR, and in 1R relevant test ratings, (1/|PR_test|) Σ_u Σ_r.
    In P1R the topics of a segment share the weight of the segment, and all segments with
    an entering topic weigh alike (bellogin2017 §6.1).

    >>> topics = Topics(np.arange(3, dtype=np.int32), segments=np.array([0, 0, 1], np.int32))
    >>> topic_weights(topics, np.ones(3, bool))
    array([0.25, 0.25, 0.5 ])
    """
    weights = enters.astype(np.float64)
    if topics.segments is not None:
        places = topics.segments - topics.segments.min(initial=0)
        sizes = np.bincount(places, weights=weights)
        weights /= np.maximum(sizes, 1)[places]
    total = weights.sum()
    return weights / total if total else weights


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
    users, places = np.unique(topics.users, return_inverse=True)
    filled = np.bincount(places, weights=np.minimum(lengths, depth)) / np.bincount(places)
    return float(filled.sum() / (depth * len(users)))


def user_coverage(topics: Topics, lengths: Counts) -> float:
    """The share of users with a list: Coverage@1 (canamares2020 C4)."""
    return coverage_at(topics, lengths, 1)
