from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.designs import Designs
from cranfield.validity.study.flips import flips
from cranfield.validity.study.pair_outcomes import count, pair_outcomes
from cranfield.validity.study.verdict import (
    Verdict,
    as_sentence,
    case_of,
    claim,
    leader_of,
)
from design_cases import CONDENSED, FULL, crossed, designs_of, duel

FOUR = crossed({"cutoff": [5, 10, 20, 50]})


def verdict(designs: Designs) -> Verdict:
    pair = pair_outcomes(designs, "AB")
    case, words = claim(pair, flips(pair, leader_of(pair)))
    return Verdict(case, as_sentence(case, words))


def four(leads: list[float], p_values: list[float], **others: Any) -> Designs:
    values = [[0.5 + lead, 0.5] for lead in leads]
    return designs_of(FOUR[: len(leads)], values, np.array(p_values)[:, None], **others)


def test_a_conclusion_that_holds_everywhere() -> None:
    found = verdict(four([0.1] * 4, [0.01] * 4))
    assert found.case == "holds"
    assert str(found) == (
        "A scores more than B in all 4 designs tried, significantly in each of them (level 0.05)."
    )


def test_a_conclusion_that_is_not_always_significant() -> None:
    found = verdict(four([0.1] * 4, [0.01, 0.01, 0.01, 0.4]))
    assert found.case == "holds in sign"
    assert found.sentence == (
        "A scores more than B in all 4 designs tried, significantly (level 0.05) in 3 of them; "
        "the difference misses significance only with a cut-off of 50 (in the one such design)."
    )


def test_a_conclusion_that_is_seldom_significant() -> None:
    found = verdict(four([0.1] * 4, [0.01, 0.4, 0.4, 0.4]))
    assert found.case == "holds in sign"
    assert found.sentence == (
        "A scores more than B in all 4 designs tried, significantly (level 0.05) in 1 of them, "
        "only with a cut-off of 5 (in the one such design)."
    )


def test_a_conclusion_with_exceptions_that_are_not_significant() -> None:
    found = verdict(four([0.1, 0.1, 0.0, -0.1], [0.01, 0.01, 1, 0.4]))
    assert found.case == "mixed"
    assert found.sentence == (
        "A wins significantly (level 0.05) in 2 of the 4 designs tried and B in none, but they "
        "score the same in 1 and B scores more in 1, only with a cut-off of 50 (in the one such "
        "design)."
    )
    assert verdict(four([0.1, 0.1, 0.1, -0.1], [0.01, 0.01, 0.01, 0.4])).case == "holds mostly"


def test_a_reversal_is_named_with_its_conditions() -> None:
    table = crossed({"targets": [FULL, CONDENSED], "split.test_share": [0.2, 0.4, 0.6, 0.8]})
    designs = duel(
        table,
        lambda row: -0.1 if row["targets"] == CONDENSED and row["split.test_share"] >= 0.6 else 0.1,
    )
    found = verdict(designs)
    assert found.case == "reversed"
    assert found.sentence == (
        "Between A and B the winner depends on the design: in the 8 designs tried, A wins "
        "significantly (level 0.05) in 6; B does in 2, only with condensed rankings and a test "
        "share of at least 0.6 (in both such designs)."
    )


def test_the_leader_is_reported_of_whichever_stands_first() -> None:
    found = verdict(four([-0.1] * 4, [0.01] * 4))
    assert found.sentence.startswith("B scores more than A in all 4 designs tried")


def test_a_base_that_is_itself_the_exception_is_said_to_be() -> None:
    found = verdict(four([0.1, 0.1, 0.1, -0.1], [0.01] * 4, base=3))
    assert "; the base design is one in which B scores more" in found.sentence


def test_nothing_significant_anywhere_is_no_conclusion() -> None:
    found = verdict(four([0.1, 0.1, -0.1, 0.1], [0.3] * 4))
    assert found.case == "not established"
    assert found.sentence == (
        "In none of the 4 designs tried do A and B differ significantly (level 0.05); A scores "
        "more in 3 and B in 1."
    )


def test_equal_systems_are_tied() -> None:
    found = verdict(four([0.0] * 4, [1.0] * 4))
    assert (found.case, found.sentence) == (
        "tied",
        "A and B score the same in all 4 designs tried.",
    )


@pytest.mark.parametrize(
    ("lead", "p", "told"),
    [
        (0.1, 0.01, "A scores significantly more than B (p = 0.01, level 0.05)"),
        (0.1, 0.2, "A scores more than B, but not significantly (p = 0.2, level 0.05)"),
        (0.0, 1.0, "A and B score the same"),
    ],
)
def test_one_design_says_nothing_of_others(lead: float, p: float, told: str) -> None:
    found = verdict(four([lead], [p]))
    assert found.case == "one design"
    assert found.sentence == (
        f"One design was tried, and in it {told}; whether others agree is not known."
    )


def test_undefined_designs_are_kept_out_of_all() -> None:
    found = verdict(four([0.1, 0.1, 0.1, nan], [0.01, 0.01, 0.01, nan]))
    assert found.sentence == (
        "A scores more than B in all 3 designs, of 4 tried, in which both have a value, "
        "significantly in each of them (level 0.05)."
    )


def test_without_any_value_nothing_is_concluded() -> None:
    found = verdict(four([nan, nan], [nan, nan]))
    assert found.case == "undefined"
    assert found.sentence == (
        "In both designs tried, A or B has no value, so nothing can be concluded."
    )


