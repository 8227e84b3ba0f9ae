"""Sections of a study: every count, share and rank is that of the findings."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import nan

import numpy as np
import pytest

from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.view.page.study_sections import study_plots, study_sections, study_verdict
from design_cases import CONDENSED, FULL, crossed, designs_of
from page_reader import PageReader, read_page
from report_cases import SYSTEMS, made_designs

CROSS = crossed({"targets": [FULL, CONDENSED], "cutoff": [5, 10, 20]})
DESIGNS = made_designs()
FOUND = conclude(DESIGNS)
TITLES = {
    "designs-tried": "Does the conclusion hold?",
    "what-decides": "What does it depend on?",
    "ranks": "How ranks move",
    "explorer": "Explorer",
}


def sections_of(
    designs: Designs = DESIGNS, found: StudyFindings | None = None
) -> dict[str, PageReader]:
    made = study_sections(designs, found or conclude(designs))
    return {section.name: read_page(section.render()) for section in made}


@cache
def shown() -> dict[str, PageReader]:
    return sections_of(DESIGNS, FOUND)


def text_of(page: PageReader) -> str:
    return page.elements[0].text


def test_sections_come_in_the_order_of_the_questions() -> None:
    assert {name: page.all("h2")[0].text for name, page in shown().items()} == TITLES
    assert list(shown()) == list(TITLES)


def test_every_pair_has_a_row_with_its_counts() -> None:
    headings, *rows = shown()["designs-tried"].rows("Every pair of systems over all designs")
    assert headings[:2] == ["pair", "first wins (by itself)"]
    for cells, pair in zip(rows, FOUND.pairs, strict=True):
        assert cells[0] == f"{pair.first} − {pair.second}"
        assert cells[1:6] == [
            f"{pair.wins} ({pair.significant_wins})", str(pair.established_wins),
            f"{pair.losses} ({pair.significant_losses})", str(pair.established_losses),
            str(pair.ties),
        ]  # fmt: skip
        assert pair.median_effect is not None
        assert float(cells[6].replace("−", "-")) == pytest.approx(pair.median_effect, abs=5e-4)


def test_a_study_of_two_systems_has_no_table_of_pairs() -> None:
    page = sections_of(made_designs(SYSTEMS[:2]))["designs-tried"]
    assert page.rows("Every pair of systems") == []


def test_of_very_many_pairs_those_that_flip_come_first_and_the_rest_on_demand() -> None:
    # eight systems make 28 pairs; only H changes places with the others
    values = [
        [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.9 if targets == CONDENSED else 0.1]
        for targets in CROSS["targets"]
    ]
    page = sections_of(designs_of(CROSS, values, base=0))["designs-tried"]
    _, *first = page.rows("The pairs that designs disagree on most; each of 28 pairs was compared")
    _, *rest = page.rows("The other pairs over all designs")
    assert (len(first), len(rest)) == (12, 16)
    assert all(cells[0].endswith(" − H") for cells in first[:7])
    assert not any("H" in cells[0] for cells in (*first[7:], *rest))
    assert page.all("summary")[-2].text == "16 more pairs"


def test_pairs_outside_the_joint_test_have_a_dash_and_are_not_called_untested() -> None:
    adjusted = np.full((6, 3), nan)
    adjusted[:, 0] = 0.01
    designs = designs_of(CROSS, [[0.5, 0.4, 0.3]] * 6, adjusted=adjusted, joint=adjusted[0])
    page = sections_of(designs)["designs-tried"]
    rows = page.rows("Every pair of systems over all designs")[1:]
    assert [(row[2], row[4]) for row in rows] == [("6", "0"), ("–", "–"), ("–", "–")]
    assert "not tested" not in text_of(page)


def test_designs_are_counted_once_and_said_to_be_a_choice() -> None:
    same = np.array([0, 0, 2, 3, 4, 5])
    text = text_of(sections_of(designs_of(CROSS, [[0.5, 0.4]] * 6, same_as=same))["designs-tried"])
    assert "6 designs were tried, 5 of them distinct. The joint test of" in text
    assert "any design” gives p = 0.0010." in text
    assert text.count("Designs are a choice, not a sample.") == 1
    alone = designs_of(CROSS[:1], [[0.5, 0.4]], adjusted=None)
    assert "1 design was tried. They were not tested jointly." in text_of(
        sections_of(alone)["designs-tried"]
    )


def test_decisions_without_effect_are_named() -> None:
    table = crossed({"cutoff": [5, 10], "coverage": ["full", "common"]})
    designs = designs_of(
        table, [[0.5, 0.4]] * 4, same_as=np.array([0, 0, 2, 2]),
        reasons={"coverage": "every system covered every user"},
    )  # fmt: skip
    page = sections_of(designs)["designs-tried"]
    assert [each.text for each in page.all("li")] == [
        "The treatment of uncovered users changed nothing: every system covered every user."
    ]


def test_the_verdict_comes_with_its_bar_and_numbers_and_its_evidence_behind_a_fold() -> None:
    page = read_page(study_verdict(DESIGNS, FOUND))
    kinds = [each.attributes.get("class") for each in page.all("p")]
    assert kinds[:2] == ["badge", "verdict"]
    assert [each.text for each in page.all("p")[:2]] == [
        FOUND.verdict.badge.capitalize(), FOUND.verdict.sentence,
    ]  # fmt: skip
    assert [each.attributes["id"] for each in page.all("figure")] == ["tally"]
    _, *rows = page.rows(f"{FOUND.pair.first} and {FOUND.pair.second} in numbers")
    assert [row[0] for row in rows] == ["scores more", "significant by itself", "established"]
    [fold] = [each for each in page.all("details") if each.attributes.get("class") == "evidence"]
    assert FOUND.verdict.evidence[0] in fold.text


def test_what_is_not_established_depends_on_nothing() -> None:
    designs = designs_of(CROSS, [[0.5, 0.4]] * 6, 0.6, base=0)
    assert "what-decides" not in sections_of(designs)
    assert "importance" not in [plot.name for plot in study_plots(designs, conclude(designs))]


def test_what_decisions_explain_is_said_with_their_interactions() -> None:
    text = text_of(shown()["what-decides"])
    assert f"explain {100 * FOUND.importance.explained:.1f}\u202f% of the variation" in text
    assert FOUND.importance.interacting
    assert f"interactions explain {100 * FOUND.importance.interacting:.1f}\u202f% more." in text
    for interacting in (None, 0.0):
        importance = replace(FOUND.importance, interacting=interacting)
        without = sections_of(DESIGNS, replace(FOUND, importance=importance))["what-decides"]
        assert "nteractions" not in text_of(without)


def test_designs_with_a_different_conclusion_are_listed() -> None:
    page = shown()["what-decides"]
    assert [each.text for each in page.all("h3")] == ["Designs with a different conclusion"]
    listed = [each.text for each in page.all("li")]
    assert listed == [f"{flip.words}." for flip in FOUND.flips]
    agreed = sections_of(designs_of(CROSS, [[0.5, 0.4]] * 6))["what-decides"]
    assert agreed.all("h3") == agreed.all("li") == []


def test_orders_that_agree_with_the_base_are_counted() -> None:
    text = text_of(shown()["ranks"])
    moved = FOUND.movement
    assert f"{moved.same_order} of {len(DESIGNS)} designs order the systems as the base" in text
    assert f"τ with it is {moved.median_tau:.2f} in the median" in text.replace("−", "-")
    values = [[0.5, 0.4, 0.3], [0.4, 0.5, 0.3]]
    one = text_of(sections_of(designs_of(CROSS[:2], values, base=0))["ranks"])
    assert one.startswith("How ranks move1 of 2 designs orders the systems as the base design does")
    free = text_of(sections_of(designs_of(CROSS[:2], values))["ranks"])
    assert "as the order by mean rank does" in free


@pytest.mark.parametrize("systems", [2, 3])
def test_every_chart_of_a_study_is_in_its_sections(systems: int) -> None:
    designs = made_designs(SYSTEMS[:systems])
    found = conclude(designs)
    drawn = [plot.name for plot in study_plots(designs, found)]
    figures = [
        figure.attributes["id"]
        for page in (
            read_page(study_verdict(designs, found)),
            *sections_of(designs, found).values(),
        )
        for figure in page.all("figure")
    ]
    assert sorted(figures) == sorted(drawn)
    assert ("agreement" in drawn) is (systems > 2)  # two systems have one order or the other
