"""The reference is what the code declares, and lacks nothing of it."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

import cranfield
from cranfield.base import options
from cranfield.collection.text.layout import Format
from cranfield.recommendation.runs.text_layout import RunFormat
from cranfield.workbench import inventory
from cranfield.workbench.cli.main import COMMANDS, main
from cranfield.workbench.definition.definition import every_decision, read_asked_table
from cranfield.workbench.results import files, planned

inventory.load()

DOCS = Path(__file__).parents[1] / "docs"
PAGES: dict[str, str] = runpy.run_path(str(DOCS / "reference"))["pages"]()
DECISIONS = [
    kind
    for kind in inventory.decisions()
    if any(cls.__module__.startswith("cranfield.") for cls in options.options(kind).values())
]
"""The decisions of the project, whatever other tests have declared."""
OPTION_PAGES = "\n".join(
    PAGES[name]
    for name in ("reference-collection.md", "reference-recommenders.md", "4-metrics.md",
                 "reference-conclusions.md")
)  # fmt: skip
BASE = {
    "data": "simulated(size=tiny)",
    "split": "per-user",
    "relevance": 4,
    "metrics": ["nDCG@10"],
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=tune(5..10))"},
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_reference_is_what_the_code_says(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert text == PAGES[name], "run make reference"


@pytest.mark.parametrize("kind", DECISIONS)
def test_every_option_has_a_section_with_its_parameters(kind: str) -> None:
    for name, cls in options.options(kind).items():
        sections = re.findall(
            rf"^### {re.escape(name)}\n(.*?)(?=^##|\Z)", OPTION_PAGES, re.DOTALL | re.MULTILINE
        )
        named = [f"- `{options.written(each.name)}` (" for each in options.parameters(cls)]
        assert any(all(each in text for each in named) for text in sections), name
        assert all("```toml\n" in text for text in sections), name


def examples() -> list[str]:
    blocks = re.findall(r"^```toml\n(.*?)\n```$", OPTION_PAGES, re.DOTALL | re.MULTILINE)
    return sorted(set(blocks))


@pytest.mark.parametrize("line", examples())
def test_every_example_of_an_option_is_a_definition(line: str) -> None:
    given: dict[str, Any] = tomllib.loads(line)
    read_asked_table({**BASE, **given})


def test_every_decision_is_on_the_page_of_decisions() -> None:
    page = PAGES["reference-decisions.md"]
    for each in every_decision():
        assert f"\n### {each.path}\n" in page
        assert all(f"\n| `{answer}` |" in page for answer in each.answers), each.path


def test_every_public_name_is_on_the_page_of_python_once() -> None:
    page = PAGES["reference-python.md"]
    assert sorted(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == sorted(cranfield.__all__)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_flag_that_a_command_explains_is_on_the_page_of_commands(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    flags = set(re.findall(r"(?<=[ \[,])--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    page = PAGES["reference-commands.md"].partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert flags <= set(re.findall(r"--[a-z-]+", page))


def test_every_format_and_every_file_of_results_is_on_the_page_of_formats() -> None:
    page = (DOCS / "reference-formats.md").read_text(encoding="utf-8")
    headings = ("Ratings", "Runs", "Results")
    ratings, runs, rest = (page.partition(f"\n## {each}\n")[2] for each in headings)
    assert set(get_args(Format)) <= set(re.findall(r"^\| `(\w+)` ", ratings, re.MULTILINE))
    assert set(get_args(RunFormat)) <= set(re.findall(r"^\| `(\w+)` ", runs, re.MULTILINE))
    assert all(f"\n| `{name}` |" in rest for name in (*files._OURS, planned.PLAN))