def test_a_joint_test_takes_back_what_single_designs_seem_to_show() -> None:
    found = verdict(
        four([0.1] * 4, [0.04] * 4, joint=np.array([0.2]), adjusted=np.full((4, 1), 0.2))
    )
    assert found.sentence.endswith(
        "; tested jointly, however, no difference is shown in any design (p = 0.2)."
    )


def test_reversals_that_do_not_survive_are_said_not_to() -> None:
    adjusted = np.array([[0.01], [0.01], [0.01], [0.6]])
    found = verdict(
        four([0.1, 0.1, 0.1, -0.1], [0.01] * 4, joint=np.array([0.01]), adjusted=adjusted)
    )
    assert found.case == "reversed"
    assert found.sentence.endswith(
        "; no win of B stays significant once all designs are allowed for."
    )


leads = st.sampled_from([-0.1, 0.0, 0.1, nan])
rows = st.lists(st.tuples(leads, st.sampled_from([0.01, 0.6])), min_size=1, max_size=4)


@settings(deadline=None, max_examples=200)
@given(rows)
def test_a_verdict_never_claims_more_than_its_counts(made: list[tuple[float, float]]) -> None:
    designs = four([lead for lead, _ in made], [p for _, p in made])
    pair = pair_outcomes(designs, "AB")
    led = count(pair if leader_of(pair) == 1 else pair.turned())
    found = verdict(designs)
    defined = led.designs - led.undefined
    assert found.case == case_of(led)
    if found.case == "holds":
        assert led.significant_wins == defined
    if found.case in ("holds", "holds in sign"):
        assert led.wins == defined
    assert (found.case == "reversed") == (led.reversed_significantly and led.designs > 1)
    assert led.significant_wins >= led.significant_losses
    tried = {1: "one design", 2: "both designs"}.get(defined, f"{defined} designs")
    counted = f"{tried} tried" if not led.undefined else f"of {led.designs} tried"
    if found.case in ("holds", "holds in sign", "tied"):
        assert counted in found.sentence
    assert found.sentence.endswith(".")
    assert "  " not in found.sentence


@pytest.mark.parametrize(
    ("lead", "p", "told"),
    [
        (0.1, 0.01, "A scores significantly more than B (p = 0.01, level 0.05)"),
        (-0.1, 0.2, "B scores more than A, but not significantly (p = 0.2, level 0.05)"),
        (0.1, nan, "A scores more than B, but the difference could not be tested"),
        (0.0, 1.0, "A and B score the same"),
    ],
)
def test_one_design_with_values_is_one_whoever_else_was_tried(
    lead: float, p: float, told: str
) -> None:
    found = verdict(four([nan, lead, nan, nan], [nan, p, nan, nan], base=0))
    assert found.case == "one design"
    both = "B and A" if lead < 0 else "A and B"
    assert found.sentence == (
        f"One design alone, of 4 tried, gives {both} a value, and in it {told}; whether others "
        "agree is not known."
    )


def test_one_design_at_odds_with_its_test_says_so() -> None:
    found = verdict(four([0.1], [0.001], effects=np.array([[-0.1]])))
    assert "A scores more than B, but the tested difference favours B; whether" in found.sentence


def test_values_that_their_tests_contradict_are_not_said_not_to_differ() -> None:
    found = verdict(four([0.1] * 4, [0.001] * 4, effects=np.full((4, 1), -0.1)))
    assert found.sentence == (
        "In none of the 4 designs tried does A or B win significantly (level 0.05); A scores more "
        "in 4 and B in 0."
    )


def test_designs_that_were_not_tested_are_not_said_to_be_insignificant() -> None:
    found = verdict(four([0.1, 0.1, -0.1, 0.1], [nan] * 4))
    assert found.sentence == (
        "In none of the 4 designs tried could the difference of A and B be tested; A scores more "
        "in 3 and B in 1."
    )
    assert "does A or B win significantly" in verdict(four([0.1] * 2, [0.5, nan])).sentence


REVERSED = [0.1, 0.1, 0.1, -0.1]


def jointly(*adjusted: float) -> str:
    return verdict(
        four(REVERSED, [0.01] * 4, joint=np.array([0.01]), adjusted=np.array(adjusted)[:, None])
    ).sentence


def test_wins_of_either_system_that_do_not_survive_are_said_not_to() -> None:
    none = "stays significant once all designs are allowed for."
    assert jointly(0.01, 0.3, 0.3, 0.6).endswith(f"; no win of B {none}")
    assert jointly(0.3, 0.3, 0.3, 0.01).endswith(f"; no win of A {none}")
    assert none not in jointly(0.01, 0.3, 0.3, 0.01)


def test_wins_that_were_not_tested_jointly_are_not_said_to_be_lost() -> None:
    assert "stays significant" not in jointly(0.01, 0.01, 0.01, nan)
    alone = verdict(four(REVERSED, [0.01] * 4, joint=np.array([0.01])))
    assert "stays significant" not in alone.sentence


@settings(deadline=None, max_examples=100)
@given(rows, st.booleans())
def test_turning_a_pair_changes_no_claim_unless_nobody_leads(
    made: list[tuple[float, float]], with_base: bool
) -> None:
    base = 0 if with_base else None
    designs = four([lead for lead, _ in made], [p for _, p in made], base=base)
    one, two = pair_outcomes(designs, "AB"), pair_outcomes(designs, "BA")
    assert case_of(count(one if leader_of(one) == 1 else one.turned())) == case_of(
        count(two if leader_of(two) == 1 else two.turned())
    )
    if leader_of(one) == -leader_of(two):
        assert claim(one, flips(one, leader_of(one))) == claim(two, flips(two, leader_of(two)))
