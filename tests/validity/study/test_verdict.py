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
    Detectable,
    Verdict,
    badge_of,
    claim,
    leader_of,
)
from design_cases import CONDENSED, FULL, crossed, designs_of, duel
from suites import tries

FOUR = crossed({"cutoff": [5, 10, 20, 50]})


def verdict(designs: Designs, detectable: Detectable | None = None) -> Verdict:
    pair = pair_outcomes(designs, "AB")
    return claim(pair, flips(pair, leader_of(pair)), detectable)


def four(leads: list[float], p_values: list[float], **others: Any) -> Designs:
    """Up to four designs with A's lead in each, and the p-value that allows for all."""
    values = [[0.5 + lead, 0.5] for lead in leads]
    return designs_of(FOUR[: len(leads)], values, np.array(p_values)[:, None], **others)


def test_one_that_wins_in_all_designs_is_established_everywhere() -> None:
    found = verdict(four([0.1] * 4, [0.01, 0.01, 0.05, 0.01]))  # 0.05 is at most the level
    assert found.badge == "established everywhere"
    assert str(found) == "A beats B in all 4 designs."


def test_one_that_wins_in_half_and_never_loses_has_exceptions() -> None:
    found = verdict(four([0.1, 0.1, 0.1, -0.1], [0.01, 0.01, 0.3, 0.4]))
    assert found.badge == "established, with exceptions"
    assert found.sentence == (
        "A beats B in 2 of 4 designs and loses in none. "
        "The lead is not established with a cut-off of at least 20."
    )


def test_one_that_wins_in_less_than_half_depends_on_the_design() -> None:
    found = verdict(four([0.1] * 4, [0.01, 0.4, 0.4, 0.4]))
    assert found.badge == "depends on the design"
    assert found.sentence == (
        "It depends. A beats B with a cut-off of 5; "
        "in the other designs no difference is established."
    )


def test_what_each_wins_somewhere_depends_on_the_design() -> None:
    table = crossed({"targets": [FULL, CONDENSED], "split.test_share": [0.2, 0.4, 0.6, 0.8]})
    found = verdict(duel(table, lambda row: -0.1 if row["targets"] == CONDENSED else 0.1))
    assert found.badge == "depends on the design"
    assert found.sentence == (
        "It depends. A beats B with full rankings; B beats A with condensed rankings."
    )


def test_conditions_that_are_not_sufficient_are_said_to_be_necessary() -> None:
    table = crossed({"targets": [FULL, CONDENSED], "split.test_share": [0.2, 0.4, 0.6, 0.8]})
    p_values = [0.01, 0.01, 0.01, 0.4, 0.4, 0.4, 0.4, 0.4]
    values = [[0.6, 0.5]] * 8
    found = verdict(designs_of(table, values, np.array(p_values)[:, None]))
    assert found.sentence == (
        "It depends. A beats B with full rankings and a test share of at most 0.6; "
        "in the other designs no difference is established."
    )
    found = verdict(
        designs_of(table, values, np.array([*p_values[:2], 0.4, 0.01, *p_values[4:]])[:, None])
    )
    assert "A beats B only with full rankings;" in found.sentence


def test_designs_that_no_condition_sets_apart_are_counted() -> None:
    table = crossed({"seed": ["a", "b", "c", "d"], "cutoff": [5, 10]})
    wins = np.array([0.01, 0.4, 0.4, 0.01, 0.4, 0.4, 0.01, 0.4])[:, None]
    found = verdict(designs_of(table, [[0.6, 0.5]] * 8, wins))
    assert found.sentence.startswith("It depends. A beats B")
    never = verdict(four([0.1, 0.1], [0.4, 0.4]))
    assert never.badge == "not established"


def test_a_single_finding_by_itself_is_none_once_all_designs_are_allowed_for() -> None:
    found = verdict(four([0.1] * 4, [0.02] * 4, adjusted=np.full((4, 1), 0.2)))
    assert found.badge == "not established"


def test_what_could_have_been_found_is_said_where_nothing_was() -> None:
    found = verdict(four([0.1, -0.1], [0.3] * 2), Detectable("the base design", 0.0234))
    assert found.sentence == (
        "No difference between A and B is established in any design. In the base design, one of "
        "0.023 would have been found with a power of 80 %."
    )


