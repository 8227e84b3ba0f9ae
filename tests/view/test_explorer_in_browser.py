"""The explorer in a real browser: it reacts, and shows the numbers of the design chosen."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from browser import CHROMIUM, Browser, Page
from cranfield.validity.study.designs import Designs
from cranfield.view.page.report import render_report
from report_cases import made_designs, made_report
from report_pages import choose

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="needs Chromium: `make browser` installs it from Debian's packages"
)
DESIGNS = made_designs()


@pytest.fixture
def study(browser: Browser, pages: dict[str, Path]) -> Page:
    return browser.open(pages["study"])


def design_of(**answers: object) -> int:
    known = DESIGNS.decisions.with_row_index("place")
    for name, answer in answers.items():
        known = known.filter(pl.col(name.replace("test_share", "split.test_share")) == answer)
    return int(known["place"].item())


def test_the_explorer_starts_with_the_base_design(study: Page) -> None:
    assert study.text("#outcome").startswith(f"Design 1 of {len(DESIGNS)}, the base: ")
    shown = {row[1]: row[2] for row in study.rows("#values tr")}
    assert shown == {
        system: f"{value:.4f}"
        for system, value in zip(DESIGNS.systems, DESIGNS.values[0].tolist(), strict=True)
    }


def test_a_changed_decision_changes_values_order_and_significance(study: Page) -> None:
    before = [row[1] for row in study.rows("#values tr")]
    choose(study, targets="condensed", gain="exponential")
    design = design_of(test_share=0.1, targets="condensed", metric="nDCG@10", gain="exponential")
    rows = study.rows("#values tr")
    order = np.argsort(-DESIGNS.values[design], kind="stable")
    assert [row[1] for row in rows] == [DESIGNS.systems[place] for place in order]
    assert [row[1] for row in rows] != before
    assert [row[2] for row in rows] == [f"{DESIGNS.values[design, place]:.4f}" for place in order]
    assert DESIGNS.adjusted is not None
    shown = study.rows("#pairs tr")
    for row, (one, two) in zip(shown, combinations(order.tolist(), 2), strict=True):
        assert row[0] == f"{DESIGNS.systems[one]} > {DESIGNS.systems[two]}"
        place = DESIGNS.pairs.index((min(one, two), max(one, two)))
        assert row[1] == f"{abs(DESIGNS.differences[design, place]):+.4f}"
        assert row[2] == f"{abs(DESIGNS.effects[design, place]):+.3f}"
        for cell, number in zip(
            row[3:5],
            (DESIGNS.p_values[design, place], DESIGNS.adjusted[design, place]),
            strict=True,
        ):
            assert cell == ("<0.0001" if number < 0.0001 else f"{number:.4f}")
        established = DESIGNS.adjusted[design, place] <= DESIGNS.alpha
        assert row[5] == ("established" if established else "not established")
    assert "allows for all designs and pairs" in study.text("#pairs-caption")


def test_numbers_halfway_are_rounded_as_everywhere_else(browser: Browser, tmp_path: Path) -> None:
    designs = made_designs(("a", "b"), leave_out=0)
    values = np.full_like(designs.values, 0.03125)  # 0.0312 to even, not 0.0313
    values[:, 1] = 0.09375
    changed = type(designs)(
        designs.decisions, designs.systems, values, designs.effects, designs.p_values,
        designs.users, base=0,
    )  # fmt: skip
    path = tmp_path / "halfway.html"
    path.write_text(render_report(made_report(("a", "b"), designs=changed)), encoding="utf-8")
    shown = {row[1]: row[2] for row in browser.open(path).rows("#values tr")}
    assert shown == {"a": f"{0.03125:.4f}", "b": f"{0.09375:.4f}"} == {"a": "0.0312", "b": "0.0938"}


def test_what_is_undefined_is_not_called_significant(browser: Browser, tmp_path: Path) -> None:
    designs = made_designs(("a", "b"), leave_out=0)
    values, effects, p_values = (
        np.array(given) for given in (designs.values, designs.effects, designs.p_values)
    )
    values[1, 1] = effects[1] = p_values[1] = np.nan
    changed = Designs(
        designs.decisions, designs.systems, values, effects, p_values, designs.users, base=0
    )
    path = tmp_path / "odd.html"
    path.write_text(render_report(made_report(("a", "b"), designs=changed)), encoding="utf-8")
    page = browser.open(path)
    choose(page, gain="exponential")
    assert "not every system has a value" in page.text("#outcome")
    assert page.rows("#values tr")[1][:3] == ["–", "b", "–"]
    assert page.rows("#pairs tr")[0][1:4] == ["–", "–", "–"]


def test_a_pair_that_was_not_tested_jointly_is_not_called_adjusted(
    browser: Browser, tmp_path: Path
) -> None:
    designs = made_designs(leave_out=0)
    assert designs.adjusted is not None
    adjusted = np.array(designs.adjusted)
    adjusted[:, 1:] = np.nan  # the pair of interest alone was tested
    path = tmp_path / "one.html"
    changed = replace(designs, adjusted=adjusted)
    path.write_text(render_report(made_report(designs=changed)), encoding="utf-8")
    shown = {row[0]: row[4:] for row in browser.open(path).rows("#pairs tr")}
    assert shown["ItemKNN > Popularity"] == ["–", "significant by itself"]
    assert shown["ItemKNN > ALS"][1] == "established"
    caption = browser.open(path).text("#pairs-caption")
    assert caption.endswith("all designs of ItemKNN and ALS, the family of the joint test")


def test_a_decision_that_does_not_apply_does_not_stand_in_the_way(study: Page) -> None:
    choose(study, metric="P@10", gain="exponential")
    design = design_of(test_share=0.1, targets="full", metric="P@10")
    assert study.text("#outcome").startswith(f"Design {design + 1} of")
    assert study.text("#hint-3") == "does not apply here"


def test_an_untried_combination_says_so_and_offers_the_nearest(
    study: Page, browser: Browser, pages: dict[str, Path]
) -> None:
    choose(study, test_share="0.4", targets="condensed", metric="P@10")  # the one left out
    assert "was not tried" in study.text("#outcome")
    assert study.evaluate("document.getElementById('found').hidden")
    offers = study.evaluate(
        "[...document.querySelectorAll('#untried button')].map(b => b.innerText)"
    )
    assert len(offers) == 3
    assert all(len(offer.split(";")) == 1 for offer in offers)  # each one decision away
    study.evaluate("document.querySelector('#untried button').click()")
    assert study.text("#outcome").startswith("Design ")
    assert study.evaluate("document.getElementById('untried').hidden")
    again = browser.open(pages["study"], hash_=study.evaluate("location.hash"))
    assert again.text("#outcome") == study.text("#outcome")


def test_options_that_were_not_tried_are_marked(study: Page) -> None:
    choose(study, test_share="0.4", metric="P@10")
    labels = study.evaluate("[...document.querySelectorAll('#choice-1 option')].map(o => o.text)")
    assert labels == ["full", "condensed (not tried with the others)"]


def test_the_keyboard_is_enough(study: Page) -> None:
    study.evaluate("document.getElementById('choice-1').focus()")
    before = study.text("#outcome")
    study.press("ArrowDown")
    assert (
        study.evaluate("document.getElementById('choice-1').selectedOptions[0].text") == "condensed"
    )
    assert study.text("#outcome") != before
    study.press("Tab")
    assert study.evaluate("document.activeElement.id") == "choice-2"
    for _ in range(2):
        study.press("Tab")
    assert study.evaluate("document.activeElement.id") == "to-base"
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert study.evaluate(outline) == "solid"  # focus can be seen
    study.press("Enter")
    assert study.text("#outcome") == before


def test_the_choice_is_kept_in_the_address(
    study: Page, browser: Browser, pages: dict[str, Path]
) -> None:
    choose(study, targets="condensed", test_share="0.2")
    kept = study.evaluate("location.hash")
    again = browser.open(pages["study"], hash_=kept)
    assert again.text("#outcome") == study.text("#outcome")
    assert (
        again.evaluate("document.getElementById('choice-1').selectedOptions[0].text") == "condensed"
    )


def test_outcomes_are_reported_to_those_who_listen(study: Page) -> None:
    live = "document.getElementById('outcome').getAttribute('aria-live')"
    assert study.evaluate(live) == "polite"


def test_thousands_of_designs_stay_quick(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["large"])
    took = page.evaluate(
        """(() => { const select = document.getElementById("choice-1"), start = performance.now();
        for (let turn = 0; turn < 10; turn += 1) {
          select.value = String(turn % 2); select.dispatchEvent(new Event("change")); }
        return (performance.now() - start) / 10; })()"""
    )
    assert "Design" in page.text("#outcome")
    assert took < 200  # milliseconds for each change
