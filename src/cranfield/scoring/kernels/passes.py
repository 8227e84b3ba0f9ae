"""Which metrics have a kernel, which of them one pass answers, and the calls that score."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.gain import Floats, Gain, RatingScale
from cranfield.scoring.gains.binary import Binary
from cranfield.scoring.kernels import gains, orders, relevance
from cranfield.scoring.kernels.levels import add_up, find_levels, find_runs
from cranfield.scoring.kernels.topic_range import WHOLE, Ints, TopicRange
from cranfield.scoring.metric import Metric
from cranfield.scoring.metrics.auc import AUC
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.bpref import Bpref
from cranfield.scoring.metrics.dcg import DCG, NDCG, discount
from cranfield.scoring.metrics.descriptive import Unrated
from cranfield.scoring.metrics.err import ERR
from cranfield.scoring.metrics.f1 import F1
from cranfield.scoring.metrics.inferred_ap import InferredAP
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.r_precision import RPrecision
from cranfield.scoring.metrics.rank_correlation import RBO, KendallTau, TauAP
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.reading import check_shares
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
        "residual": relevance.PRECISION_RESIDUAL,
    }
    return Pass("relevance", relevance=metric.relevance), forms[metric.unjudged]


def _bpref(metric: Bpref) -> Form:
    form = relevance.BPREF if metric.as_ is None else relevance.BPREF_UNCAPPED
    return Pass("relevance", relevance=metric.relevance), form


def _inferred(metric: InferredAP) -> Form:
    form = relevance.INFERRED if metric.as_ == "rec_eval" else relevance.INFERRED_POOL
    return Pass("relevance", relevance=metric.relevance, number=metric.epsilon), form


def _rank_biased(metric: RBP) -> Form:
    forms = {
        "non-relevant": gains.NON_RELEVANT,
        "relevant": gains.RELEVANT,
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
    Bpref: _bpref,
    InferredAP: _inferred,
    StratifiedRecall: lambda m: (Pass("stratified", Binary(), m.relevance, m.gamma), 0),
    RPrecision: lambda m: (Pass("r_precision", relevance=m.relevance), 0),
    AUC: lambda m: (Pass("auc", relevance=m.relevance), 0),
    DCG: lambda m: (Pass("discounted", m.gain, m.relevance), gains.DCG),
    NDCG: lambda m: (Pass("discounted", m.gain, m.relevance), gains.NDCG),
    RBP: _rank_biased,
    ERR: lambda m: (Pass("cascade", m.gain, m.relevance), 0),
    Unrated: lambda _: (Pass("unrated"), 0),
    KendallTau: lambda _: (Pass("kendall_tau"), 0),
    TauAP: lambda _: (Pass("tau_ap"), 0),
    RBO: lambda m: (Pass("rbo", number=m.p), 0),
}


def has_kernel(metric: Metric) -> bool:
    """Whether a metric is computed by a kernel; forms of other tools are not."""
    own = isinstance(metric, InferredAP | Bpref) or getattr(metric, "as_", None) is None
    return own and type(metric) in _FORMS


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


_SHARES = ("cascade", "rank_biased")
"""Kernels whose gains must be at most 1."""


class PreparedHits:
    """Hits made ready for passes: what their items are worth, and what their ranks count."""

    def __init__(
        self, hits: Hits, passes: tuple[PlannedPass, ...], popularity: Floats | None
    ) -> None:
        self.hits = hits
        self.passes = passes
        self.popularity = popularity
        self.levels = find_levels(hits.ratings)
        self.codes = np.empty(len(hits.ratings), dtype=np.int32)
        judged = np.diff(hits.offsets).max(initial=0)
        self.longest = int(max(judged, hits.lengths.max(initial=0)))
        self.tables = {wanted.made_by: self._table(wanted.made_by) for wanted in passes}
        self.weights = {wanted.made_by: self._weights(wanted.made_by) for wanted in passes}

    def _table(self, made_by: Pass) -> Floats:
        """What each rating level is worth."""
        own, gain = made_by.relevance, made_by.gain
        scale = RatingScale(
            self.hits.lowest, self.hits.highest, self.hits.relevance if own is None else own
        )
        worth = gain.of_rating(self.levels.ratings, scale)
        return check_shares(worth, gain) if made_by.kernel in _SHARES else worth

    def _weights(self, made_by: Pass) -> Floats:
        """What each rank, or each row, counts."""
        if made_by.kernel == "discounted":
            return _discounts(1 << self.longest.bit_length())
        if made_by.kernel == "rank_biased":
            return _persistence(made_by.number, 1 << self.longest.bit_length())
        if made_by.kernel == "stratified" and self.popularity is not None:
            by_item = StratifiedRecall(gamma=made_by.number).weights(self.popularity)
            return by_item[self.hits.items]
        return np.empty(0)

    def score(self, topics: slice, out: Floats) -> None:
        """Score some topics by all passes, into their rows of ``out`` (topics × metrics)."""
        part, totals = self._part(topics), dict[tuple[Gain, float | None], Floats]()
        for wanted in self.passes:
            made_by = wanted.made_by
            key = made_by.gain, made_by.relevance
            if key not in totals:
                totals[key] = np.empty(len(part.lengths))
                runs = part.run_offsets, part.run_codes, part.run_counts
                add_up(*runs, self.tables[made_by], totals[key])
            _KERNELS[made_by.kernel](
                Call(
                    part,
                    self.tables[made_by],
                    totals[key],
                    self.weights[made_by],
                    made_by.number,
                    wanted.cuts,
                    wanted.rows,
                    out[topics],
                )
            )

    def _part(self, topics: slice) -> TopicRange:
        hits, offsets = self.hits, self.hits.offsets[topics.start : topics.stop + 1]
        runs = find_runs(offsets, self.levels, self.codes)
        lengths, targets = hits.lengths[topics], hits.targets[topics]
        return TopicRange(offsets, hits.ranks, self.codes, lengths, targets, *runs)


class Call(NamedTuple):
    """What a pass gives its kernel."""

    part: TopicRange
    table: Floats
    totals: Floats
    weights: Floats
    number: float
    cuts: Ints
    rows: Ints
    out: Floats


def _rbo(c: Call) -> None:
    shared = np.empty(np.diff(c.part.offsets).max(initial=0), dtype=np.int64)
    orders.rbo(c.part, c.number, shared, c.rows, c.out)


_KERNELS: dict[str, Callable[[Call], None]] = {
    "relevance": lambda c: relevance.score_relevance(
        c.part, c.table, c.totals, c.number, c.cuts, c.rows, c.out
    ),
    "stratified": lambda c: relevance.stratified_recall(
        c.part, c.table, c.weights, c.cuts, c.rows, c.out
    ),
    "r_precision": lambda c: relevance.r_precision(c.part, c.table, c.totals, c.rows, c.out),
    "auc": lambda c: relevance.auc(c.part, c.table, c.totals, c.rows, c.out),
    "discounted": lambda c: gains.score_discounted(
        c.part, c.table, c.totals, c.weights, c.cuts, c.rows, c.out
    ),
    "rank_biased": lambda c: gains.score_rank_biased(
        c.part, c.table, c.totals, c.weights, c.cuts, c.rows, c.out
    ),
    "cascade": lambda c: gains.score_cascade(c.part, c.table, c.totals, c.cuts, c.rows, c.out),
    "unrated": lambda c: orders.unrated(c.part, c.cuts, c.rows, c.out),
    "kendall_tau": lambda c: orders.kendall_tau(c.part, c.rows, c.out),
    "tau_ap": lambda c: orders.tau_ap(c.part, c.rows, c.out),
    "rbo": _rbo,
}


@lru_cache(maxsize=8)
def _discounts(size: int) -> Floats:
    """The discount of each rank from 0 on."""
    return np.concatenate([np.zeros(1), discount(np.arange(1, size + 1))])


@lru_cache(maxsize=8)
def _persistence(p: float, size: int) -> Floats:
    """The weight of each rank from 0 on for a reader who goes on with chance p."""
    return np.concatenate([np.zeros(1), (1 - p) * np.power(p, np.arange(size, dtype=float))])
