"""Pages that are written from the code say what the code says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest

from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.statistics.statistics import describe
from cranfield.collection.target_choice import parse_targets
from cranfield.recommendation.ranking.choice import Unscored
from cranfield.view.page.repeated_notes import sentences
from cranfield.workbench import inventory
from cranfield.workbench.bias.assessment import PARTS
from cranfield.workbench.definition.side_tables import parse_grouping
from cranfield.workbench.reproduction.reproduction import Reproduction, find_reproductions
from cranfield.workbench.reproduction.states import HOLDS, STATES, counted_kind

inventory.load()

DOCS = Path(__file__).parents[1] / "docs"


def test_the_glossary_is_what_reports_and_commands_say() -> None:
    made = runpy.run_path(str(DOCS / "glossary.py"))["page"]()
    assert (DOCS / "glossary.md").read_text(encoding="utf-8") == made, "run docs/glossary.py"


def test_every_picture_is_what_the_script_draws_and_on_a_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    drawn = runpy.run_path(str(DOCS / "pictures.py"))["PICTURES"]
    folder = DOCS / "concepts" / "pictures"
    assert {path.stem for path in folder.iterdir()} == set(drawn)
    found = (DOCS / "concepts.md", DOCS / "concepts" / "decisions.md")
    pages = "".join(path.read_text(encoding="utf-8") for path in found)
    for name, draw in drawn.items():
        text = (folder / f"{name}.svg").read_text(encoding="utf-8")
        assert text == draw(), "run docs/pictures.py"
        ElementTree.fromstring(text)
        assert f"pictures/{name}.svg)" in pages


def rows_of_papers() -> list[list[str]]:
    text = (DOCS / "8-papers.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in lines]


@pytest.mark.parametrize("row", rows_of_papers(), ids=lambda row: row[3])
def test_what_the_papers_name_is_understood_and_held_by_a_test(row: list[str]) -> None:
    _, _, decision, spelling, held_by = row
    if decision == "targets":
        parse_targets(spelling)
    elif decision == "unscored":
        assert spelling in get_args(Unscored)
    elif decision == "assess bias":
        assert spelling in PARTS
    elif decision == "stats":
        assert spelling in describe(Ratings.from_triples([1], [1], [1])).to_dict()
    elif decision == "by":
        assert str(parse_grouping(spelling)) == spelling
    else:
        assert str(parse(decision, spelling))
    file, _, name = held_by.partition("::")
    assert f"def {name}" in (DOCS.parent / file).read_text(encoding="utf-8")


PAPERS = runpy.run_path(str(DOCS / "reproduction.py"))
"""What writes the pages of the papers."""


@pytest.mark.parametrize("made", find_reproductions(), ids=lambda made: made.name)
def test_the_page_of_a_paper_has_every_item_its_claims_and_where_it_differs(
    made: Reproduction,
) -> None:
    text = (DOCS / PAPERS["page_name"](made.paper)).read_text(encoding="utf-8")
    assert f"\n## {made.paper}, {made.item}: {made.title}\n" in text, "run docs/reproduction.py"
    for claim in made.claims:
        says = " ".join(claim.says.split()).replace("|", "\\|")
        [row] = [line for line in text.splitlines() if line.startswith(f"| {made.item} | {says} |")]
        state = row.split(" | ")[-2]
        assert counted_kind(state) in STATES
        assert claim.told in row
        assert (
            counted_kind(state) == HOLDS or claim.told or counted_kind(state) in PAPERS["_REASONS"]
        )
    for sentence in sentences(made.differs):
        assert sentence in text


@pytest.mark.long
def test_the_pages_of_the_papers_are_rewritten_as_they_are() -> None:
    """Without new figures, nothing changes: what no folder has stays as it is kept."""
    papers = PAPERS["read_records"]()
    for name, text in PAPERS["pages_of"](papers).items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, "run docs/reproduction.py"
    for paper, records in papers.items():
        kept = (DOCS / "reproduction" / f"{paper}.json").read_text(encoding="utf-8")
        assert PAPERS["records_text"](records) == kept


@pytest.mark.long
def test_the_thesis_tells_the_runs_of_the_article() -> None:
    """Both have the same experiments, and the article pays for them."""
    papers = PAPERS["read_records"]()
    thesis = {record["name"]: record for record in papers["bellogin2012"]}
    told = [each for record in papers["bellogin2017"] for each in PAPERS["told_again"](record)]
    assert {each["name"]: each for each in told} == thesis
    assert not any("processor_seconds" in each for each in told)


def test_every_chart_of_the_papers_is_on_a_page_and_there() -> None:
    named = [
        name
        for page in DOCS.glob("8-reproduction-*.md")
        for name in re.findall(r"\]\(reproduction/([^)]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert sorted(named) == sorted(path.name for path in (DOCS / "reproduction").glob("*.svg"))
    papers = PAPERS["read_records"]()
    drawn = {
        f"{name}.svg": PAPERS["drawing"](plot)
        for records in papers.values()
        for record in records[:3]
        for name, plot in PAPERS["charts_of"](record).items()
    }
    for name, text in drawn.items():
        assert (DOCS / "reproduction" / name).read_text(encoding="utf-8") == text


def test_the_summary_of_the_papers_fits_on_a_screen() -> None:
    assert len((DOCS / "8-reproduction.md").read_text(encoding="utf-8").splitlines()) < 60
