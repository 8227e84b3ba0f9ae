"""Topics that do not all count alike: values, intervals, tests and files know their weights."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadValue
from cranfield.base.options import parse
from cranfield.scoring.coverage import Coverage
from cranfield.scoring.folds import join_folds
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_tests.student import StudentT
from cranfield.significance.samples.resampled import _Exchange, _Loop, resampled
from score_cases import written_and_read
from significance.test_table_law import AGGREGATIONS, COVERAGES, made_up
from suites import spread

METRIC = "P@10"


def weighted(scores: Scores, seed: int = 0) -> Scores:
    """The scores with a weight for each topic."""
    weights = np.random.default_rng(seed).gamma(1, 2, len(scores)) + 0.1
    return replace(scores, topic_weights={METRIC: weights})


@pytest.mark.parametrize(("coverage", "undefined"), [*product(COVERAGES, ("left-out", "zero"))])
def test_weights_of_users_are_those_of_a_weighted_mean(coverage: Coverage, undefined: Any) -> None:
    scores = weighted(made_up(3))
    column = replace(
        scores,
        topic_weights={},
        user_columns={**scores.user_columns, "w": scores.topic_weights[METRIC]},
    )
    by = parse("aggregation", "weighted-mean(by=column(w))")
    asked = {"coverage": coverage, "undefined": undefined}
    found = summarise(scores, SummaryChoice(**asked))
    wanted = summarise(column, SummaryChoice(aggregation=by, **asked))
    for mine, other in zip(found.rows, wanted.rows, strict=True):
        for name in ("value", "full", "forgiving", "standard_error", "low", "high"):
            assert getattr(mine, name) == pytest.approx(getattr(other, name), nan_ok=True)
    tested = compare(scores, ComparisonChoice(test=StudentT(), **asked))
    theirs = compare(
        column,
        ComparisonChoice(test=StudentT(), aggregation=by, **asked),
    )
    for pair, same in zip(tested.pairs, theirs.pairs, strict=True):
        assert pair.difference == pytest.approx(same.difference)
        assert pair.p_value == pytest.approx(same.p_value)
        assert pair.low == pytest.approx(same.low)


CASES = [*product(("AR", "1R", "P1R", "folds"), AGGREGATIONS, COVERAGES)]


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize(("topics", "aggregation", "coverage"), spread(CASES, every=7))
def test_the_difference_compared_is_that_of_the_values_in_the_table(
    topics: str, aggregation: str, coverage: Coverage
) -> None:
    if topics == "folds":
        scores = join_folds([weighted(made_up(1)), weighted(made_up(2), 5)])
    else:
        scores = weighted(made_up(4, topics=topics))
    value = parse("aggregation", aggregation)
    table = summarise(scores, SummaryChoice(aggregation=value, coverage=coverage))
    test: Any = default_test(value, of_means="t")
    few = {} if "mean" in aggregation and "geo" not in aggregation else {"draws": 100}
    choice = ComparisonChoice(test=replace(test, **few), aggregation=value, coverage=coverage)
    for pair in compare(scores, choice).pairs:
        first, second = (table.row(s, METRIC).value for s in (pair.first, pair.second))
        np.testing.assert_equal(pair.difference, first - second)


@pytest.mark.parametrize("aggregation", ["mean", "weighted-mean", "median", "geometric-mean"])
@pytest.mark.parametrize("topics", ["AR", "1R", "P1R"])
def test_values_drawn_again_are_those_of_the_scores_drawn(topics: str, aggregation: str) -> None:
    scores = weighted(made_up(0, topics=topics))
    choice = SummaryChoice(aggregation=parse("aggregation", aggregation), coverage="forgiving")
    fast = resampled(scores, 0, choice)
    plain = _Loop(_Exchange(scores, 0, choice), choice.aggregation)
    rng = np.random.default_rng(1)
    own = (1 + rng.choice([-1.0, 1.0], (4, scores.n_users))) / 2
    counts = rng.integers(0, 3, (4, scores.n_users)).astype(float)
    for mine, theirs in ((own, 1 - own), (counts, np.zeros_like(counts))):
        wanted = plain.values((0, 1), mine, theirs)
        np.testing.assert_allclose(fast.values((0, 1), mine, theirs), wanted, rtol=1e-9)


def test_the_value_and_its_error_are_those_of_a_ratio_of_sums() -> None:
    """Σ A_t/Σ B_t, A_t = B_t·x_t: e_u = Σ_t (A_t − V·B_t)/Σ B."""
    scores = weighted(made_up(5, topics="1R", uncovered=False, undefined=False))
    lower, users = scores.topic_weights[METRIC], scores.topics.users
    upper = lower * scores.values[0, 0]
    row = summarise(scores).row("a", METRIC)
    assert row.value == pytest.approx(upper.sum() / lower.sum())
    parts = np.bincount(users, upper - row.value * lower) / lower.sum()
    assert row.standard_error == pytest.approx(np.sqrt(14 / 13 * (parts**2).sum()))


def test_segments_weigh_alike_whatever_their_topics_weigh() -> None:
    scores = weighted(made_up(5, topics="P1R", uncovered=False, undefined=False))
    weights, segments = scores.topic_weights[METRIC], scores.topics.segments
    assert segments is not None
    means = [
        np.average(scores.values[0, 0, segments == s], weights=weights[segments == s])
        for s in range(3)
    ]
    assert summarise(scores).row("a", METRIC).value == pytest.approx(np.mean(means))


def test_the_error_in_segments_allows_for_their_random_weight() -> None:
    scores = weighted(made_up(5, topics="P1R", uncovered=False, undefined=False))
    weights, segments, users = (
        scores.topic_weights[METRIC], scores.topics.segments, scores.topics.users
    )  # fmt: skip
    assert segments is not None
    error = np.zeros(14)
    for segment in range(3):
        of, x = segments == segment, scores.values[0, 0]
        mean = np.average(x[of], weights=weights[of])
        error += np.bincount(users[of], weights[of] * (x[of] - mean), 14) / weights[of].sum() / 3
    found = summarise(scores).row("a", METRIC).standard_error
    assert found == pytest.approx(np.sqrt(14 / 13 * (error**2).sum()))


def test_equal_weights_change_nothing() -> None:
    plain = made_up(6, topics="1R")
    equal = replace(plain, topic_weights={METRIC: np.full(len(plain), 2.5)})
    for mine, other in zip(summarise(equal).rows, summarise(plain).rows, strict=True):
        assert mine.value == pytest.approx(other.value, rel=1e-14)
        assert mine.standard_error == pytest.approx(other.standard_error, rel=1e-12)


def test_a_topic_without_a_weight_counts_as_much_as_others_on_average() -> None:
    scores = made_up(2, uncovered=False, undefined=False)
    weights = np.full(len(scores), 3.0)
    weights[0] = np.nan
    unknown = replace(scores, topic_weights={METRIC: weights})
    assert summarise(unknown).rows[0].value == pytest.approx(summarise(scores).rows[0].value)


def test_folds_are_pooled_by_their_weights() -> None:
    one, two = (made_up(seed, uncovered=False, undefined=False) for seed in (1, 2))
    one, two = (replace(s, topic_weights={METRIC: w}) for s, w in
                ((one, np.full(14, 1.0)), (two, np.full(14, 3.0))))  # fmt: skip
    joined = join_folds([one, two])
    wanted = (one.values + 3 * two.values) / 4
    np.testing.assert_allclose(joined.values, wanted)
    np.testing.assert_allclose(joined.topic_weights[METRIC], 2.0)


def test_files_hold_weights(tmp_path: Path) -> None:
    scores = weighted(made_up(3, topics="1R"))
    again = written_and_read(replace(scores, topics=replace(
        scores.topics, items=np.arange(len(scores), dtype=np.int32))), tmp_path)  # fmt: skip
    np.testing.assert_array_equal(again.topic_weights[METRIC], scores.topic_weights[METRIC])
    found, wanted = summarise(again), summarise(scores)
    assert found.rows[0].value == wanted.rows[0].value
    assert "topic_weight" not in made_up(3).to_polars().columns


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("inf")])
def test_weights_that_are_none_are_refused(wrong: float, tmp_path: Path) -> None:
    weighted(made_up(3)).to_parquet(tmp_path / "scores.parquet")
    table = pl.read_parquet(tmp_path / "scores.parquet")
    broken = table.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(wrong).otherwise("topic_weight").alias("w")
    )
    broken.drop("topic_weight").rename({"w": "topic_weight"}).write_parquet(
        tmp_path / "odd.parquet"
    )
    with pytest.raises(BadValue, match="a finite number above 0"):
        read_scores(tmp_path / "odd.parquet")
