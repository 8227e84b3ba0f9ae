"""Passes: metrics that share what they need share one, and each keeps its row."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.scoring.gains.binary import Binary
from cranfield.scoring.kernels import relevance
from cranfield.scoring.kernels.forms import Pass, PlannedPass, has_kernel, plan
from cranfield.scoring.kernels.passes import PreparedHits
from cranfield.scoring.kernels.topic_range import WHOLE
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metrics.reading import own_shares
from hit_cases import METRICS, POPULARITY, Ranking, hits_of

FAST = tuple(metric for metric in METRICS if has_kernel(metric))
POOL = (None, None, 5.0, 4.5, 4.0, 3.0, 1.0)


def some_hits(topics: int, seed: int = 0):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    return hits_of(
        [
            Ranking(
                tuple(POOL[i] for i in rng.integers(0, 7, rng.integers(0, 15))), (4.0,) * (n % 3)
            )
            for n in range(topics)
        ]
    )


@pytest.mark.parametrize("size", [1, 3, 7, 40])
def test_topics_scored_in_parts_score_as_they_do_together(size: int) -> None:
    hits = some_hits(23)
    out = np.full((23, len(FAST)), 77.0)
    work = PreparedHits(hits, plan(FAST), POPULARITY)
    for start in range(0, 23, size):
        work.score(slice(start, min(start + size, 23)), out)
    np.testing.assert_array_equal(out.T, measure(hits, FAST, popularity=POPULARITY))


def test_a_part_writes_its_own_topics_alone() -> None:
    out = np.full((6, 2), 77.0)
    metrics = parse("metric", "Unrated"), parse("metric", "Recall@3")
    PreparedHits(some_hits(6), plan(metrics), None).score(slice(2, 4), out)
    assert (out[[0, 1, 4, 5]] == 77).all()
    assert (out[2:4] != 77).all()


def test_metrics_asked_for_twice_have_both_their_rows() -> None:
    names = ("P@3", "nDCG@3", "P@3", "AP(as=recbole)@3", "nDCG@3", "AP(as=recbole)@3")
    found = measure(some_hits(9), [parse("metric", name) for name in names])
    for first, again in ((0, 2), (1, 4), (3, 5)):
        np.testing.assert_array_equal(found[first], found[again])


def test_no_topics_and_no_metrics_give_empty_scores() -> None:
    assert measure(some_hits(0), FAST, popularity=POPULARITY).shape == (len(FAST), 0)
    assert measure(some_hits(3), []).shape == (0, 3)


def test_topics_without_a_judged_target_are_undefined_among_others() -> None:
    hits = hits_of([Ranking((None, None)), Ranking((5.0,)), Ranking(())])
    found = measure(hits, [parse("metric", name) for name in ("P@2", "nDCG", "RBP(p=0.5)", "AUC")])
    assert np.isnan(found[:, [0, 2]]).all()
    np.testing.assert_allclose(found[:3, 1], [1 / 2, 1, 1 / 2])


def planned(*names: str) -> tuple[PlannedPass, ...]:
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


@pytest.mark.parametrize("gain", ["stopping", "chapelle-scaled", "binary"])
def test_gains_on_the_scale_of_each_topic_are_those_of_the_definition(gain: str) -> None:
    """The same bits, also where a topic's highest rating leaves nothing to divide by: all 0."""
    hits, metric = some_hits(40), parse("metric", f"ERR(top=user, gain={gain})")
    (planned,) = plan((metric,))
    found = PreparedHits(hits, (planned,), None).by_row[planned.made_by]
    topics = [hits.topic(number) for number in range(len(hits))]
    by_topic = [own_shares(each, metric.gain, None) for each in topics if len(each.ratings)]
    np.testing.assert_array_equal(found, np.concatenate(by_topic))
