"""Gates: when a condition holds, by whose p-value, and at which level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import cranfield as cf
from cranfield.base.errors import OptionError
from cranfield.base.options import parse
from cranfield.scoring.coverage import Coverage
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.gate import Gate, gate_of
from cranfield.significance.samples.margin import Margin
from cranfield.significance.samples.pairing import pair_users
from score_cases import N, scores_of, scores_of_topics
from suites import tries

RNG = np.random.default_rng(5)
OLD = RNG.beta(2, 3, 40)
NEW = np.clip(OLD - 0.06 + RNG.normal(0, 0.05, 40), 0, 1)
OTHER = np.clip(OLD + RNG.normal(0, 0.2, 40), 0, 1)
SCORES = scores_of({"new": NEW.tolist(), "old": OLD.tolist(), "other": OTHER.tolist()})


def choice_of(test: str, **decisions: Any) -> ComparisonChoice:
    """A choice with a test and perhaps an aggregation, by their spelling."""
    options = {
        name: parse(name, each) if name in ("aggregation", "correction") else each
        for name, each in decisions.items()
    }
    return ComparisonChoice(test=parse("test", test), **options)


def gated(condition: str, test: str = "t", scores: Scores = SCORES, **decisions: Any) -> Gate:
    choice = choice_of(test, **decisions)
    return gate_of(compare(scores, choice, seed=3), scores, condition, seed=3)


def p_of(differences: np.typing.NDArray[np.float64]) -> float:
    """SciPy's two-sided p-value of a mean of 0."""
    return float(stats.ttest_1samp(differences, 0).pvalue)


def test_without_an_allowance_it_is_the_pair_of_the_comparison() -> None:
    found = compare(SCORES, choice_of("t"), seed=3)
    pair = found.pair("P@10", "new", "old")
    check = gated("new < old").checks[0]
    assert (check.p_value, check.adjusted) == (pair.p_value, pair.adjusted)
    assert (check.first_value, check.second_value) == (pair.first_value, pair.second_value)
    assert check.failed
    assert not gated("old < new").failed
    assert gated("old > new").failed


def test_an_allowed_difference_is_tested_as_scipy_tests_it() -> None:
    check = gated("new < old - 0.02", correction="none").checks[0]
    assert check.p_value == pytest.approx(p_of(NEW - OLD + 0.02), rel=1e-9)
    assert check.limit == pytest.approx(OLD.mean() - 0.02)
    assert check.failed


def test_an_allowed_share_is_tested_as_scipy_tests_it() -> None:
    check = gated("new < old - 5 %", correction="none").checks[0]
    assert check.p_value == pytest.approx(p_of(NEW - 0.95 * OLD), rel=1e-9)
    assert check.limit == pytest.approx(0.95 * OLD.mean())


def test_the_other_direction_is_tested_alike() -> None:
    check = gated("old > new + 0.02", correction="none").checks[0]
    assert check.p_value == pytest.approx(p_of(OLD - NEW - 0.02), rel=1e-9)
    assert check.failed


def test_the_moved_p_value_takes_its_place_in_the_family() -> None:
    check = gated("new < old - 0.02").checks[0]
    others = [p_of(NEW - OTHER), p_of(OLD - OTHER)]
    holm = parse("correction", "holm")
    family = np.array([check.p_value, *others])
    assert check.adjusted == pytest.approx(holm.adjust(family)[0], rel=1e-9)
    assert check.adjusted > check.p_value


def test_a_baseline_makes_the_family_smaller() -> None:
    scores = scores_of({"old": OLD.tolist(), "new": NEW.tolist(), "other": OTHER.tolist()})
    check = gated("new < old - 0.02", scores=scores, baseline="old").checks[0]
    family = np.array([check.p_value, p_of(OTHER - OLD)])
    assert check.adjusted == pytest.approx(parse("correction", "holm").adjust(family)[0], rel=1e-9)
    with pytest.raises(OptionError, match="the pair is not compared, as the baseline is old"):
        gated("new < other", scores=scores, baseline="old")


def test_within_the_allowance_nothing_fails() -> None:
    assert not gated("new < old - 0.2").failed
    assert gated("new < old - 0.2").checks[0].adjusted <= 0.05  # it is significantly above
    assert not gated("new < old - 0.055").failed  # beyond it, by chance


