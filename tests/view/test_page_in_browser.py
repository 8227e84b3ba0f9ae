"""The report in a real browser: it opens quietly, reacts, and shows the numbers given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from browser import CHROMIUM, Browser, Page
from cranfield.validity.designs import Designs
from cranfield.view.report import render_report
from report_cases import ANSWERS, HOSTILE, made_cell, made_designs, made_report

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="needs Chromium: `make browser` installs it from Debian's packages"
)
DESIGNS = made_designs()


@pytest.fixture(scope="module")
def running() -> Iterator[Browser]:
    with Browser() as opened:
        yield opened


@pytest.fixture
def browser(running: Browser) -> Iterator[Browser]:
    yield running
    running.close_pages()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "study": made_report(),
        "run": made_report(study=False),
        "hostile": made_report(HOSTILE, title=HOSTILE[0], verdict=HOSTILE[1], evidence=HOSTILE),
        "large": made_report(designs=_large()),
    }
    for name, content in made.items():
        (folder / f"{name}.html").write_text(render_report(content), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


def _large() -> Designs:
    """Some 5,000 designs."""
    more = {
        "split.test_share": tuple(share / 20 for share in range(1, 11)),
        "cutoff": tuple(float(cutoff) for cutoff in range(5, 55, 5)),
        "coverage": ("full", "forgiving", "common"),
        "aggregation": ("mean", "median", "geometric"),
    }
    return made_designs(answers={**ANSWERS, **more}, leave_out=0)


@pytest.fixture
def study(browser: Browser, pages: dict[str, Path]) -> Page:
    return browser.open(pages["study"])


def choose(page: Page, **answers: str) -> None:
    for name, answer in answers.items():
        place = list(ANSWERS).index(name.replace("test_share", "split.test_share"))
        page.choose(f"#choice-{place}", answer)


def design_of(**answers: object) -> int:
    known = DESIGNS.decisions.with_row_index("place")
    for name, answer in answers.items():
        known = known.filter(pl.col(name.replace("test_share", "split.test_share")) == answer)
    return int(known["place"].item())


@pytest.mark.parametrize("name", ["study", "run", "hostile", "large"])
def test_it_opens_quietly_and_asks_for_nothing(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    page = browser.open(pages[name])
    assert page.complaints() == []
    assert page.requests() == [pages[name].resolve().as_uri()]
    assert page.dialogs() == []


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
            assert cell == ("<\u202f0.0001" if number < 0.0001 else f"{number:.4f}")
        significant = DESIGNS.p_values[design, place] < DESIGNS.alpha
        assert row[5].startswith("significant" if significant else "may be chance")


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


def test_what_is_undefined_or_contradicts_itself_is_not_called_significant(
    browser: Browser, tmp_path: Path
) -> None:
    designs = made_designs(("a", "b"), leave_out=0)
    values, effects, p_values = (
        np.array(given) for given in (designs.values, designs.effects, designs.p_values)
    )
    values[0], effects[0], p_values[0] = (0.5, 0.4), -0.3, 0.001  # the test favours b
    values[1, 1] = effects[1] = p_values[1] = np.nan
    changed = Designs(
        designs.decisions, designs.systems, values, effects, p_values, designs.users, base=0
    )
    path = tmp_path / "odd.html"
    path.write_text(render_report(made_report(("a", "b"), designs=changed)), encoding="utf-8")
    page = browser.open(path)
    assert "though the test favours the other" in page.text("#outcome")
    assert page.rows("#pairs tr")[0][-1] == "test and values disagree"
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
    assert shown["ItemKNN > Popularity"] == ["not tested", "significant"]
    assert shown["ItemKNN > ALS"][1] == "significant, also adjusted"


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


def test_outcomes_are_told_to_those_who_listen(study: Page) -> None:
    live = "document.getElementById('outcome').getAttribute('aria-live')"
    assert study.evaluate(live) == "polite"


def test_figures_shown_equal_the_numbers_given(browser: Browser, pages: dict[str, Path]) -> None:
    page, cell = browser.open(pages["run"]), made_cell()
    rows = page.rows("#summary > .scroll tbody tr")
    shown = {row[1]: row[2:4] for row in rows}
    for system in cell.systems:
        values = [cell.summary.row(system, metric).value for metric in cell.metrics]
        assert [text[:6] for text in shown[system]] == [f"{value:.4f}" for value in values]


def test_hostile_names_are_read_and_do_not_run(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["hostile"])
    assert page.text("h1") == HOSTILE[0]
    assert {row[1] for row in page.rows("#values tr")} == set(HOSTILE)
    choose(page, targets="condensed")
    assert page.dialogs() == []
    assert page.complaints() == []


@pytest.mark.parametrize("name", ["study", "run", "hostile"])
@pytest.mark.parametrize("width", [320, 375])
def test_a_phone_never_scrolls_sideways(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    page = browser.open(pages[name], width=width)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.chart.wide')).display") == "none"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(
    browser: Browser, pages: dict[str, Path], scheme: str
) -> None:
    page = browser.open(pages["study"], scheme=scheme)
    weakest = page.evaluate(_CONTRAST)
    assert weakest["ratio"] >= 4.5, weakest


_CONTRAST = """(() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (e) => {
    for (let up = e; up; up = up.parentElement) {
      const found = parse(getComputedStyle(up).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  let weakest = { ratio: 99 };
  for (const e of document.body.querySelectorAll("*")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.closest("script, style, noscript")) continue;
    if (e.classList.contains("middle") && !e.classList.contains("tick")) continue; // in heat maps
    const style = getComputedStyle(e);
    const ink = parse(e instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [light(ink), light(ground(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < weakest.ratio) weakest = { ratio, text: e.textContent.slice(0, 40) };
  }
  return weakest;
})()"""


def test_print_shows_every_section_without_controls(
    browser: Browser, pages: dict[str, Path], tmp_path: Path
) -> None:
    page = browser.open(pages["study"])
    page.send("Emulation.setEmulatedMedia", media="print")
    hidden = "['nav', '#explore'].map(s => getComputedStyle(document.querySelector(s)).display)"
    assert page.evaluate(hidden) == ["none", "none"]
    shown = "[...document.querySelectorAll('section')].every(s => s.getClientRects().length)"
    assert page.evaluate(shown)
    page.printed(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


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
