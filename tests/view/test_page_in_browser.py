"""The report in a real browser: it opens quietly, fits, and shows the numbers given."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser import CHROMIUM, Browser
from report_cases import HOSTILE, made_evaluation
from report_pages import choose

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="needs Chromium: `make browser` installs it from Debian's packages"
)


@pytest.mark.parametrize("name", ["study", "run", "hostile", "large"])
def test_it_opens_quietly_and_asks_for_nothing(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    page = browser.open(pages[name])
    assert page.complaints() == []
    assert page.requests() == [pages[name].resolve().as_uri()]
    assert page.dialogs() == []


def test_the_verdict_of_a_study_and_its_bar_are_seen_without_scrolling(
    browser: Browser, pages: dict[str, Path]
) -> None:
    page = browser.open(pages["study"])
    page.resize(1280, 720)
    places = [
        page.evaluate(f"document.querySelector('{part}').getBoundingClientRect().bottom")
        for part in ("#verdict .badge", "#verdict p.verdict", "#tally svg.wide")
    ]
    assert places == sorted(places)
    assert places[-1] < 720
    assert not page.evaluate("document.querySelector('#verdict details.evidence').open")


def test_figures_shown_equal_the_numbers_given(browser: Browser, pages: dict[str, Path]) -> None:
    page, content = browser.open(pages["run"]), made_evaluation()
    rows = page.rows("#summary > .scroll tbody tr")
    shown = {row[1]: row[2:4] for row in rows}
    for system in content.systems:
        values = [content.summary.row(system, metric).value for metric in content.metrics]
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


@pytest.mark.parametrize("name", ["study", "run", "hostile"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_table_needs_scrolling_to_be_read(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    page = browser.open(pages[name], width=width)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    cut = page.evaluate(
        "[...document.querySelectorAll('.stack')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.getAttribute('aria-label'))"
    )
    assert cut == []


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
