"""The kernel of relevance on ratings of any scale, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.kernels.relevance import FORMS, PRECISION, RECALL, score_relevance
from cranfield.scoring.kernels.topic_range import WHOLE, TopicRange
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from hit_cases import POPULARITY, Ranking, hits_of
from suites import tries

NAMES = (
    *("P", "P(unjudged=relevant)", "P(unjudged=residual)", "P(as=lenskit)", "Recall", "F1"),
    *("Success", "RR", "AP", "Bpref", "InfAP", "InfAP(as=trec_eval)"),
    "StratifiedRecall(gamma=0.5)",
)
ALSO = ("Bpref(as=bellogin2017)", "SubcollectionAP(p=0.3)", "InducedAP", "Fallout")
METRICS: list[Metric] = [
    *(parse("metric", f"{name}@{n}") for name in NAMES for n in (1, 2, 5, 1000)),
    *(parse("metric", name) for name in (*NAMES, "Rprec", "AUC")),
]
LISTED = st.lists(st.none() | st.sampled_from([-9.95, -0.5, 0.0, 0.25, 7.5, 10.0]), max_size=9)


def jester(lists: list[list[float | None]], relevance: float) -> Hits:
    """Ratings from −10 to 10, below and above 0, whole or not."""
    made = [Ranking(tuple(each), (-9.95, 10.0)[: len(each) % 3], len(each) % 2) for each in lists]
    return replace(hits_of(made), relevance=relevance, lowest=-10.0, highest=10.0)


@settings(deadline=None, max_examples=tries(25))
@given(lists=st.lists(LISTED, min_size=1, max_size=4), relevance=st.sampled_from([-9.95, 0, 0.25]))
def test_ratings_below_zero_and_between_whole_numbers_are_as_good_as_any(
    lists: list[list[float | None]], relevance: float
) -> None:
    hits = jester(lists, relevance)
    topics = [hits.topic(number, POPULARITY) for number in range(len(hits))]
    found = measure(hits, METRICS, popularity=POPULARITY)
    defined = [[metric.of_topic(topic) for topic in topics] for metric in METRICS]
    np.testing.assert_allclose(found, defined, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", [*NAMES, *ALSO])
def test_a_form_that_is_asked_for_alone_is_as_defined(name: str) -> None:
    hits = jester([[0.25, None, 10.0, -0.5, 0.25], [None, -0.5, 7.5], [None, -9.95]], 0.25)
    for metric in (parse("metric", name), parse("metric", f"{name}@2")):
        topics = [hits.topic(number, POPULARITY) for number in range(len(hits))]
        defined = [metric.of_topic(topic) for topic in topics]
        [found] = measure(hits, [metric], popularity=POPULARITY)
        np.testing.assert_allclose(found, defined, rtol=1e-12)


def test_a_threshold_that_nothing_reaches_leaves_all_undefined() -> None:
    hits = jester([[0.0, None, 10.0], []], relevance=11.0)
    assert np.isnan(measure(hits, METRICS, popularity=POPULARITY)).all()


def test_a_threshold_that_everything_reaches_makes_judged_items_relevant() -> None:
    hits = jester([[0.0, None, -9.95, None]], relevance=-10.0)
    found = measure(hits, [parse("metric", name) for name in ("P@4", "Bpref", "AP")])[:, 0]
    # four listed (and one not): ranks 1 and 3 of them are judged
    np.testing.assert_allclose(found, [2 / 4, 2 / 3, (1 / 1 + 2 / 3) / 3])


def test_only_what_was_asked_for_is_written() -> None:
    part = TopicRange(
        np.array([0, 2]),
        np.array([1, 3], np.int32),
        np.array([1, 0], np.int32),
        np.array([4]),
        np.array([4]),
        np.array([0, 2]),
        np.array([1, 0], np.int32),
        np.array([1, 1]),
    )
    rows = np.full((FORMS, 2), -1, dtype=np.int64)
    rows[PRECISION, 0], rows[RECALL, 1] = 2, 0
    out = np.full((1, 4), 77.0)
    cuts = np.array([2, WHOLE])
    score_relevance(part, np.array([0.0, 1.0]), np.array([1.0]), 1e-5, 0.0, cuts, rows, out)
    assert out.tolist() == [[1.0, 77.0, 1 / 2, 77.0]]


@pytest.mark.parametrize("cutoffs", [(1,), (1, 2, 3), (3, 2, 1), (2, 2), (7, 1, 100)])
def test_scores_do_not_depend_on_which_cut_offs_are_asked_for_or_in_which_order(
    cutoffs: tuple[int, ...],
) -> None:
    hits = jester([[0.25, None, 10.0, -0.5, 0.25], [None, 7.5]], relevance=0.25)
    for name in ("AP", "Bpref", "F1", "InfAP"):
        asked = [parse("metric", f"{name}@{n}") for n in cutoffs]
        together = measure(hits, asked)
        for row, metric in enumerate(asked):
            np.testing.assert_array_equal(together[row], measure(hits, [metric])[0])
