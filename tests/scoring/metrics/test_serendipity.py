"""Serendipity: by hand, against the example of another tool, and between its bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metrics.serendipity import _chances
from cranfield.testing.rankings import FACTS
from hit_cases import Ranking, hits_of, rankings, topic_of

TRAIN = {"user": [1, 1, 2, 2, 3], "item": [1, 2, 1, 2, 1], "rating": [5] * 5}
TEST = {"user": [1, 1, 2, 2, 3, 4], "item": [1, 2, 2, 3, 2, 2], "rating": [5] * 6}
RUN = {"user": [1, 1, 2, 2, 3, 4, 4], "item": [1, 2, 2, 3, 3, 2, 3], "score": [2, 1, 2, 1, 2, 2, 1]}


def score(name: str, ranking: Ranking) -> float:
    return float(parse("metric", name).of_topic(topic_of(ranking)))


def test_one_list_by_hand() -> None:
    """Items 6, 21 and 3 from the top, rated 6, 0 and 3 times; the first two are relevant."""
    ranking, size = Ranking((5.0, 5.0, 1.0), items=(6, 21, 3)), len(FACTS)
    popularity = FACTS.popularity
    assert popularity[[6, 21, 3]].tolist() == [6, 0, 3]
    known = (size - int((popularity > 6).sum())) / size
    first, second = max(0.0, 1 - known), (size - 1) / size
    assert score("Serendipity", ranking) == pytest.approx((first + second) / 3)
    assert score("Serendipity@1", ranking) == pytest.approx(first)
    assert score("Serendipity@2", ranking) == pytest.approx((first + second) / 2)


def test_the_most_popular_item_at_the_top_is_no_surprise() -> None:
    most = int(FACTS.popularity.argmax())
    assert score("Serendipity", Ranking((5.0,), items=(most,))) == 0


def test_the_example_of_rectools_has_the_same_values() -> None:
    """Four items in its catalogue; no two that were rated are equally popular."""
    made = cf.evaluate(
        TEST, {"mine": RUN}, ["Serendipity@1", "Serendipity@2"], relevance=4, train=TRAIN,
        catalogue=[1, 2, 3, 4], training_items="keep", least_train=0,
    )  # fmt: skip
    assert made.scores.of("mine", "Serendipity@1").tolist() == [0, 0.25, 0, 0.25]
    assert made.scores.of("mine", "Serendipity@2").tolist() == [0, 0.5, 0, 0.125]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_the_chance_of_an_item_is_that_of_its_rank_by_popularity(counts: list[int]) -> None:
    found = _chances(np.array(counts, dtype=np.int64))
    for count, chance in zip(counts, found, strict=True):
        rank = 1 + sum(other > count for other in counts)
        assert chance == pytest.approx((len(counts) + 1 - rank) / len(counts) if count else 0)


@given(st.lists(rankings(), min_size=1, max_size=4))
def test_a_list_lies_between_0_and_its_share_of_relevant_items(made: list[Ranking]) -> None:
    metrics = [parse("metric", name) for name in ("Serendipity@3", "P@3")]
    for found, ranking in zip(measure(hits_of(made), metrics).T, made, strict=True):
        length = len(ranking.ratings)
        if not length:
            assert math.isnan(found[0])
        elif not math.isnan(found[1]):
            assert 0 <= found[0] <= found[1] * 3 / min(length, 3) + 1e-12


@pytest.mark.parametrize(("typed", "name"), [("Novelty@5", "EFD@5"), ("self-information", "EFD")])
def test_novelty_has_the_names_that_people_type(typed: str, name: str) -> None:
    assert parse("run-metric", typed) == parse("run-metric", name)


def test_novelty_typed_in_an_evaluation_is_shown_as_typed() -> None:
    made = cf.evaluate(
        TEST, {"mine": RUN}, ["novelty@2", "UserNovelty@2"], relevance=4, train=TRAIN
    )
    assert str(made.experiment.metrics[0]) == "UserEFD@2"
    assert str(made.experiment.run_metrics[0]) == "EFD@2"
