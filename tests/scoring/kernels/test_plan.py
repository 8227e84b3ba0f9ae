"""The plan: metrics that share what they need share a pass, and each keeps its row."""

from __future__ import annotations

from cranfield.base.options import parse
from cranfield.scoring.gains.binary import Binary
from cranfield.scoring.kernels import relevance
from cranfield.scoring.kernels.part import WHOLE
from cranfield.scoring.kernels.plan import Pass, Wanted, has_kernel, plan
from hit_cases import METRICS


def planned(*names: str) -> tuple[Wanted, ...]:
    return plan(tuple(parse("metric", name) for name in names))


def test_cut_offs_and_forms_of_one_threshold_share_a_pass() -> None:
    (one,) = planned("P@10", "AP", "RR@5", "InfAP@10", "Bpref")
    assert one.made_by == Pass("relevance", Binary(), None)
    assert one.cuts.tolist() == [5, 10, WHOLE]
    assert one.rows[relevance.PRECISION].tolist() == [-1, 0, -1]
    assert one.rows[relevance.AVERAGE].tolist() == [-1, -1, 1]
    assert one.rows[relevance.RECIPROCAL].tolist() == [2, -1, -1]
    assert one.rows[relevance.INFERRED].tolist() == [-1, 3, -1]
    assert one.rows[relevance.BPREF].tolist() == [-1, -1, 4]


def test_another_threshold_gain_or_constant_is_another_pass() -> None:
    names = ("P@5", "P(relevance=3)@5", "nDCG@5", "nDCG(gain=binary)@5", "RBP(p=0.8)@5")
    assert len(planned(*names, "RBP(p=0.9)@5", "InfAP(epsilon=0.1)@5")) == 7
    assert len(planned("nDCG@5", "DCG@5", "RBP(p=0.8)", "RBP(p=0.8, unjudged=residual)")) == 2


def test_every_metric_has_exactly_one_place() -> None:
    fast = tuple(metric for metric in METRICS if has_kernel(metric))
    places = [row for each in plan(fast) for row in each.rows.ravel().tolist() if row >= 0]
    assert sorted(places) == list(range(len(fast)))


def test_cut_offs_ascend_whatever_their_order() -> None:
    (one,) = planned("P", "P@100", "P@1", "P@20")
    assert one.cuts.tolist() == [1, 20, 100, WHOLE]
    assert one.rows[relevance.PRECISION].tolist() == [2, 3, 1, 0]
