"""What is said of odd studies: never more than was tried, found and tested."""

from __future__ import annotations

import re
from math import inf, nan
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.evidence import detectable_of
from cranfield.validity.study.findings import conclude
from cranfield.validity.study.joint_test import joint_test
from cranfield.validity.study.pair_outcomes import pair_outcomes
from cranfield.validity.study.uncertainty import ResampledDesigns
from design_cases import crossed, designs_of, of_sums
from suites import tries

FOUR = crossed({"cutoff": [5, 10, 20, 50]})
NOISE = np.random.default_rng(6).standard_normal((40, 4)) / 40
AHEAD, BEHIND, TIED = [0.5, 0.4], [0.4, 0.5], [0.5, 0.5]


def evidence(values: Any, p_values: Any = 0.001, **others: Any) -> tuple[str, ...]:
    rows = FOUR[: len(values)]
    return conclude(designs_of(rows, values, p_values, **others)).verdict.evidence


def starting(sentences: tuple[str, ...], words: str) -> str:
    (found,) = [sentence for sentence in sentences if sentence.startswith(words)]
    return found


def column(*p_values: float) -> np.ndarray:
    return np.array(p_values)[:, None]


CHOICE = (
    "Designs are a choice, not a sample: shares of designs describe these choices and are no "
    "probabilities."
)


def test_one_design_is_counted_in_the_singular() -> None:
    tried, counted, choice = evidence([AHEAD], base=0)
    assert tried == "1 design was tried over the cut-off (1); 2 systems make 1 pair."
    assert counted == (
        "A scores more than B in 1 design (significantly in 1, each tested by itself) and B in 0 "
        "(0); the median standardised effect is 0.1."
    )
    assert choice == CHOICE


def test_two_designs_that_disagree() -> None:
    sentences = evidence([AHEAD, BEHIND], base=1)
    assert sentences[1] == (
        "In the base design B scores more than A (standardised effect 0.1, p = 0.0010 by itself, "
        "p = 0.0010 allowing for all designs)."
    )
    # the pair is the base's best two, so that B is named first
    assert sentences[2].startswith(
        "B scores more than A in 1 design (significantly in 1, each tested by itself) and A in 1 "
        "(1)"
    )
    assert starting(sentences, "Among").endswith(
        "the established winner is reversed by the cut-off in 1 of 1."
    )


def test_a_pair_asked_for_keeps_its_order_while_the_base_is_reported_from_its_winner() -> None:
    sentences = conclude(designs_of(FOUR, [BEHIND] * 4, base=0), pair="AB").verdict.evidence
    assert sentences[1].startswith("In the base design B scores more than A (standardised effect")
    assert sentences[2].endswith("the median standardised effect is −0.1.")  # A minus B


def test_where_nothing_is_established_neither_conditions_nor_shares_are_reported() -> None:
    joint = joint_test(of_sums(NOISE), len(NOISE), draws=199)
    designs = designs_of(
        FOUR, [AHEAD, BEHIND, AHEAD, AHEAD], adjusted=joint.adjusted[:, None], base=0, draws=199
    )
    found = conclude(designs, joint=joint)
    assert found.verdict.badge == "not established"
    difference = joint.detectable()[0]
    assert f"In the base design, one of {difference:.2g} would have been found" in str(
        found.verdict
    )
    assert [sentence.split()[0] for sentence in found.verdict.evidence] == [
        "4", "In", "Tested", "Designs",
    ]  # fmt: skip


def test_without_a_base_the_median_design_says_what_could_have_been_found() -> None:
    joint = joint_test(of_sums(NOISE), len(NOISE), draws=199)
    pair = pair_outcomes(designs_of(FOUR, [AHEAD] * 4), "AB")
    assert detectable_of(pair, joint) == ("the median design", np.sort(joint.detectable())[2])


def test_decisions_without_effect_are_named_with_the_reason_where_it_is_known() -> None:
    table = crossed({"coverage": ["full", "common"], "ties": ["random", "item-id"]})
    designs = designs_of(
        table, [AHEAD] * 4, same_as=np.zeros(4, int),
        reasons={"coverage": "every system covered every user", "metric": "not asked"},
    )  # fmt: skip
    sentences = conclude(designs).verdict.evidence
    assert sentences[:3] == (
        (
            "4 designs were tried over the treatment of uncovered users (2) and the treatment of "
            "ties (2), 1 of them distinct; 2 systems make 1 pair."
        ),
        "The treatment of uncovered users changed nothing: every system covered every user.",
        "The treatment of ties changed nothing.",
    )


