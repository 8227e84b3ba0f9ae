"""Hits made ready for kernels: parts of topics, and metrics asked for twice."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.scoring.kernels.plan import has_kernel, plan
from cranfield.scoring.kernels.work import Work
from cranfield.scoring.measure import measure
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
    work = Work(hits, plan(FAST), POPULARITY)
    for start in range(0, 23, size):
        work.score(slice(start, min(start + size, 23)), out)
    np.testing.assert_array_equal(out.T, measure(hits, FAST, popularity=POPULARITY))


def test_a_part_writes_its_own_topics_alone() -> None:
    out = np.full((6, 2), 77.0)
    metrics = parse("metric", "Unrated"), parse("metric", "Recall@3")
    Work(some_hits(6), plan(metrics), None).score(slice(2, 4), out)
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