def test_a_p_value_at_alpha_fails() -> None:
    exact = {"new": [0.1] * 5, "old": [0.2, 0.3, 0.4, 0.5, 0.6]}
    for alpha, failed in ((2 / 2**5, True), (2 / 2**5 - 1e-9, False)):
        made = gated("new < old", "permutation", scores_of(exact), alpha=alpha)
        assert made.checks[0].adjusted == 2 / 2**5
        assert made.failed is failed


@pytest.mark.parametrize(
    "test", ["t", "permutation(draws=500)", "bootstrap(draws=500)", "tukey-hsd"]
)
def test_nothing_allowed_is_the_plain_test_bit_for_bit(test: str) -> None:
    choice = choice_of(test)
    plain = compare(SCORES, choice, seed=3)
    moved = pair_users(SCORES, choice.summary, margin=Margin(1, scale=1.0, offset=-0.0))
    assert np.array_equal(moved.values, pair_users(SCORES, choice.summary).values)
    tiny = gate_of(plain, SCORES, "new < old - 1e-300", seed=3)
    assert tiny.checks[0].p_value == plain.pair("P@10", "new", "old").p_value


@settings(max_examples=tries(30))
@given(
    scores_of_topics(),
    st.sampled_from(["full", "forgiving", "common"]),
    st.sampled_from(["left-out", "zero"]),
    st.floats(0.5, 1.5),
    st.floats(-0.2, 0.2),
)
def test_the_moved_values_are_those_of_the_table_moved(
    scores: Scores, coverage: Coverage, undefined: str, scale: float, offset: float
) -> None:
    choice = SummaryChoice(coverage=coverage, undefined=undefined)  # type: ignore[arg-type]
    try:
        plain = pair_users(scores, choice)
    except cf.CranfieldError:
        return
    moved = pair_users(scores, choice, margin=Margin(1, scale, offset))
    assert plain.table is not None
    assert moved.table is not None
    expected = plain.table.copy()
    expected[:, 1] = scale * expected[:, 1] + offset
    assert np.allclose(moved.table, expected, atol=1e-12)
    for metric in range(len(plain.metrics)):
        assert moved.difference(metric, (0, 2)) == plain.difference(metric, (0, 2))


def test_users_without_a_list_are_moved_with_the_mean() -> None:
    rows = {"new": [0.1, 0.2, N, 0.1, 0.0, 0.3], "old": [0.5, 0.6, 0.4, N, 0.7, 0.9]}
    scores = scores_of(rows)
    filled = scores_of({name: [x or 0.0 for x in row] for name, row in rows.items()})
    for condition in ("new < old - 0.1", "new < old - 20 %"):
        for test in ("t", "permutation"):
            assert gated(condition, test, scores).checks == gated(condition, test, filled).checks
            unequal = gated(condition, test, scores, coverage="forgiving").checks[0]
            assert unequal.p_value > 0


def test_weights_of_users_are_those_of_the_table() -> None:
    counts = list(range(1, 41))
    weighed = scores_of({"new": NEW.tolist(), "old": OLD.tolist()}, judged=counts, relevant=counts)
    made = gated("new < old - 0.02", "weighted-t", weighed, aggregation="weighted-mean")
    shares = np.array(counts) / sum(counts)
    assert made.checks[0].limit == pytest.approx(shares @ OLD - 0.02)
    moved = NEW - OLD + 0.02
    mean = shares @ moved
    error = np.sqrt(40 / 39 * np.sum((shares * (moved - mean)) ** 2))
    assert made.checks[0].p_value == pytest.approx(2 * stats.t.sf(abs(mean / error), 39))


@pytest.mark.parametrize(
    ("condition", "test", "decisions", "said"),
    [
        ("new < old - 1 %", "permutation", {"aggregation": "median"}, "for means, not for median"),
        ("new < old - 0.1", "sign", {}, "asks for how many users"),
        ("new < old - 0.1", "wilcoxon", {}, "choose permutation, t or bootstrap"),
    ],
)
def test_an_allowance_is_refused_where_the_test_is_of_another_number(
    condition: str, test: str, decisions: dict[str, Any], said: str
) -> None:
    with pytest.raises(OptionError, match=said):
        gated(condition, test, **decisions)
    assert gated("new < old", test, **decisions).checks


