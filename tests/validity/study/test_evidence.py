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

from cranfield.validity.study.findings import conclude
from cranfield.validity.study.joint_test import joint_test
from design_cases import crossed, designs_of

FOUR = crossed({"cutoff": [5, 10, 20, 50]})
AHEAD, BEHIND, TIED = [0.5, 0.4], [0.4, 0.5], [0.5, 0.5]


def evidence(values: Any, p_values: Any = 0.001, **others: Any) -> tuple[str, ...]:
    rows = FOUR[: len(values)]
    return conclude(designs_of(rows, values, p_values, **others)).verdict.evidence


def starting(sentences: tuple[str, ...], words: str) -> str:
    (found,) = [sentence for sentence in sentences if sentence.startswith(words)]
    return found


def column(*p_values: float) -> np.ndarray:
    return np.array(p_values)[:, None]


def test_one_design_is_counted_in_the_singular() -> None:
    sentences = evidence([AHEAD], base=0)
    tried, counted = sentences
    assert tried == (
        "1 design was tried over the cut-off (1); 2 systems make 1 pair; every pair is tested in "
        "every design by itself at the level 0.05."
    )
    assert counted == (
        "A scores more than B in 1 design, significantly in 1; B in 0, significantly in 0; the "
        "median standardised effect is 0.1."
    )


def test_two_designs_that_disagree() -> None:
    sentences = evidence([AHEAD, BEHIND], base=1)
    assert sentences[1] == (
        "In the base design B scores significantly more than A (standardised effect 0.1, "
        "p = 0.001)."
    )
    # the pair is the base's best two, so that B is named first
    assert sentences[2].startswith(
        "B scores more than A in 1 design, significantly in 1; A in 1, significantly in 1"
    )
    # 2·0.05/2
    assert sentences[3].endswith(
        "about 0.05 of 2 would favour each system significantly by chance."
    )
    assert "the significant winner is reversed by the cut-off in 1 of 1." in sentences[-1]


def test_a_pair_asked_for_keeps_its_order_while_the_base_is_reported_from_its_winner() -> None:
    sentences = conclude(designs_of(FOUR, [BEHIND] * 4, base=0), pair="AB").verdict.evidence
    assert sentences[1].startswith(
        "In the base design B scores significantly more than A (standardised effect 0.1,"
    )
    assert sentences[2].endswith("the median standardised effect is −0.1.")  # A minus B


def test_designs_that_all_tie_are_said_to() -> None:
    sentences = evidence([TIED] * 4, 1.0, base=0)
    assert sentences[1] == "In the base design A and B score the same."
    assert sentences[2] == (
        "A scores more than B in 0 designs, significantly in 0; B in 0, significantly in 0; they "
        "score the same in 4; the median standardised effect is 0."
    )


def test_a_hyphen_in_a_decision_stays_a_hyphen_and_a_negative_tau_has_a_minus() -> None:
    sentences = evidence([[3, 2, 1], [1, 2, 3], [3, 2, 1], [3, 2, 1]], base=0)
    assert starting(sentences, "The order") == (
        "The order of systems agrees with that of the base by a median τ of 1.00, at the least "
        "−1.00; what moves it most is the cut-off (100 % of the variation of τ)."
    )


def test_designs_without_both_values_are_counted_and_expect_nothing() -> None:
    sentences = evidence(
        [AHEAD, AHEAD, [nan, 0.4], [0.4, nan]], column(0.01, 0.01, nan, nan), base=2
    )
    assert sentences[0].endswith(
        "every pair is tested in every design by itself, where it can be, at the level 0.05."
    )
    assert sentences[1] == "In the base design the difference is undefined."
    assert "; in 2 the difference is undefined;" in sentences[2]
    # of four designs two could favour anybody: 2·0.05/2
    assert starting(sentences, "Designs were not").endswith(
        "about 0.05 of 2 would favour each system significantly by chance."
    )


def test_designs_that_could_not_be_tested_are_reported_apart_from_those_without_a_value() -> None:
    sentences = evidence([AHEAD] * 3, column(0.01, nan, 0.01), base=0)
    assert (
        "A scores more than B in 3 designs, significantly in 2; B in 0, significantly in 0; in 1 "
        "it could not be tested; the median standardised effect is 0.1."
    ) in sentences
    assert "about 0.05 of 2 would favour" in starting(sentences, "Designs were not")


def test_pairs_of_designs_are_compared_where_both_have_a_winner() -> None:
    # of 4·3/2 = 6 pairs of cut-offs, the 3 of the last one cannot be reversed
    sentences = evidence([AHEAD, BEHIND, AHEAD, [nan, 0.5]], column(0.01, 0.01, 0.01, nan), base=0)
    assert starting(sentences, "Among the pairs").endswith("by the cut-off in 2 of 3.")


def test_effects_that_do_not_vary_are_infinite_in_words() -> None:
    sentences = evidence([AHEAD, AHEAD], effects=column(inf, inf), base=0)
    assert "(standardised effect infinity, p = 0.001)" in sentences[1]
    assert sentences[2].endswith("the median standardised effect is infinity.")
    mirrored = evidence([BEHIND, BEHIND, AHEAD], effects=column(-inf, -inf, inf), base=2)
    assert "the median standardised effect is minus infinity." in mirrored[2]


