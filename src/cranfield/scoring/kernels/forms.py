"""Which metrics have a kernel, and which of them one pass answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cranfield.scoring.gain import Gain
from cranfield.scoring.gains.binary import Binary
from cranfield.scoring.kernels import gains, relevance
from cranfield.scoring.kernels.topic_range import WHOLE, Ints
from cranfield.scoring.metric import Metric, is_weighted, labels_unjudged
from cranfield.scoring.metrics.auc import AUC
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.bpref import Bpref
from cranfield.scoring.metrics.dcg import DCG, NDCG
from cranfield.scoring.metrics.descriptive import Unrated
from cranfield.scoring.metrics.err import ERR
from cranfield.scoring.metrics.f1 import F1
from cranfield.scoring.metrics.fallout import Fallout
from cranfield.scoring.metrics.half_life import HalfLife
from cranfield.scoring.metrics.incomplete_ap import InducedAP, SubcollectionAP
from cranfield.scoring.metrics.inferred_ap import InferredAP
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.r_precision import RPrecision
from cranfield.scoring.metrics.rank_correlation import RBO, KendallTau, TauAP
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.recall import Recall
from cranfield.scoring.metrics.reciprocal_rank import ReciprocalRank
from cranfield.scoring.metrics.stratified_recall import StratifiedRecall
from cranfield.scoring.metrics.success import Success

EPSILON = InferredAP().epsilon
"""The ε of passes whose metrics have no other."""


class Pass(NamedTuple):
    """What metrics must share to be answered by one pass of a kernel.

    ``gain`` and ``relevance`` say what an item is worth, ``number`` is the constant of the
    formula, if it has one.
    """

    kernel: str
    gain: Gain = Binary()
    relevance: float | None = None
    number: float = EPSILON


class PlannedPass(NamedTuple):
    """A pass, the cut-offs asked of it, and the row of the scores for each form at each."""

    made_by: Pass
    cuts: Ints
    rows: Ints


Form = tuple[Pass, int]
"""A pass, and which of its forms."""


def _relevant(form: int) -> Callable[[Any], Form]:
    return lambda m: (Pass("relevance", relevance=m.relevance), form)


def _precision(metric: Precision) -> Form:
    forms = {
        "non-relevant": relevance.PRECISION,
        "relevant": relevance.PRECISION_UPPER,
        "minimal": relevance.PRECISION_MINIMAL,
        "residual": relevance.PRECISION_RESIDUAL,
    }
    form = relevance.PRECISION_LISTED if metric.as_ == "lenskit" else forms[metric.unjudged]
    return Pass("relevance", relevance=metric.relevance), form


def _bpref(metric: Bpref) -> Form:
    form = relevance.BPREF if metric.as_ is None else relevance.BPREF_UNCAPPED
    return Pass("relevance", relevance=metric.relevance), form


def _inferred(metric: InferredAP) -> Form:
    form = relevance.INFERRED if metric.as_ == "rec_eval" else relevance.INFERRED_POOL
    return _with_number(metric, metric.epsilon), form


def _with_number(metric: Any, number: float) -> Pass:
    return Pass("relevance", relevance=metric.relevance, number=number)


def _normalised(metric: NDCG) -> Form:
    form = gains.NDCG if metric.ideal == "cut" else gains.NDCG_FULL
    return Pass("discounted", metric.gain, metric.relevance), form


def _half_life(metric: HalfLife) -> Form:
    if metric.needs_popularity:
        return Pass("half_life_of_rare", metric.gain, metric.relevance, metric.alpha), 0
    return Pass("half_life", metric.gain, metric.relevance, metric.alpha), gains.NDCG


def _cascade(metric: ERR) -> Form:
    name = "cascade" if metric.top == "collection" else "own_cascade"
    return Pass(name, metric.gain, metric.relevance), 0


def _rank_biased(metric: RBP) -> Form:
    forms = {
        "non-relevant": gains.NON_RELEVANT,
        "relevant": gains.RELEVANT,
        "minimal": gains.MINIMAL,
        "residual": gains.RESIDUAL,
    }
    return Pass("rank_biased", metric.gain, metric.relevance, metric.p), forms[metric.unjudged]


_FORMS: dict[type, Callable[[Any], Form]] = {
    Precision: _precision,
    Recall: _relevant(relevance.RECALL),
    F1: _relevant(relevance.F1),
    Success: _relevant(relevance.SUCCESS),
    ReciprocalRank: _relevant(relevance.RECIPROCAL),
    AveragePrecision: _relevant(relevance.AVERAGE),
    InducedAP: lambda m: (_with_number(m, 0.0), relevance.SUBCOLLECTION),
    SubcollectionAP: lambda m: (_with_number(m, m.p), relevance.SUBCOLLECTION),
    Fallout: _relevant(relevance.FALLOUT),
    Bpref: _bpref,
    InferredAP: _inferred,
    StratifiedRecall: lambda m: (Pass("stratified", Binary(), m.relevance, m.gamma), 0),
    RPrecision: lambda m: (Pass("r_precision", relevance=m.relevance), 0),
    AUC: lambda m: (Pass("auc", relevance=m.relevance), 0),
    DCG: lambda m: (Pass("discounted", m.gain, m.relevance), gains.DCG),
    NDCG: _normalised,
    HalfLife: _half_life,
    RBP: _rank_biased,
    ERR: _cascade,
    Unrated: lambda _: (Pass("unrated"), 0),
    KendallTau: lambda _: (Pass("kendall_tau"), 0),
    TauAP: lambda _: (Pass("tau_ap"), 0),
    RBO: lambda m: (Pass("rbo", number=m.p), 0),
}


def has_kernel(metric: Metric) -> bool:
    """Whether a metric is computed by a kernel of its own; most forms of other tools are not."""
    tool = getattr(metric, "as_", None)
    listed = isinstance(metric, Precision) and tool == "lenskit"
    own = isinstance(metric, InferredAP | Bpref) or tool is None or listed
    plain = not is_weighted(metric) and not labels_unjudged(metric)
    return own and plain and type(metric) in _FORMS


@lru_cache(maxsize=64)
def plan(metrics: tuple[Metric, ...]) -> tuple[PlannedPass, ...]:
    """The passes that answer metrics with a kernel; the m-th has its scores in row m."""
    asked: dict[Pass, dict[tuple[int, int], int]] = {}
    for row, metric in enumerate(metrics):
        made_by, form = _FORMS[type(metric)](metric)
        cutoff = getattr(metric, "cutoff", None)
        asked.setdefault(made_by, {})[form, WHOLE if cutoff is None else cutoff] = row
    return tuple(_wanted(made_by, places) for made_by, places in asked.items())


def _wanted(made_by: Pass, places: dict[tuple[int, int], int]) -> PlannedPass:
    cuts = sorted({cut for _, cut in places})
    rows = np.full((relevance.FORMS, len(cuts)), -1, dtype=np.int64)
    for (form, cut), row in places.items():
        rows[form, cuts.index(cut)] = row
    return PlannedPass(made_by, np.array(cuts, dtype=np.int64), rows)
