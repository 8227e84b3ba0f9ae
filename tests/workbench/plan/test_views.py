"""A plan as it is shown: what the users can show, in words and as a table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import nan

import pytest

import cranfield as cf
from cranfield.significance.planned_power import PlannedPower
from cranfield.workbench.plan.plan import Plan
from cranfield.workbench.plan.views import power_notes, power_rows, power_sentence
from experiment_cases import table_of


@cache
def plan() -> Plan:
    made = cf.plan({**table_of(title="Mine"), "study": {"vary": {"cutoff": [3, 5]}}})
    assert isinstance(made, Plan)
    return made


def test_the_sentence_has_users_power_effect_comparisons_and_level() -> None:
    found = replace(plan(), users=1234, comparisons=15, alpha=0.01, detectable=0.12345)
    assert power_sentence(found) == (
        "1,234 users enter. With a power of 80 % they show a mean difference of 0.123 standard "
        "deviations, allowing for 15 comparisons at level 0.01."
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"comparisons": 0}, "40 users enter; there is nothing to compare."),
        ({"detectable": nan, "users": 1}, "1 user enters; there is nothing to compare."),
    ],
)
def test_what_cannot_be_compared_is_said(changes: dict[str, float], said: str) -> None:
    assert power_sentence(replace(plan(), **changes)) == said  # type: ignore[arg-type]


def test_rows_have_the_power_alone_and_among_all() -> None:
    power = (PlannedPower(effect=0.05, power=0.999, corrected_power=0.004),)
    found = replace(plan(), power=power, comparisons=3)
    assert power_rows(found) == [
        ("effect (d_z)", "power, alone", "power, one of 3 comparisons"),
        ("0.05", ">99 %", "<1 %"),
    ]
    assert power_rows(replace(found, comparisons=1)) == [
        ("effect (d_z)", "power"),
        ("0.05", ">99 %"),
    ]


def test_notes_say_what_d_z_is_where_something_is_compared() -> None:
    assert "d_z is the mean difference" in power_notes(plan())[0]
    assert power_notes(replace(plan(), comparisons=0)) == []


def test_a_page_shows_the_decisions_that_are_answered() -> None:
    shown = plan()._repr_html_()
    assert "Plan: Mine" in shown
    assert plan().fingerprint in shown
    assert "effect (d_z)" in shown
    alone = replace(plan(), power=(), comparisons=0)._repr_html_()
    assert "effect (d_z)" not in alone
    assert "relevance" in alone
    assert "run_metrics" not in alone  # which nobody answered


def test_a_plan_without_a_title_is_called_by_its_fingerprint() -> None:
    unnamed = replace(plan(), title="")
    assert f"Plan: {unnamed.fingerprint}" in unnamed._repr_html_()
    assert unnamed.fingerprint != plan().fingerprint


def test_names_from_data_stay_text() -> None:
    hostile = replace(plan(), title="<script>", decisions={"data": "<script>"})
    assert "<script>" not in hostile._repr_html_()
