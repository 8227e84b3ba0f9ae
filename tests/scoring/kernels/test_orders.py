"""Kernels of orders on ratings of any scale, and on lists of any length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from hit_cases import Ranking, hits_of
from suites import tries

METRICS = [
    parse("metric", name)
    for name in ("KendallTau", "TauAP", "RBO(p=0.9)", "RBO(p=0.2)", "Unrated", "Unrated@3")
]
LISTED = st.lists(st.none() | st.sampled_from([-3.0, 0.0, 0.1, 0.2, 9.0]), max_size=12)


@settings(deadline=None, max_examples=tries(25))
@given(lists=st.lists(LISTED, min_size=1, max_size=5))
def test_kernels_of_orders_equal_their_definitions(lists: list[list[float | None]]) -> None:
    hits = hits_of([Ranking(tuple(each), (9.0,)[: len(each) % 2]) for each in lists])
    hits = replace(hits, lowest=-3.0, highest=9.0)
    defined = [[m.of_topic(hits.topic(t)) for t in range(len(hits))] for m in METRICS]
    np.testing.assert_allclose(measure(hits, METRICS), defined, rtol=1e-12, atol=1e-12)


def test_a_long_list_after_a_short_one_leaves_no_trace() -> None:
    """Scratch space is shared by topics; each must find it clean."""
    long, short = Ranking((1.0, 2.0, 3.0, 4.0, 5.0) * 3), Ranking((1.0, 5.0))
    alone = measure(hits_of([short]), METRICS)[:, 0]
    among = measure(hits_of([long, short, long, short]), METRICS)
    np.testing.assert_array_equal(among[:, 1], alone)
    np.testing.assert_array_equal(among[:, 3], alone)
