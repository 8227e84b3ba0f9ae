"""Groups of items in lists: long tail, attention and calibration, against plain definitions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from cranfield.base.errors import CranfieldError, MissingFacts
from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from cranfield.testing.rankings import FACTS, POPULARITY
from hit_cases import Ranking, hits_of, rankings, topic_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(80))
KINDS = FACTS.labels["kind"].weights


def score(name: str, ranking: Ranking) -> float:
    return float(parse("metric", name).of_topic(topic_of(ranking)))


def items_of(ranking: Ranking) -> list[int]:
    """The items of a list from the top."""
    lists = topic_of(ranking).list
    assert lists is not None
    return [int(item) for item in lists.run.items]


def tail(share: float) -> set[int]:
    """Items outside those that have the share of all ratings, level by level."""
    head: set[int] = set()
    for level in sorted(set(POPULARITY) - {0.0}, reverse=True):
        if POPULARITY[list(head)].sum() < share * POPULARITY.sum():
            head |= set(np.flatnonzero(level == POPULARITY).tolist())
    return set(range(len(POPULARITY))) - head


@SOME
@given(ranking=rankings(), n=st.integers(1, 12))
def test_the_long_tail_is_counted_one_by_one(ranking: Ranking, n: int) -> None:
    first = items_of(ranking)[:n]
    counts = sum(item in tail(0.8) for item in first)
    share = counts / len(first) if first else math.nan
    assert score(f"APLT@{n}", ranking) == pytest.approx(share, nan_ok=True)
    assert score(f"ACLT@{n}", ranking) == pytest.approx(counts if first else math.nan, nan_ok=True)


def test_the_head_is_smaller_where_it_has_less() -> None:
    ranking = Ranking((5.0, None, 1.0), items=(6, 3))
    assert [POPULARITY[item] for item in items_of(ranking)] == [6, 0, 3]
    assert score("ACLT", ranking) == 1  # 3 is needed for 80 %
    assert score("ACLT(head=0.3)", ranking) == 2


def distribution(items: list[int], weights: list[float]) -> Any:
    total = sum(w * KINDS[item] for item, w in zip(items, weights, strict=True))
    return total / np.sum(total) if np.sum(total) > 0 else None


@SOME
@given(ranking=rankings(), n=st.integers(1, 12))
def test_attention_is_compared_by_the_divergence_of_scipy(ranking: Ranking, n: int) -> None:
    first = items_of(ranking)[:n]
    weights = [1 / math.log2(rank + 1) for rank in range(1, len(first) + 1)]
    found = distribution(first, weights) if first else None
    target = KINDS.sum(axis=0) / KINDS.sum()
    spelled = "AWRF(by=label(kind)"
    if found is None:
        assert math.isnan(score(f"{spelled})@{n}", ranking))
        return
    divergence = jensenshannon(found, target, base=2) ** 2
    assert score(f"{spelled})@{n}", ranking) == pytest.approx(1 - divergence, abs=1e-9)
    absolute = 1 - np.abs(found - target).sum() / 2
    assert score(f"{spelled}, distance=absolute)@{n}", ranking) == pytest.approx(absolute)


def test_the_target_can_be_that_of_ratings() -> None:
    """All attention is for the tail, whose share of the ratings is a fifth at the most."""
    ranking = Ranking((5.0,), items=(0,))
    kept = float(POPULARITY[list(tail(0.8))].sum() / POPULARITY.sum())
    found = score("AWRF(target=ratings, distance=absolute)", ranking)
    assert found == pytest.approx(1 - (1 - kept))


def profile(user: int = 0) -> Any:
    train = FACTS.train
    assert train is not None
    rated = train.items[train.users == user]
    return distribution(rated.tolist(), [1.0] * len(rated))


@SOME
@given(ranking=rankings(), n=st.integers(1, 12), alpha=st.sampled_from([0.01, 0.3]))
def test_miscalibration_is_the_divergence_of_scipy(ranking: Ranking, n: int, alpha: float) -> None:
    first, wanted = items_of(ranking)[:n], profile()
    found = distribution(first, [1.0] * len(first)) if first else None
    spelled = f"Miscalibration(by=label(kind), alpha={alpha})@{n}"
    shannon = f"Miscalibration(by=label(kind), divergence=jensen-shannon)@{n}"
    if found is None:
        assert math.isnan(score(spelled, ranking))
        assert math.isnan(score(shannon, ranking))
        return
    mixed = (1 - alpha) * found + alpha * wanted
    assert score(spelled, ranking) == pytest.approx(entropy(wanted, mixed, base=2), abs=1e-12)
    wanted_distance = jensenshannon(wanted, found, base=2) ** 2
    assert score(shannon, ranking) == pytest.approx(wanted_distance, abs=1e-9)


def test_a_list_of_what_the_user_rated_is_calibrated() -> None:
    train = FACTS.train
    assert train is not None
    own = tuple(int(item) for item in train.items[train.users == 0])
    ranking = Ranking((5.0,) * len(own), items=own)
    for more in ("", ", divergence=jensen-shannon"):
        assert score(f"Miscalibration(by=label(kind){more})", ranking) == pytest.approx(0)
        assert score(f"Miscalibration(by=popularity{more})", ranking) == pytest.approx(0)


def test_each_list_is_compared_with_its_own_user() -> None:
    made = [Ranking((5.0, 1.0), items=(1, 2))] * 3
    values = measure(hits_of(made), [parse("metric", "Miscalibration(by=label(kind))")])[0]
    assert len(set(values.tolist())) > 1


@SOME
@given(ranking=rankings(), n=st.integers(1, 12))
def test_the_mean_prediction_is_that_of_the_top(ranking: Ranking, n: int) -> None:
    lists = topic_of(ranking).list
    assert lists is not None
    first = lists.run.predictions[:n]
    wanted = float(first.mean()) if len(first) else math.nan
    assert score(f"MeanPrediction@{n}", ranking) == pytest.approx(wanted, nan_ok=True)


def test_infinite_divergence_is_refused() -> None:
    with pytest.raises(CranfieldError, match="alpha: kullback-leibler is infinite without"):
        parse("metric", "Miscalibration(by=popularity, alpha=0)")
    parse("metric", "Miscalibration(by=popularity, alpha=0, divergence=jensen-shannon)")


def test_what_is_not_known_is_asked_for() -> None:
    topic = topic_of(Ranking((5.0,)))
    assert topic.list is not None
    bare = replace(topic, list=replace(topic.list, items=replace(FACTS, labels={}, train=None)))
    with pytest.raises(MissingFacts, match=r'called "kind"'):
        parse("metric", "AWRF(by=label(kind))").of_topic(bare)
    with pytest.raises(MissingFacts, match="needs training ratings"):
        parse("metric", "Miscalibration(by=popularity)@3").of_topic(bare)
