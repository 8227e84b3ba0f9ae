"""Stability: how often a metric decides against its own majority on other users."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadParameter, MissingFacts, TooFew
from cranfield.base.ids import encode_ids
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds, uniforms
from cranfield.collection.topics import Topics
from cranfield.scoring.scores import Scores
from cranfield.validity.assessment import Chart
from cranfield.validity.criteria.stability import Stability
from cranfield.validity.criterion import Evidence

FEW = Stability(samples=40)


def scores_of(values: np.ndarray, users: list[int] | None = None) -> Scores:
    """Scores of systems × metrics × topics, one topic per user unless they are given."""
    systems, metrics, topics = values.shape
    ids, codes = encode_ids(pl.Series(users or range(topics)))
    covered = np.ones((systems, topics), dtype=bool)
    names = tuple(f"s{number}" for number in range(systems))
    return Scores(Topics(codes), ids, names, ("P", "RR")[:metrics], values, covered)


SCORES = scores_of(np.random.default_rng(2).random((3, 2, 30)))


def curves(criterion: Stability, scores: Scores = SCORES, seed: int = 0) -> pl.DataFrame:
    return criterion.assess(Evidence(scores=scores, seed=seed)).details["curves"]


def the_slow_way(scores: Scores, metric: int, fuzziness: float) -> tuple[float, float]:
    """Sample by sample: half of the users, means of each system, and a counter per outcome."""
    users = scores.n_users
    counts: dict[tuple[int, int], list[int]] = {}
    for sample in range(FEW.samples):
        draws = uniforms(Seeds(0).key("stability", sample=sample), range(users)).tolist()
        chosen = sorted(range(users), key=lambda user: draws[user])[: int(users / 2 + 0.5)]
        inside = [t for t in range(len(scores)) if scores.user_numbers[t] in chosen]
        means = []
        for system in range(len(scores.systems)):
            known = [
                scores.values[system, metric, t] if scores.covered[system, t] else 0.0
                for t in inside
                if not np.isnan(scores.values[system, metric, t])
            ]
            means.append(sum(known) / len(known))
        for a in range(len(means)):
            for b in range(a + 1, len(means)):
                larger = max(means[a], means[b])
                outcome = 2 if abs(means[a] - means[b]) < fuzziness * larger else 0
                outcome = outcome or int(means[b] > means[a])
                counts.setdefault((a, b), [0, 0, 0])[outcome] += 1
    total = sum(map(sum, counts.values()))
    errors = sum(min(ahead, behind) for ahead, behind, _ in counts.values())
    return errors / total, sum(ties for *_, ties in counts.values()) / total


@pytest.mark.parametrize("case", ["plain", "uncovered and undefined", "several topics of a user"])
def test_error_rate_and_ties_are_those_counted_the_slow_way(case: str) -> None:
    scores = SCORES
    if case == "uncovered and undefined":
        values, covered = SCORES.values.copy(), SCORES.covered.copy()
        values[:, :, :5] = np.nan
        values[1, 0, 5:9] = np.nan
        covered[2, 9:12] = False
        scores = replace(SCORES, values=values, covered=covered)
    elif case == "several topics of a user":
        scores = scores_of(
            np.random.default_rng(3).random((3, 2, 20)), [1, 1, 2, 3, 3, 3, *range(4, 18)]
        )
    table = curves(FEW, scores)
    for place, metric in enumerate(("P", "RR")):
        for fuzziness in (0.0, 0.05, 0.1):
            row = table.filter((pl.col("metric") == metric) & (pl.col("fuzziness") == fuzziness))
            found = row["error_rate"][0], row["ties"][0]
            assert found == pytest.approx(the_slow_way(scores, place, fuzziness))


def test_a_system_that_is_better_for_every_user_is_never_mistaken() -> None:
    values = np.array([[np.full(20, 0.9)], [np.full(20, 0.5)], [np.linspace(0, 0.4, 20)]])
    made = Stability(samples=50).assess(Evidence(scores=scores_of(values)))
    table = made.details["curves"]
    assert (table["error_rate"] == 0).all()
    assert (table["ties"] == 0).all()
    assert made.reading == (
        "With a fuzziness of 0.05, P is against its own majority in 0 % of decisions (0 % ties)."
    )


def test_equal_systems_are_tied_without_any_fuzziness() -> None:
    values = np.repeat(np.random.default_rng(1).random((1, 1, 20)), 2, axis=0)
    table = curves(Stability(samples=10, fuzziness=(0.0,)), scores_of(values))
    assert table["ties"].to_list() == [1.0]
    assert table["error_rate"].to_list() == [0.0]


def test_systems_that_differ_by_chance_alone_are_mistaken_about_half_of_the_time() -> None:
    values = np.random.default_rng(4).random((2, 1, 4000))
    values -= values.mean(axis=2, keepdims=True)  # no difference over all users
    (error,) = curves(Stability(samples=400, fuzziness=(0.0,)), scores_of(values))["error_rate"]
    assert 0.4 < error <= 0.5


def test_the_best_metric_comes_first_and_ties_are_beside_the_errors() -> None:
    made = FEW.assess(Evidence(scores=SCORES))
    assert list(made.tables) == ["stability"]
    assert made.title("stability") == "stability with a fuzziness of 0.05, the best first"
    assert made.shown("stability").columns == ["metric", "error rate", "ties"]
    table = made.tables["stability"]
    assert table.columns == ["metric", "error_rate", "ties"]
    assert table["error_rate"].is_sorted()
    (chart,) = made.charts
    assert isinstance(chart, Chart)
    assert [line.name for line in chart.lines] == ["P", "RR"]
    assert len(chart.lines[0].x) == len(FEW.fuzziness) == 11
    assert made.decisions["users"] == 15


def test_the_seed_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    made = curves(FEW, seed=3)
    for threads in ("1", "3"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        assert curves(FEW, seed=3).equals(made)
    assert not curves(FEW, seed=4).equals(made)


def test_a_metric_that_is_never_defined_has_no_rate() -> None:
    made = FEW.assess(Evidence(scores=scores_of(np.full((2, 1, 9), np.nan))))
    assert made.reading == "No metric is defined on any sample, so that nothing is decided."
    assert made.to_dict()["details"]["curves"][0]["error_rate"] is None


def test_too_little_is_refused() -> None:
    with pytest.raises(MissingFacts, match="stability needs scores of users"):
        FEW.assess(Evidence())
    with pytest.raises(TooFew, match="at least 2 systems; here 1"):
        FEW.assess(Evidence(scores=scores_of(np.ones((1, 1, 5)))))
    with pytest.raises(TooFew, match="at least 2 users; here 1"):
        FEW.assess(Evidence(scores=scores_of(np.ones((2, 1, 1)))))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("stability(fuzziness=[])", "a list of at least one"),
        ("stability(fuzziness=[1])", "fuzziness[0]: 1"),
        ("stability(fuzziness=[-0.1])", "fuzziness[0]: -0.1"),
        ("stability(samples=1)", "samples: 1"),
        ("stability(share=1)", "share: 1"),
    ],
)
def test_parameters_out_of_range_are_refused(text: str, problem: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse("criterion", text)
    assert problem in str(caught.value)
