"""The page on corrections says what its figures say, and these can be computed again."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from cranfield.workbench import inventory

DOCS = Path(__file__).parents[1] / "docs"
PAGE = runpy.run_path(str(DOCS / "corrections.py"))
FIGURES: dict[str, Any] = json.loads((DOCS / "corrections.json").read_text(encoding="utf-8"))
USABLE = ("plain", "AR", "UAR", "AR −10% head", "1R", "U1R", "P1R", "condensed", "IPS", "SNIPS",
          "stratified")  # fmt: skip
"""What a real collection allows: nobody knows its propensities."""


def taus(part: str, figure: str = "mean_tau") -> dict[str, list[float]]:
    """A figure of every design, rule by rule."""
    cells = FIGURES[part] if isinstance(FIGURES[part], list) else [FIGURES[part]]
    found: dict[str, list[float]] = PAGE["by_design"](cells, figure)
    return found


def means(part: str, figure: str = "mean_tau") -> dict[str, float]:
    return {name: PAGE["mean"](values) for name, values in taus(part, figure).items()}


def at(part: str, skew: float, mnar: float) -> dict[str, float]:
    """The mean τ of every design under one rule."""
    (cell,) = [each for each in FIGURES[part] if (each["skew"], each["mnar"]) == (skew, mnar)]
    return {row["design"]: row["mean_tau"] for row in cell["designs"]}


def test_the_page_is_written_from_its_figures() -> None:
    text = (DOCS / "6-corrections.md").read_text(encoding="utf-8")
    assert text == PAGE["page"](FIGURES), "run docs/corrections.py"
    assert "@" not in text.replace("P@10", "")


def test_charts_are_there() -> None:
    for part in ("jester", "simulated"):
        assert "<svg" in (DOCS / "_static" / f"corrections-{part}.svg").read_text(encoding="utf-8")


def test_every_design_was_tried_everywhere() -> None:
    assert set(taus("cm100k")) == set(USABLE)
    for part in ("jester", "simulated"):
        known = {f"{name}, known" for name in ("IPS", "SNIPS", "stratified")}
        assert set(taus(part)) == {*USABLE, *known}
    assert len(FIGURES["simulated"]) == len(PAGE["SKEWS"]) * len(PAGE["DEPENDENCES"])
    assert len(FIGURES["jester"]) == len(PAGE["RULES"])


def test_known_propensities_find_the_true_values() -> None:
    for part in ("jester", "simulated"):
        away = means(part, "mean_distance")
        assert min(away, key=lambda name: away[name]) == "IPS, known"
    order = means("jester")
    assert max(order, key=lambda name: order[name]) in ("IPS, known", "SNIPS, known")
    assert order["IPS, known"] > 0.9
    assert max(taus("jester", "mean_distance")["IPS, known"]) < 0.02


def test_popularity_does_not_stand_for_propensities() -> None:
    """Nor in values: SNIPS is the furthest from them."""
    order, away = means("jester"), means("simulated", "mean_distance")
    assert order["IPS, known"] - order["IPS"] > 0.4
    assert max(away, key=lambda name: away[name]) == "SNIPS"


def test_uniform_tests_find_the_order_of_simulated_worlds_and_not_that_of_cm100k() -> None:
    simulated, cm100k = means("simulated"), means("cm100k")
    best = sorted((simulated[name], name) for name in USABLE)[-2:]
    assert {name for _, name in best} == {"UAR", "U1R"}
    assert max(cm100k, key=lambda name: cm100k[name]) == "1R"
    assert max(cm100k["UAR"], cm100k["U1R"], cm100k["P1R"]) < 0.2


def test_condensed_rankings_do_not_follow_popularity_for_better_or_worse() -> None:
    free, bound = at("simulated", 3.0, 0.0), at("simulated", 3.0, 8.0)
    assert free["condensed"] == max(free[name] for name in USABLE)
    assert bound["condensed"] == min(bound[name] for name in USABLE)
    for mnar in (0.0, 4.0):
        skewed = at("jester", 1.5, mnar)
        assert skewed["condensed"] == max(skewed[name] for name in USABLE)
    for part in ("jester", "simulated"):
        away = means(part, "mean_distance")
        plain = [name for name in USABLE if name not in ("IPS", "SNIPS", "stratified")]
        assert min(plain, key=lambda name: away[name]) == "condensed"


def test_weights_by_popularity_help_where_it_is_skewed() -> None:
    for skew in (1.5, 3.0):
        for mnar in PAGE["DEPENDENCES"]:
            found = at("simulated", skew, mnar)
            assert found["IPS"] > found["plain"]
    for mnar in PAGE["DEPENDENCES"]:
        found = at("simulated", 0.0, mnar)
        assert found["IPS"] <= found["plain"] + 1e-9


def test_the_best_system_of_cm100k_is_found_by_designs_that_keep_popularity() -> None:
    rows = {row["design"]: row for row in FIGURES["cm100k"]["designs"]}
    for name in ("1R", "plain", "AR", "IPS", "SNIPS", "stratified"):
        assert rows[name]["right_winner"] == 1
    order = sorted(rows, key=lambda name: -rows[name]["mean_tau"])
    assert set(order[:6]) == {"1R", "plain", "AR", "IPS", "SNIPS", "stratified"}
    for part in ("jester", "simulated", "cm100k"):
        assert abs(means(part)["stratified"] - means(part)["plain"]) < 0.05


def test_no_usable_design_is_right_everywhere() -> None:
    for name in USABLE:
        every = [tau for part in FIGURES for tau in taus(part)[name] if tau is not None]
        assert min(every) < 0.1, name


@pytest.mark.slow
def test_the_figures_of_a_rule_can_be_computed_again() -> None:
    inventory.load()
    made = PAGE["_cell"](PAGE["WORLD"], 1.5, 3.5, relevance=4.0, worlds=5)
    (known,) = [c for c in FIGURES["simulated"] if (c["skew"], c["mnar"]) == (1.5, 3.5)]
    again = {row["design"]: row for row in json.loads(json.dumps(made))["designs"]}
    for row in known["designs"]:
        for figure in ("mean_tau", "mean_distance", "tau_low", "nearest"):
            assert again[row["design"]][figure] == pytest.approx(row[figure], nan_ok=True)
