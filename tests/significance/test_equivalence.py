"""Equivalence by hand, against scipy's one-sided tests, and how often it is claimed."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.errors import OptionError
from cranfield.scoring.scores import Floats
from cranfield.significance.equivalence import Rope, equivalence, equivalence_p, read_rope
from suites import tries

FIVE_PERCENT = read_rope("5 %")


def users(seed: int, count: int = 40) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    shared = rng.random(count)
    return shared + rng.normal(0, 0.05, count), shared + rng.normal(0.01, 0.05, count)


@pytest.mark.parametrize("text", ["5 %", "5%", " 5.0 % "])
def test_a_share_is_read_with_or_without_a_blank(text: str) -> None:
    assert read_rope(text) == Rope(0.05, relative=True)


@pytest.mark.parametrize("given", [0.01, "0.01", "1e-2"])
def test_a_number_is_an_absolute_region(given: object) -> None:
    assert read_rope(given) == Rope(0.01)


@given(st.floats(0, 50).map(lambda size: round(size, 6)), st.booleans())
def test_a_region_is_spelled_as_it_is_read(size: float, relative: bool) -> None:
    spelled = f"{size} %" if relative else f"{size}"
    rope = read_rope(spelled)
    assert read_rope(str(rope)) == rope == read_rope(rope)


@pytest.mark.parametrize(
    "given", ["five", "-1 %", "100 %", -0.1, float("nan"), True, "", None, "%"]
)
def test_anything_else_is_refused_with_both_spellings(given: object) -> None:
    with pytest.raises(OptionError, match=r'such as "5 %", or a difference of at least 0'):
        read_rope(given)


def test_a_relative_region_is_tested_by_hand() -> None:
    first, second = np.array([0.4, 0.5, 0.6]), np.array([0.42, 0.49, 0.59])
    # A − .95·B: .001, .0345, .0395, mean .025; B − .95·A: .04, .015, .02, mean .025
    ahead = 0.025 / (np.std([0.001, 0.0345, 0.0395], ddof=1) / sqrt(3))
    behind = 0.025 / (np.std([0.04, 0.015, 0.02], ddof=1) / sqrt(3))
    found = equivalence(first, second, FIVE_PERCENT)
    assert found.second == pytest.approx(stats.t.sf(ahead, 2))
    assert found.first == pytest.approx(stats.t.sf(behind, 2))
    assert equivalence_p(found) == pytest.approx(stats.t.sf(min(ahead, behind), 2))


@pytest.mark.parametrize("seed", range(5))
def test_a_relative_region_is_two_one_sided_tests_of_scipy(seed: int) -> None:
    first, second = users(seed)
    p_values = [
        stats.ttest_1samp(better - 0.95 * worse, 0, alternative="greater").pvalue
        for better, worse in ((first, second), (second, first))
    ]
    assert equivalence_p(equivalence(first, second, FIVE_PERCENT)) == pytest.approx(max(p_values))


@pytest.mark.parametrize("seed", range(5))
def test_an_absolute_region_is_two_one_sided_tests_of_scipy(seed: int) -> None:
    first, second = users(seed)
    p_values = [
        stats.ttest_1samp(first - second, -0.02, alternative="greater").pvalue,
        stats.ttest_1samp(first - second, 0.02, alternative="less").pvalue,
    ]
    assert equivalence_p(equivalence(first, second, Rope(0.02))) == pytest.approx(max(p_values))


def test_an_absolute_region_has_the_posterior_of_the_difference() -> None:
    first, second = users(1)
    apart = first - second
    expected = stats.t(39, loc=apart.mean(), scale=apart.std(ddof=1) / np.sqrt(40))
    found = equivalence(first, second, Rope(0.02))
    assert [found.first, found.second] == pytest.approx([expected.sf(0.02), expected.cdf(-0.02)])


@settings(deadline=None, max_examples=tries(50))
@given(st.integers(0, 1000), st.sampled_from([Rope(0.01), FIVE_PERCENT, Rope(0.0)]))
def test_probabilities_add_up_and_turn_with_the_systems(seed: int, rope: Rope) -> None:
    first, second = users(seed, 8)
    found, turned = equivalence(first, second, rope), equivalence(second, first, rope)
    assert found.first + found.equivalent + found.second == pytest.approx(1)
    assert (found.first, found.second) == (turned.second, turned.first)


@pytest.mark.parametrize("value", [0.0, 0.3])
def test_equal_systems_without_spread_are_equivalent(value: float) -> None:
    same = np.full(5, value)
    found = equivalence(same, same, FIVE_PERCENT)
    assert (found.equivalent, equivalence_p(found)) == (1, 0)


def test_a_constant_lead_beyond_the_region_is_a_lead() -> None:
    found = equivalence(np.full(5, 0.5), np.full(5, 0.4), FIVE_PERCENT)
    assert (found.first, found.equivalent, equivalence_p(found)) == (1, 0, 1)


@pytest.mark.parametrize("rope", [FIVE_PERCENT, Rope(0.025)])
def test_at_the_edge_of_the_region_equivalence_is_claimed_in_one_of_twenty(rope: Rope) -> None:
    # means .5 and .475: a lead of 5 % of .5, or of .025
    rng = np.random.default_rng(2)
    claims = 0
    for _ in range(2000):
        shared = rng.normal(0, 0.1, 30)
        first, second = (mean + shared + rng.normal(0, 0.02, 30) for mean in (0.5, 0.475))
        claims += equivalence_p(equivalence(first, second, rope)) <= 0.05
    assert (
        0.05 - 3 * sqrt(0.05 * 0.95 / 2000) <= claims / 2000 <= 0.05 + 3 * sqrt(0.05 * 0.95 / 2000)
    )