def test_intervals_stand_beside_what_they_are_about() -> None:
    stream = np.random.default_rng(4)
    observed = np.array([[0.3, 0.1, -0.3, -0.3]])
    effects = np.vstack([observed, observed + 0.01 * stream.standard_normal((300, 4))])
    designs = designs_of(
        FOUR, [AHEAD, AHEAD, BEHIND, BEHIND], effects=observed.T, base=0,
        weights=np.array([2.0, 2.0, 1.0, 1.0]),
    )  # fmt: skip
    resampled = ResampledDesigns(effects, np.ones_like(effects))
    sentences = conclude(designs, resampled=resampled).verdict.evidence
    # (2 + 2)/6 of the designs by weight, whatever the users
    assert starting(sentences, "A scores more in") == (
        "A scores more in 67 % (67 % to 67 %) of the designs, B in 33 % (33 % to 33 %) (95 % "
        "intervals, 300 resamples of users)."
    )
    assert "explained most by the cut-off (100 %, 95 % interval " in starting(sentences, "How the")
    assert sentences[-1].endswith("their answers were weighted as the study says.")


def test_decisions_that_may_explain_nothing_with_other_users_are_not_named() -> None:
    stream = np.random.default_rng(4)
    table = crossed({"cutoff": [5, 10], "metric": ["P", "RR"]})
    observed = np.array([[0.9, 0.8, 0.3, 0.2]])
    effects = np.vstack([observed, observed + 0.1 * stream.standard_normal((300, 4))])
    designs = designs_of(table, [AHEAD] * 4, effects=observed.T, base=0)
    without = starting(conclude(designs).verdict.evidence, "How the")
    assert "the cut-off (97 %) and the metric (3 %)" in without  # 0.6² and 0.1²
    resampled = ResampledDesigns(effects, np.ones_like(effects))
    named = starting(conclude(designs, resampled=resampled).verdict.evidence, "How the")
    assert "the cut-off (97 %, 95 % interval " in named
    assert "the metric" not in named


def test_designs_that_all_tie_are_said_to() -> None:
    sentences = evidence([TIED] * 4, 1.0, base=0)
    assert sentences[1] == "In the base design A and B score the same."
    assert sentences[2] == (
        "A scores more than B in 0 designs (significantly in 0, each tested by itself) and B in 0 "
        "(0); they score the same in 4; the median standardised effect is 0."
    )


def test_a_hyphen_in_a_decision_stays_a_hyphen_and_a_negative_tau_has_a_minus() -> None:
    sentences = evidence([[3, 2, 1], [1, 2, 3], [3, 2, 1], [3, 2, 1]], base=0)
    assert starting(sentences, "The order") == (
        "The order of systems agrees with that of the base by a median τ of 1.00, at the least "
        "−1.00."
    )


def test_designs_without_both_values_are_counted() -> None:
    sentences = evidence(
        [AHEAD, AHEAD, [nan, 0.4], [0.4, nan]], column(0.01, 0.01, nan, nan), base=2
    )
    assert sentences[1] == "In the base design the difference is undefined."
    assert "; in 2 the difference is undefined;" in sentences[2]


def test_designs_that_could_not_be_tested_are_reported_apart_from_those_without_a_value() -> None:
    sentences = evidence([AHEAD] * 3, column(0.01, nan, 0.01), base=0)
    assert (
        "A scores more than B in 3 designs (significantly in 2, each tested by itself) and B in 0 "
        "(0); in 1 it could not be tested; the median standardised effect is 0.1."
    ) in sentences


def test_pairs_of_designs_are_compared_where_both_have_a_winner() -> None:
    # of 4·3/2 = 6 pairs of cut-offs, the 3 of the last one cannot be reversed
    sentences = evidence([AHEAD, BEHIND, AHEAD, [nan, 0.5]], column(0.01, 0.01, 0.01, nan), base=0)
    assert starting(sentences, "Among the pairs").endswith("by the cut-off in 2 of 3.")


def test_effects_that_do_not_vary_are_infinite_in_words() -> None:
    sentences = evidence([AHEAD, AHEAD], effects=column(inf, inf), base=0)
    assert "(standardised effect infinity, p = 0.0010 by itself" in sentences[1]
    assert sentences[2].endswith("the median standardised effect is infinity.")
    mirrored = evidence([BEHIND, BEHIND, AHEAD], effects=column(-inf, -inf, inf), base=2)
    assert "the median standardised effect is minus infinity." in mirrored[2]


def test_a_median_between_infinite_effects_of_either_sign_is_not_reported() -> None:
    sentences = evidence([AHEAD, BEHIND], effects=column(inf, -inf), base=0)
    assert not any("median" in sentence for sentence in sentences)
    # the winner is reversed though no finite effect varies
    assert starting(sentences, "Among").endswith("is reversed by the cut-off in 1 of 1.")


def test_variation_is_reported_of_the_designs_that_show_it() -> None:
    sentences = evidence([AHEAD] * 4, effects=column(0.1, 0.3, inf, 0.2), base=0)
    assert starting(sentences, "How the") == (
        "How the standardised effect varies over 3 of 4 designs is explained most by the cut-off "
        "(100 %)."
    )


