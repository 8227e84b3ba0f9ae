"""Criterion: what a trustworthy measurement should be like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import TooFew, UnsuitableScores
from cranfield.base.options import contract
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Counts, Floats, Scores

if TYPE_CHECKING:
    from cranfield.significance.paired_test import PairedTest
    from cranfield.validity.assessment import Assessment
    from cranfield.validity.meta.p_values import PairwisePValues
    from cranfield.validity.meta.system_values import SystemValues


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """What is known of the systems to assess; a criterion takes what it needs.

    ``values`` per system, at one or more sizes of the test set; ``scores`` of users;
    ``p_values`` per pair of systems; ``hits`` of each system on the same targets, with the
    ``metrics`` to score them by, the ``test`` that compares them and, for some metrics, the
    ``popularity`` of items, which is that of the whole collection and does not change with
    the test set. ``train_counts`` are the training ratings of each item, where there are
    any, ``n_items`` the size of the catalogue, where it is known. ``seed`` decides all that
    is drawn.
    """

    values: SystemValues | None = None
    scores: Scores | None = None
    p_values: PairwisePValues | None = None
    hits: Mapping[str, Hits] | None = None
    metrics: tuple[Metric, ...] = ()
    test: PairedTest | None = None
    popularity: Floats | None = None
    train_counts: Counts | None = None
    n_items: int | None = None
    seed: int = 0


def evidence_of_items(collections: Sequence[TestCollection]) -> Evidence:
    """What is known of items, from the test collections of all folds.

    Training ratings are counted over all folds, so that no fold decides what is popular.
    """
    first = collections[0]
    counts = sum(each.train.item_counts for each in collections)
    trained = any(len(each.train) for each in collections)
    return Evidence(
        popularity=first.positives,
        train_counts=np.asarray(counts) if trained else None,
        n_items=first.train.n_items if first.has_catalogue else None,
    )


@contract("criterion")
class Criterion(Protocol):
    """Whether a metric can be trusted (meta-evaluation)."""

    needs_values: ClassVar[bool] = True
    """Whether it looks at the aggregated values of systems."""
    needs_p_values: ClassVar[bool] = False
    """Whether scores are to be tested pair by pair for it, which takes its time."""
    needs_scores: ClassVar[bool] = False
    """Whether it looks at the scores of single users."""
    needs_test: ClassVar[bool] = False
    """Whether it tests pairs of systems itself."""
    needs_hits: ClassVar[bool] = False
    """Whether it looks at the ranks of the judged items, which takes memory."""
    needs_all_ranks: ClassVar[bool] = True
    """Whether it also looks at ranks below the cut-offs of the metrics."""
    least_metrics: ClassVar[int] = 1
    """How many metrics it takes."""

    def assess(self, evidence: Evidence) -> Assessment:
        """The verdict on the measurement that the evidence stands for."""
        ...


def refuse_too_few_metrics(name: str, criterion: Criterion, metrics: int) -> None:
    """Refuse fewer metrics than a criterion takes."""
    if metrics < criterion.least_metrics:
        raise TooFew(name, "metrics", criterion.least_metrics, metrics)


def refuse_weighted_topics(criterion: str, metrics: Sequence[str]) -> None:
    """Refuse metrics that weigh users by propensities, whom samples take for equals."""
    if metrics:
        raise UnsuitableScores(
            criterion,
            f"{metrics[0]} does not count all users alike",
            "Choose metrics without propensities, or nDCG or Recall by estimator=snips",
        )


def refuse_too_few(criterion: str, systems: int, users: int | None = None) -> None:
    """Refuse fewer than two systems, or fewer than two users where they are known."""
    if systems < 2:
        raise TooFew(criterion, "systems", 2, systems)
    if users is not None and users < 2:
        raise TooFew(criterion, "users", 2, users)
