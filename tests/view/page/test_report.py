"""The report: one self-contained page, whole, in order, and with nothing but text from data."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import nan
from pathlib import Path

import pytest

from cranfield.scoring.breakdown import Breakdown, BreakdownRow
from cranfield.scoring.summary import Summary
from cranfield.validity.study.findings import conclude
from cranfield.view.page.report import charts_of, render_report, write_chart_files
from cranfield.view.tables.comparisons import comparison_latex, marked_table, pairs_table
from cranfield.view.tables.latex import escaped
from cranfield.view.tables.paper import PaperTable
from cranfield.view.tables.summaries import summary_table
from page_reader import Element, read_page
from report_cases import HOSTILE, SYSTEMS, made_designs, made_evaluation, made_report

STUDY = render_report(made_report())
RUN = render_report(made_report(study=False))


def test_the_verdict_comes_first_and_the_decisions_below() -> None:
    order = [section.attributes["id"] for section in read_page(STUDY).all("section")]
    assert order[:5] == ["verdict", "designs-tried", "what-decides", "ranks", "explorer"]
    assert order[5:8] == ["summary", "comparisons", "users"]
    assert order[-4:] == ["decisions", "methods", "provenance", "glossary"]


def test_a_run_has_no_designs_and_no_explorer() -> None:
    order = [section.attributes["id"] for section in read_page(RUN).all("section")]
    assert not {"designs-tried", "explorer"} & set(order)
    assert {"summary", "comparisons", "users", "p-value-curves", "coverages"} <= set(order)


def test_one_system_has_a_report_too() -> None:
    page = read_page(render_report(made_report(("only",), study=False)))
    assert "comparisons" not in {s.attributes["id"] for s in page.all("section")}
    alone = made_designs(("only",))
    assert render_report(made_report(("only",), study=False, designs=alone))


def test_all_decisions_are_reported() -> None:
    content = made_report()
    section = next(s for s in read_page(STUDY).all("section") if s.attributes["id"] == "decisions")
    for row in content.decisions:
        assert all(part in section.text for part in row)


@pytest.mark.parametrize("page", [STUDY, RUN])
def test_nothing_is_fetched(page: str) -> None:
    elements = read_page(page).elements
    addresses = [
        e.attributes[key] for e in elements for key in ("src", "href") if key in e.attributes
    ]
    assert all(address.startswith(("#", "data:,")) for address in addresses)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|https?://(?!www\.w3\.org/)", page)


@pytest.mark.parametrize("page", [STUDY, RUN])
def test_headings_go_down_one_step_at_a_time(page: str) -> None:
    levels = [int(e.name[1]) for e in read_page(page).elements if re.fullmatch(r"h[1-6]", e.name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("page", [STUDY, RUN])
def test_the_page_can_be_read_by_everyone(page: str) -> None:
    read = read_page(page)
    assert read.all("html")[0].attributes["lang"] == "en"
    assert len(read.all("main")) == len(read.all("nav")) == 1
    assert len(read.all("caption")) == len(read.all("table"))
    assert all("scope" in each.attributes for each in read.all("th"))
    names = [e.attributes["id"] for e in read.elements if "id" in e.attributes]
    assert len(names) == len(set(names))
    pointed = [
        name
        for e in read.elements
        for key in ("aria-labelledby", "aria-describedby", "for")
        for name in e.attributes.get(key, "").split()
    ]
    assert set(pointed) <= set(names)
    links = [a.attributes["href"].removeprefix("#") for a in read.all("a")]
    assert set(links) <= set(names)


def test_every_chart_has_words_and_numbers() -> None:
    content = made_report()
    read = read_page(STUDY)
    assert {f.attributes["id"] for f in read.all("figure")} == set(charts_of(content))
    assert len(read.all("figure")) == sum("figure" in d.inside for d in read.all("details"))
    assert all(p.attributes["role"] == "img" for p in read.all("svg"))
    assert len(read.all("desc")) == len(read.all("svg"))


def test_the_summary_holds_the_values_and_marks() -> None:
    content = made_evaluation()
    section = next(s for s in read_page(RUN).all("section") if s.attributes["id"] == "summary")
    for row in content.summary.rows:
        assert f"{row.value:.4f}" in section.text
    best = content.summary.row(content.systems[0], "nDCG@10")
    assert f"<b>{best.value:.4f}</b><sup>" in RUN


def test_pairs_are_shown_with_intervals_and_p_values() -> None:
    comparison = made_evaluation().comparison
    assert comparison is not None
    section = next(s for s in read_page(RUN).all("section") if s.attributes["id"] == "comparisons")
    for pair in comparison.pairs:
        assert f"{pair.difference:+.4f}".replace("-", "−") in section.text
        assert f"{pair.low:+.4f} to {pair.high:+.4f}".replace("-", "−") in section.text


def test_the_number_of_designs_is_reported_openly() -> None:
    designs = made_designs()
    assert f"{len(designs)} designs were tried" in STUDY
    assert "no difference in any design" in STUDY
    without = render_report(made_report(designs=made_designs(joint=False)))
    assert "They were not tested jointly." in read_page(without).elements[0].text


def test_hostile_names_stay_text_on_the_page() -> None:
    facts = {name: name for name in HOSTILE}
    decisions = [(name, name, name) for name in HOSTILE]
    page = render_report(
        made_report(
            HOSTILE, title=HOSTILE[0], verdict=HOSTILE[1], evidence=HOSTILE, facts=facts,
            decisions=decisions, methods=HOSTILE[2],
        )
    )  # fmt: skip
    read = read_page(page)
    assert len(read.all("script")) == len(read_page(STUDY).all("script"))
    assert not [key for e in read.elements for key in e.attributes if key.startswith("on")]
    assert HOSTILE[0] in read.all("h1")[0].text
    assert HOSTILE[2] in read.all("blockquote")[0].text


def test_hostile_names_stay_text_in_latex_and_in_the_terminal() -> None:
    names = (*HOSTILE, r"\input{secret}", "\x1b[2J")
    content = made_evaluation(names)
    assert content.comparison is not None
    paper = PaperTable(summary=content.summary, comparison=content.comparison)
    for made in (paper.latex(), comparison_latex(content.comparison)):
        assert r"\textless{}script\textgreater{}alert(1)\textless{}/script\textgreater{}" in made
        assert r"\input" not in made
        assert escaped(HOSTILE[2]) in made
    compared = content.comparison
    for shown in (summary_table(content.summary), marked_table(compared), pairs_table(compared)):
        assert all(name in shown for name in HOSTILE)
        assert "\x1b" not in shown


def test_the_page_allows_its_own_script_and_style_only() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', STUDY)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]


def test_the_same_content_gives_the_same_page() -> None:
    assert render_report(made_report()) == STUDY


def test_many_systems_and_metrics_are_still_one_page() -> None:
    names = tuple(f"system {number}" for number in range(12))
    page = render_report(made_report(names))
    assert "more pairs" in page
    assert set(SYSTEMS).isdisjoint(names)


def test_what_is_the_same_for_all_is_said_instead_of_drawn() -> None:
    content = made_evaluation()
    rows = tuple(replace(row, user_coverage=1.0, coverage=1.0) for row in content.summary.rows)
    full = replace(content, summary=Summary(rows, content.summary.choice))
    page = render_report(made_report(study=False, base=full))
    assert "Every system has a full list for every user." in page
    assert 'id="coverage"' not in page


def test_a_metric_of_which_more_is_not_better_has_no_best_value() -> None:
    content = made_evaluation()
    best = f"<b>{content.summary.row(content.systems[0], 'nDCG@10').value:.4f}</b>"
    assert best in render_report(made_report(study=False, base=content))
    unmarked = replace(content, unmarked=["nDCG@10"])
    assert best not in render_report(made_report(study=False, base=unmarked))


def with_random(random: dict[str, float], unknown: str = "") -> list[Element]:
    """The rows of the summary on a page whose systems have these random rankings."""
    content = made_evaluation()
    rows = tuple(replace(row, random=random.get(row.system, nan)) for row in content.summary.rows)
    shown = replace(content, summary=Summary(rows, content.summary.choice), unknown_random=unknown)
    page = read_page(render_report(made_report(study=False, base=shown)))
    section = next(s for s in page.all("section") if s.attributes["id"] == "summary")
    return [section, *page.all("tr")]


def test_a_random_ranking_is_the_last_row_where_it_is_the_same_for_all() -> None:
    rows = with_random(dict.fromkeys(SYSTEMS, 0.0125))
    [chance] = [row for row in rows if row.attributes.get("class") == "chance"]
    assert chance.text == "a random ranking0.01250.0125"


def test_a_random_ranking_stands_beside_each_value_where_it_differs() -> None:
    section, *rows = with_random(dict(zip(SYSTEMS, (0.01, 0.02, 0.03), strict=True)))
    assert not [row for row in rows if row.attributes.get("class") == "chance"]
    assert all(f"({random:.4f})" in section.text for random in (0.01, 0.02, 0.03))
    assert "In brackets: what a random ranking would get" in section.text


def test_the_reason_why_a_random_ranking_is_unknown_stands_below_the_summary() -> None:
    section, *rows = with_random({}, "no catalogue: it is not known")
    [chance] = [row for row in rows if row.attributes.get("class") == "chance"]
    assert chance.text == "a random ranking––"
    assert "No catalogue: it is not known." in section.text
    assert "a random ranking" not in with_random({})[0].text


def test_values_beyond_accuracy_are_shown_where_they_are_known() -> None:
    lists = {system: {"EPC@10": 0.123456} for system in SYSTEMS}
    page = render_report(made_report(study=False, base=replace(made_evaluation(), lists=lists)))
    assert "beyond accuracy" in page
    assert "0.1235" in page
    assert "beyond accuracy" not in RUN


def test_a_note_is_reported_once() -> None:
    content = made_evaluation()
    assert content.comparison is not None
    comparison = replace(content.comparison, notes=("mind the gap.",))
    noted = replace(content, comparison=comparison, notes=("mind the gap.", "another."))
    page = render_report(made_report(study=False, base=noted))
    assert page.count("mind the gap.") == 1
    assert page.count("another.") == 1


def test_varied_decisions_are_reported_with_all_their_answers() -> None:
    section = next(s for s in read_page(STUDY).all("section") if s.attributes["id"] == "decisions")
    assert "Decisions that were varied, in 17 designs" in section.text
    assert "0.1; 0.2; 0.4" in section.text
    assert "<b>0.1</b>; 0.2; 0.4" in STUDY  # the base design
    assert "varied" not in RUN


def test_long_evidence_is_read_on_demand() -> None:
    findings = tuple(f"finding {number}." for number in range(8))
    read = read_page(render_report(made_report(evidence=findings, study=False)))
    [more] = [d for d in read.all("details") if d.attributes.get("class") == "evidence"]
    assert more.text.startswith("3 more findings")
    assert "finding 4." not in more.text
    assert "finding 5." in more.text


def test_charts_are_written_under_their_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    content = made_report(("only",), study=False)
    written = write_chart_files(content, tmp_path, ("svg",))
    assert {path.name for path in written} == {f"{name}.svg" for name in charts_of(content)}
    assert all(path.stat().st_size for path in written)


def test_a_long_verdict_is_set_smaller() -> None:
    short, long = (
        read_page(render_report(made_report(study=False, verdict="A" * length)))
        for length in (170, 171)
    )
    classes = [
        next(e.attributes["class"] for e in page.all("p") if "AAA" in e.text)
        for page in (short, long)
    ]
    assert classes == ["verdict", "verdict long"]


def test_a_given_conclusion_is_shown_as_it_is() -> None:
    designs = made_designs()
    found = conclude(designs, pair=("Popularity", "ALS"))
    page = render_report(made_report(designs=designs, conclusion=found))
    assert "Popularity and ALS in 17 designs" in page
    assert "Popularity and ALS in 17 designs" not in STUDY


def test_tables_of_assessments_show_dashes_for_what_is_undefined() -> None:
    rows = read_page(RUN).rows("power")
    assert rows == [["metric", "DP"], ["nDCG@10, gain = rating", "0.512"], ["P@10", "–"]]


def test_methods_and_provenance_close_the_page() -> None:
    page = read_page(render_report(made_report(study=False, methods="One.\n\nTwo.")))
    [quote] = page.all("blockquote")
    assert quote.text == "One.Two."
    listed = zip(page.all("dt"), page.all("dd"), strict=True)
    assert [(t.text, d.text) for t, d in listed if "id" not in t.attributes] == [
        ("data", "6f1c…"), ("seed", "42"), ("cranfield", "0.1.0"),
    ]  # fmt: skip
    without = read_page(render_report(made_report(study=False, methods="")))
    assert "methods" not in [s.attributes["id"] for s in without.all("section")]


def test_values_by_group_stand_below_the_summary() -> None:
    part = BreakdownRow("1: 3 to <9>", "kNN", "nDCG@10", 0.25, 7, 7, 0)
    base = replace(made_evaluation(), breakdowns=(Breakdown("activity", (part,)),))
    page = read_page(render_report(replace(made_report(), base=base)))
    headings = ["activity", "users", "nDCG@10, gain = rating"]
    assert page.rows("Values by activity") == [headings, ["1: 3 to <9>", "7", "0.2500"]]