def test_the_leader_is_named_first_whichever_stands_first() -> None:
    assert verdict(four([-0.1] * 4, [0.01] * 4)).sentence == "B beats A in all 4 designs."


def test_equal_systems_are_tied() -> None:
    found = verdict(four([0.0] * 4, [1.0] * 4))
    assert (found.badge, found.sentence) == ("tied", "A and B score the same in all 4 designs.")


@pytest.mark.parametrize(
    ("lead", "p", "told"),
    [
        (0.1, 0.01, "A beats B (p = 0.0100)"),
        (0.1, 0.2, "no difference between A and B is established (p = 0.2000)"),
        (0.1, nan, "A scores more than B, but the difference was not tested"),
        (0.0, 1.0, "A and B score the same"),
    ],
)
def test_one_design_says_nothing_of_others(lead: float, p: float, told: str) -> None:
    found = verdict(four([lead], [p]))
    assert found.badge == "one design"
    unknown = "Whether other designs agree is not known."
    assert found.sentence == f"One design was tried: {told}. {unknown}"
    found = verdict(four([nan, lead, nan, nan], [nan, p, nan, nan], base=0))
    assert found.sentence == f"One of 4 designs gives A and B a value: {told}. {unknown}"
    alike = four([lead] * 4, [p] * 4, same_as=np.zeros(4, dtype=np.int64)).distinct()
    found = verdict(alike)
    assert found.badge == "one design"
    assert found.sentence == f"4 designs were tried, which are all the same: {told}. {unknown}"


def test_undefined_designs_are_kept_out_of_all() -> None:
    found = verdict(four([0.1, 0.1, 0.1, nan], [0.01, 0.01, 0.01, nan]))
    assert found.badge == "established everywhere"
    assert found.sentence == "A beats B in all 3 of 4 designs in which both have a value."


def test_without_any_value_nothing_is_concluded() -> None:
    found = verdict(four([nan, nan], [nan, nan]))
    assert (found.badge, found.sentence) == (
        "undefined", "Nothing can be concluded. In both designs, A or B has no value.",
    )  # fmt: skip


def test_without_a_joint_test_nothing_is_established() -> None:
    found = verdict(four([0.1, 0.1, -0.1, 0.1], [0.001] * 4, adjusted=None))
    assert found.badge == "not tested"
    assert found.sentence == (
        "Nothing is established, as designs were not tested jointly. A scores more in 3 and B in "
        "1 of 4 designs."
    )


leads = st.sampled_from([-0.1, 0.0, 0.1, nan])
rows = st.lists(st.tuples(leads, st.sampled_from([0.01, 0.6])), min_size=1, max_size=4)


@settings(deadline=None, max_examples=tries(200))
@given(rows)
def test_a_verdict_never_claims_more_than_its_counts(made: list[tuple[float, float]]) -> None:
    designs = four([lead for lead, _ in made], [p for _, p in made])
    pair = pair_outcomes(designs, "AB")
    led = count(pair if leader_of(pair) == 1 else pair.turned())
    found = verdict(designs)
    assert found.badge == badge_of(led)
    assert led.established_wins >= led.established_losses
    if led.defined > 1 and led.ties < led.defined:
        plus, minus, every = led.established_wins, led.established_losses, led.defined
        expected = (
            "not established" if plus == minus == 0
            else "depends on the design" if minus or plus < every / 2
            else "established everywhere" if plus == every
            else "established, with exceptions"
        )  # fmt: skip
        assert found.badge == expected
    assert found.sentence.endswith(".")
    assert found.sentence.count(". ") <= 1  # two sentences at most
    assert "  " not in found.sentence


@settings(deadline=None, max_examples=tries(100))
@given(rows, st.booleans())
def test_turning_a_pair_changes_no_claim_unless_nobody_leads(
    made: list[tuple[float, float]], with_base: bool
) -> None:
    base = 0 if with_base else None
    designs = four([lead for lead, _ in made], [p for _, p in made], base=base)
    one, two = pair_outcomes(designs, "AB"), pair_outcomes(designs, "BA")
    if leader_of(one) == -leader_of(two):
        assert claim(one, flips(one, leader_of(one))) == claim(two, flips(two, leader_of(two)))