def test_a_median_between_infinite_effects_of_either_sign_is_not_reported() -> None:
    sentences = evidence([AHEAD, BEHIND], effects=column(inf, -inf), base=0)
    assert not any("median" in sentence for sentence in sentences)
    # the winner is reversed though no finite effect varies
    assert sentences[-1].endswith("is reversed by the cut-off in 1 of 1.")


def test_variation_is_reported_of_the_designs_that_show_it() -> None:
    sentences = evidence([AHEAD] * 4, effects=column(0.1, 0.3, inf, 0.2), base=0)
    assert starting(sentences, "How the") == (
        "How the standardised effect varies over 3 of 4 designs is explained most by the cut-off "
        "(100 %)."
    )


def test_a_base_whose_test_contradicts_its_values_is_not_called_merely_insignificant() -> None:
    sentences = evidence([AHEAD, AHEAD], effects=column(-0.1, 0.1), base=0)
    assert sentences[1] == (
        "In the base design A scores more than B, though the tested difference favours B "
        "(standardised effect −0.1, p = 0.001)."
    )
    assert "In 1 design the values favour one system and the tested difference the other" in (
        starting(sentences, "In 1 design")
    )


def test_ties_for_the_first_place_are_said_to_be_included() -> None:
    sentences = evidence([[0.5, 0.5, 0.5]] * 4, 1.0, base=0)
    assert starting(sentences, "A is first") == (
        "A is first of 3 systems in 4 of the 4 designs tried (ties included), B in 4 and C in 4."
    )
    alone = evidence([[0.5, 0.4, 0.4]] * 4, base=0)
    assert starting(alone, "A is first") == "A is first of 3 systems in 4 of the 4 designs tried."


def test_systems_that_tie_by_rounding_are_first_together() -> None:
    sentences = evidence([[0.3, 0.1 + 0.2, 0.2]] * 2, 1.0, base=0)
    assert starting(sentences, "A is first") == (
        "A is first of 3 systems in 2 of the 2 designs tried (ties included) and B in 2."
    )


def test_one_design_of_many_systems_is_one_design() -> None:
    sentences = evidence([[0.5, 0.4, 0.3]], base=0)
    assert "A is first of 3 systems in 1 of the 1 design tried." in sentences


def test_no_system_with_a_value_leads_nobody() -> None:
    found = conclude(designs_of(FOUR, [[nan] * 3] * 4, nan))
    assert found.verdict.case == "undefined"
    assert "none of 3 systems has a value." in found.verdict.evidence


def test_a_joint_test_tells_the_designs_that_it_leaves_out() -> None:
    stream = np.random.default_rng(2)
    contributions = stream.standard_normal((30, 4)) * 0.1 - 0.5
    contributions[:, 3] = nan
    joint = joint_test(contributions, draws=199)
    designs = designs_of(
        FOUR, [BEHIND] * 4, joint=np.array([joint.p_value]), adjusted=joint.adjusted[:, None],
        draws=199,
    )  # fmt: skip
    sentences = conclude(designs, pair="AB", joint=joint).verdict.evidence
    assert starting(sentences, "Tested jointly").endswith(
        "allowing for all designs, A wins significantly in 0 and B in 3."
    )
    assert (
        "1 design was excluded from the joint test: the difference is no sum over users there, "
        "or could not be tested."
    ) in sentences
    # d is near −0.5 with a spread of 0.1: −0.5/√(0.5² + 0.1²), while d_z is near −5
    assert joint.median_effect == pytest.approx(-0.5 / np.hypot(0.5, 0.1), abs=0.01)
    assert starting(sentences, "By the same draws").startswith(
        "By the same draws, a median effect (mean over root mean square) of −0.97"
    )


def test_a_decision_that_does_not_apply_everywhere_is_reported_where_it_does() -> None:
    table = pl.DataFrame(
        {"metric": ["nDCG", "nDCG", "P", "P"], "gain": ["binary", "rating", None, None]}
    )
    found = conclude(designs_of(table, [AHEAD, BEHIND, AHEAD, AHEAD], base=2))
    assert found.verdict.evidence[0].startswith(
        "4 designs were tried over the metric (2) and the gain (2);"
    )
    assert "B wins significantly only with ratings as gain (in the one such design)." in (
        found.verdict.evidence
    )


def test_a_p_value_near_the_level_of_the_study_is_written_on_its_side() -> None:
    sentences = evidence([AHEAD] * 2, 0.0199999, alpha=0.02, base=0)
    assert "significantly more than B (standardised effect 0.1, p = 0.0199999)" in sentences[1]
    assert sentences[0].endswith("at the level 0.02.")


values = st.sampled_from([0.1, 0.2, 0.1 + 0.2, 0.3, nan])
universes = st.lists(
    st.tuples(values, values, values, st.sampled_from([0.01, 0.6, nan])), min_size=1, max_size=4
)


@settings(deadline=None, max_examples=20)
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
    counted = starting(sentences, f"{pair.first} scores more than {pair.second} in ")
    numbers = [int(text) for text in re.findall(r" in (\d+)", counted)]
    assert numbers[:4] == [
        pair.wins, pair.significant_wins, pair.losses, pair.significant_losses,
    ]  # fmt: skip
    assert sum(numbers[4:]) == pair.ties + pair.undefined + pair.untested
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
