"""Rank discounts: what metrics make of the rank of the one relevant item of a topic.

Where one target alone is judged, the score of a ranking is what the item would score on
rank 1, times a discount that its rank alone decides.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from cranfield.scoring.gain import Floats
from cranfield.scoring.metrics.auc import AUC
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.correcting import other_form
from cranfield.scoring.metrics.dcg import DCG, NDCG
from cranfield.scoring.metrics.err import ERR
from cranfield.scoring.metrics.f1 import F1
from cranfield.scoring.metrics.half_life import HalfLife
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.r_precision import RPrecision
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.recall import Recall
from cranfield.scoring.metrics.reciprocal_rank import ReciprocalRank
from cranfield.scoring.metrics.success import Success

Form = Callable[[Any, Floats, Any], Floats]
"""The discount of a metric at some ranks, given the number of targets."""


def _none(_metric: Any, ranks: Floats, _targets: Any) -> Floats:
    return np.ones(np.shape(ranks))


def _inverse(_metric: Any, ranks: Floats, _targets: Any) -> Floats:
    return 1 / ranks


def _logarithmic(_metric: Any, ranks: Floats, _targets: Any) -> Floats:
    return np.asarray(1 / np.log2(ranks + 1))


def _in_order(_metric: Any, ranks: Floats, targets: Any) -> Floats:
    """The share of others that are below the item; without others there is no rank but 1."""
    return np.asarray(1 - (ranks - 1) / np.maximum(targets - 1, 1))


_FORMS: dict[type, Form] = {
    Precision: _none,
    Recall: _none,
    F1: _none,
    Success: _none,
    RPrecision: lambda _metric, ranks, _targets: (ranks <= 1).astype(np.float64),
    ReciprocalRank: _inverse,
    AveragePrecision: _inverse,
    ERR: _inverse,
    DCG: _logarithmic,
    NDCG: _logarithmic,
    RBP: lambda metric, ranks, _targets: np.power(metric.p, ranks - 1),
    HalfLife: lambda metric, ranks, _targets: metric.discount(ranks),
    AUC: _in_order,
}


def is_discounted(metric: Any) -> bool:
    """Whether a score of one relevant item is a function of its rank that is known here."""
    return type(metric) in _FORMS and other_form(metric) is None


def rank_discount(metric: Any, ranks: Floats, targets: Any) -> Floats:
    """What an item scores on each rank as a share of what it scores on rank 1.

    Ranks may lie between whole ones, where the formula of the metric holds as well.

    >>> rank_discount(ReciprocalRank(cutoff=3), np.array([1.0, 2.5, 3.5]), 10).tolist()
    [1.0, 0.4, 0.0]
    """
    cutoff = getattr(metric, "cutoff", None)
    seen = ranks <= (inf if cutoff is None else cutoff)
    return np.where(seen, _FORMS[type(metric)](metric, ranks, targets), 0.0)
