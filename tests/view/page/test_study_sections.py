"""Sections of a study: every count, share and rank is that of the findings."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.view.page.study_sections import study_plots, study_sections
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
    assert headings[:2] == ["pair", "first wins"]
    for cells, pair in zip(rows, FOUND.pairs, strict=True):
        assert cells[0] == f"{pair.first} − {pair.second}"
        assert [int(cell) for cell in cells[1:6]] == [
            pair.wins,
            pair.significant_wins,
            pair.losses,
            pair.significant_losses,
            pair.ties,
        ]
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


def test_chance_is_the_level_times_the_number_of_designs() -> None:
    values = [[0.5, 0.4]] * 6
    one = text_of(sections_of(designs_of(CROSS, values, alpha=0.5))["designs-tried"])
    assert "6 designs were tried. With no difference at all, about 3 would be significant" in one
    assert "at α = 0.5. No joint test of “no difference in any design” was run." in one
    alone = text_of(sections_of(designs_of(CROSS[:1], values[:1]))["designs-tried"])
    assert "1 design was tried. With no difference at all, about 0 would be" in alone


@pytest.mark.parametrize(
    ("wins", "losses", "words"),
    [(1, 0, "1 design stays"), (3, 2, "5 designs stay"), (0, 0, "0 designs stay")],
)
def test_designs_that_survive_the_joint_test_are_counted(
    wins: int, losses: int, words: str
) -> None:
    pair = replace(FOUND.pair, joint_p=0.03, surviving_wins=wins, surviving_losses=losses)
    text = text_of(sections_of(DESIGNS, replace(FOUND, pair=pair))["designs-tried"])
    assert f"gives p = 0.0300; {words} significant after adjusting for all designs." in text


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
        for page in sections_of(designs, found).values()
        for figure in page.all("figure")
    ]
    assert sorted(figures) == sorted(drawn)
    assert ("agreement" in drawn) is (systems > 2)  # two systems have one order or the other