def test_a_share_of_nothing_is_refused() -> None:
    scores = scores_of({"new": [0.1, 0.2, 0.3], "old": [0.0, 0.0, 0.0]})
    with pytest.raises(OptionError, match=r"by P@10, old has 0, of which there is no share"):
        gated("new < old - 1 %", scores=scores)


def test_a_test_that_sees_the_other_ahead_does_not_fail() -> None:
    """By value new is behind, but most users are better with it, which the sign test counts."""
    rows = {"new": [0.5] * 12 + [0.0], "old": [0.49] * 12 + [1.0]}
    made = gated("new < old", "sign", scores_of(rows))
    assert made.checks[0].first_value < made.checks[0].second_value
    assert made.checks[0].adjusted <= 0.05
    assert not made.failed


def test_the_verb_gives_the_same_and_says_what_it_found() -> None:
    made = cf.gate(SCORES, "new<old-0.02", test="t", seed=3)
    assert made == gated("new < old - 0.02")
    assert made.failed
    sentence = made.sentences[0]
    assert sentence.startswith("P@10: new 0.")
    assert "limit 0." in sentence
    assert sentence.endswith("(≤ 0.05): failed.")
    assert cf.gate(SCORES, "old < new").sentences[0].endswith(": passed.")
    assert "Gate(new < old - 0.02, failed)" in repr(made)
    assert made.to_polars()["failed"].to_list() == [True]
    assert made.to_dict()["checks"][0]["limit"] == made.checks[0].limit
    with pytest.raises(cf.CranfieldError, match="alhpa"):
        cf.gate(SCORES, "new < old", alhpa=0.1)  # type: ignore[call-arg]


ROUNDS, USERS = 600, 60


def behind(seed: int, *, size: float = 0.0, share: float = 0.0, empty: float = 0.0) -> Scores:
    """Two systems of which new has the expectation of old less just what is allowed.

    Scores are skewed, as many users have 0 by both; each lacks the lists of some users.
    """
    rng = np.random.default_rng(seed)
    ease = rng.beta(1, 3, USERS) * (rng.random(USERS) < 0.8)
    old = ease * rng.uniform(0.5, 1.5, USERS)
    new = (1 - share) * ease * rng.uniform(0.5, 1.5, USERS) - size
    rows = [
        [
            None if lacks else float(x)
            for x, lacks in zip(row, rng.random(USERS) < empty, strict=True)
        ]
        for row in (new, old)
    ]
    return scores_of(dict(zip(("new", "old"), rows, strict=True)))


def by_size(seed: int, empty: float = 0.0) -> Scores:
    """New is 0.02 behind on every user, a tenth of the expectation of 0.2."""
    return behind(seed, size=0.02, empty=empty)


def by_share(seed: int, empty: float = 0.0) -> Scores:
    """New is a tenth behind on every user, 0.02 of the expectation of 0.2."""
    return behind(seed + 10_000, share=0.1, empty=empty)


CASES: list[tuple[str, str, Callable[[int], Scores], Coverage]] = [
    ("new < old", "t", behind, "full"),
    ("new < old - 0.02", "t", by_size, "full"),
    ("new < old - 0.02", "t", by_share, "full"),
    ("new < old - 10 %", "t", by_size, "full"),
    ("new < old - 10 %", "t", by_share, "full"),
    ("new < old - 0.02", "permutation(draws=199)", by_share, "full"),
    ("new < old - 10 %", "permutation(draws=199)", by_size, "full"),
    ("new < old - 10 %", "bootstrap(draws=199)", by_size, "full"),
    ("new < old - 0.02", "t", lambda seed: by_share(seed, 0.2), "forgiving"),
    ("new < old - 10 %", "permutation(draws=199)", lambda seed: by_size(seed, 0.2), "forgiving"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("condition", "test", "made", "coverage"), CASES)
def test_what_is_just_allowed_fails_in_about_one_of_forty(
    condition: str, test: str, made: Callable[[int], Scores], coverage: Coverage
) -> None:
    failed = sum(
        gated(condition, test, made(seed), coverage=coverage).failed for seed in range(ROUNDS)
    )
    low, high = stats.binom(ROUNDS, 0.025).ppf([0.0005, 0.9995])
    assert low <= failed <= high


@pytest.mark.slow
def test_what_is_worse_than_allowed_fails_mostly() -> None:
    failed = sum(
        gated("new < old - 2 %", "t", behind(seed, share=0.4)).failed for seed in range(200)
    )
    assert failed > 150