def test_ties_for_the_first_place_are_said_to_be_included() -> None:
    sentences = evidence([[0.5, 0.5, 0.5]] * 4, 1.0, base=0)
    assert starting(sentences, "A is first") == (
        "A is first of 3 systems in 4 of 4 designs (ties included), B in 4 and C in 4."
    )
    alone = evidence([[0.5, 0.4, 0.4]] * 4, base=0)
    assert starting(alone, "A is first") == "A is first of 3 systems in 4 of 4 designs."


def test_systems_that_tie_by_rounding_are_first_together() -> None:
    sentences = evidence([[0.3, 0.1 + 0.2, 0.2]] * 2, 1.0, base=0)
    assert starting(sentences, "A is first") == (
        "A is first of 3 systems in 2 of 2 designs (ties included) and B in 2."
    )


def test_one_design_of_many_systems_is_one_design() -> None:
    sentences = evidence([[0.5, 0.4, 0.3]], base=0)
    assert "A is first of 3 systems in 1 of 1 design." in sentences


def test_no_system_with_a_value_leads_nobody() -> None:
    found = conclude(designs_of(FOUR, [[nan] * 3] * 4, nan))
    assert found.verdict.badge == "undefined"
    assert "none of 3 systems has a value." in found.verdict.evidence


def test_a_joint_test_tells_the_designs_that_it_leaves_out() -> None:
    contributions = np.random.default_rng(2).standard_normal((30, 4)) * 0.1 - 0.5
    joint = joint_test([*of_sums(contributions)[:3], None], 30, draws=199)
    designs = designs_of(FOUR, [BEHIND] * 4, adjusted=joint.adjusted[:, None], draws=199)
    sentences = conclude(designs, pair="AB", joint=joint).verdict.evidence
    assert starting(sentences, "Tested jointly").endswith(
        "allowing for all designs, A wins in 0 and B in 3."
    )
    assert "1 design could not be tested." in sentences


def test_a_decision_that_does_not_apply_everywhere_is_reported_where_it_does() -> None:
    table = pl.DataFrame(
        {"metric": ["nDCG", "nDCG", "P", "P"], "gain": ["binary", "rating", None, None]}
    )
    found = conclude(designs_of(table, [AHEAD, BEHIND, AHEAD, AHEAD], base=2))
    assert found.verdict.evidence[0].startswith(
        "4 designs were tried over the metric (2) and the gain (2);"
    )
    assert "B beats A only with ratings as gain (in the one such design)." in (
        found.verdict.evidence
    )


def test_a_p_value_near_the_level_of_the_study_is_written_on_its_side() -> None:
    sentences = evidence([AHEAD] * 2, 0.0199999, alpha=0.02, base=0)
    assert "more than B (standardised effect 0.1, p = 0.0199999 by itself" in sentences[1]


values = st.sampled_from([0.1, 0.2, 0.1 + 0.2, 0.3, nan])
universes = st.lists(
    st.tuples(values, values, values, st.sampled_from([0.01, 0.6, nan])), min_size=1, max_size=4
)


@settings(deadline=None, max_examples=tries(20))
@given(universes, st.booleans())
def test_every_count_that_is_reported_is_one_that_was_found(
    rows: list[tuple[float, ...]], with_base: bool
) -> None:
    p_values = np.array([[row[3]] * 3 for row in rows])
    designs = designs_of(
        FOUR[: len(rows)], [row[:3] for row in rows], p_values, base=0 if with_base else None
    )
    found = conclude(designs)
    pair, sentences = found.pair, found.verdict.evidence
    told = [each for each in sentences if each.startswith(f"{pair.first} scores more than ")]
    silent = found.verdict.badge in ("not established", "not tested", "undefined")
    assert len(told) == (not silent)
    for counted in told:
        numbers = [int(text) for text in re.findall(r" in (\d+)", counted)]
        assert numbers[:3] == [pair.wins, pair.significant_wins, pair.losses]
        assert f" in {pair.losses} ({pair.significant_losses})" in counted
        assert sum(numbers[3:]) == pair.ties + pair.undefined + pair.untested
    for sentence in (found.verdict.sentence, *sentences):
        assert not re.search(r"\b1 (designs|pairs|systems)\b", sentence)
        assert not re.search(r"\b(0|[2-9]) (design|pair|system)\b", sentence)
        assert "-0." not in sentence


@pytest.mark.parametrize("systems", [2, 3])
def test_the_order_in_which_designs_are_tried_changes_no_count(systems: int) -> None:
    stream = np.random.default_rng(5)
    reached = stream.integers(0, 3, (4, systems)) / 4
    p_values = stream.choice([0.01, 0.4], (4, len(designs_of(FOUR, reached).pairs)))
    one = conclude(designs_of(FOUR, reached, p_values, base=0)).verdict
    two = conclude(designs_of(FOUR[::-1], reached[::-1], p_values[::-1], base=3)).verdict
    assert one.sentence == two.sentence
    assert one.evidence == two.evidence
