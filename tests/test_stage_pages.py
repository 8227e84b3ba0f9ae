"""The pages of the stages: their commands and their Python run, in order, on files they make."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cranfield.workbench.cli.main import main

DOCS = Path(__file__).parents[1] / "docs"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
OTHERS = ("torch", "recbole", "benchmarks/", "…", "ml-1m", "--fail-if")
"""What blocks and commands name that is not here, or need a file that only the reader has."""


def blocks_of(page: str) -> list[tuple[str, str]]:
    """The blocks of code of a page: their language and text."""
    return _BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))


def run_blocks(page: str) -> int:
    """Run the blocks of a page; how many commands and blocks of Python that were."""
    ran, names = 0, dict[str, object]()
    for language, text in blocks_of(page):
        if language == "python" and not any(word in text for word in OTHERS):
            exec(compile(text, page, "exec"), names)
            ran += 1
        for line in text.replace("\\\n", " ").splitlines() if language == "sh" else ():
            if line.startswith("cranfield ") and not any(word in line for word in OTHERS):
                assert main(shlex.split(line, comments=True)[1:]) == 0, line
                ran += 1
    return ran


def text_after(page: str, text: str) -> str:
    """The first block of TOML after some text."""
    (found,) = re.findall(
        f"{re.escape(text)}.*?```toml\n(.*?)```",
        (DOCS / page).read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )[:1]
    return str(found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a reader, with the tables that a page says are theirs."""
    monkeypatch.chdir(tmp_path)
    items = [f"i{item:04},{'War|Drama' if item % 3 else 'Drama'}" for item in range(1, 200)]
    (tmp_path / "films.csv").write_text("\n".join(["item_id,genre", *items]) + "\n")
    users = [f"u{user:04},{'AB'[user % 2]}" for user in range(1, 201)]
    (tmp_path / "users.csv").write_text("\n".join(["user_id,gender", *users]) + "\n")
    (tmp_path / "given.toml").write_text(text_after("4-scoring.md", "The file `given.toml` is"))
    return tmp_path


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_the_commands_of_systems_scoring_significance_and_validity_run() -> None:
    assert run_blocks("3-recommendation.md") == 5
    assert run_blocks("4-scoring.md") == 8
    assert run_blocks("5-significance.md") == 4
    assert run_blocks("6-validity.md") == 8


@pytest.mark.long
def test_the_definition_of_the_workbench_and_its_study_are_accepted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = text_after("8-workbench.md", "## An experiment")
    base = base.replace('"ml-1m"', '"simulated(size=small)"').partition("[runs]")[0]
    (folder / "experiment.toml").write_text(base)
    study = text_after("8-workbench.md", "## A study: does the conclusion hold?")
    (folder / "study.toml").write_text(f"{base}\n{study}")
    commands = [
        line
        for language, text in blocks_of("8-workbench.md")
        if language == "sh"
        for line in text.splitlines()
        if line.startswith("cranfield run experiment.toml")
    ]
    assert len(commands) == 3
    for line in commands:
        assert main([*shlex.split(line, comments=True)[1:], "--dry-run"]) == 0, line
    capsys.readouterr()
    assert main(["run", "study.toml", "--dry-run"]) == 0
    assert "120 designs" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param("biased", "assess bias biased.toml", marks=pytest.mark.slow),
        ("truth", "assess truth truth.toml --worlds 3"),
    ],
)
def test_the_examples_of_bias_and_truth_print_what_the_page_shows(
    name: str, command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / "6-bias.md").read_text(encoding="utf-8")
    definitions = re.findall(r"### Example\n\n```toml\n(.*?)```", text, flags=re.DOTALL)
    (folder / f"{name}.toml").write_text(definitions[name == "truth"])
    assert main(command.split(" ")) == 0
    printed = capsys.readouterr().out
    (shown,) = re.findall(rf"\$ cranfield {command}\n(.*?)```", text, flags=re.DOTALL)
    lines = [line for line in shown.splitlines() if line.strip("─… ")]
    assert len(lines) > 15
    assert [line for line in lines if line not in printed] == []
    (said,) = re.findall(r"\n> (.*?)\n\n", text.partition(shown)[2], flags=re.DOTALL)[:1]
    assert said.replace("\n> ", " ") in printed
