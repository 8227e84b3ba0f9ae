"""From a plan to a review on the command line, as an author and then a reviewer would do it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.workbench.cli.main import COMMANDS, main
from experiment_cases import file_of

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan, the author's results, which follow it, and a reviewer's, which do not."""
    folder = tmp_path_factory.mktemp("review")
    file = str(file_of(folder, title="A paper"))
    plan = str(folder / "plan.json")
    assert main(["plan", file, "--out", plan]) == 0
    run = ["run", file, "--plan", plan, "--store", "none", "--out"]
    assert main([*run, str(folder / "author")]) == 0
    assert main([*run, str(folder / "reviewer"), "--set", "split.test_share=0.2"]) == 0
    return folder


def said(capsys: Captured, *arguments: str) -> str:
    capsys.readouterr()
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_both_results_are_verified(place: Path, capsys: Captured) -> None:
    for name in ("author", "reviewer"):
        assert "equal bit for bit" in said(capsys, "verify", str(place / name))


def test_the_author_followed_the_plan_and_the_reviewer_did_not(place: Path) -> None:
    records = {
        name: json.loads((place / name / "results.json").read_text())["plan"]
        for name in ("author", "reviewer")
    }
    assert records["author"]["followed"] is True
    assert records["reviewer"]["followed"] is False
    assert [each["path"] for each in records["reviewer"]["changes"]] == ["split"]
    assert records["author"]["fingerprint"] == records["reviewer"]["fingerprint"]


def test_the_checklist_knows_of_the_plan(place: Path, capsys: Captured) -> None:
    author, reviewer = (
        said(capsys, "checklist", str(place / name), "--for", "tors")
        for name in ("author", "reviewer")
    )
    asks = "Were hypotheses and decisions fixed before any result was known?"
    assert f"[x] {asks}" in author
    assert f"[~] {asks}" in reviewer
    assert "→ Give the reason for each change." in reviewer


def test_the_decisions_explain_why_both_differ(place: Path, capsys: Captured) -> None:
    text = said(capsys, "compare-results", str(place / "author"), str(place / "reviewer"))
    assert "They part at training and test ratings, where split differs" in text
    assert "per-user(test_share=0.4, repeats=1)" in text
    assert "per-user(test_share=0.2, repeats=1)" in text


def test_a_file_of_the_authors_answers_what_results_cannot(place: Path, capsys: Captured) -> None:
    own = place / "own.toml"
    own.write_text('extends = "acm"\n[answers]\narchive = "doi:10.1/1"\nlicence = "MIT"\n')
    text = said(capsys, "checklist", str(place / "author"), "--for", str(own))
    assert "9 items: 9 answered." in text
    assert "doi:10.1/1" in text


@pytest.mark.parametrize("command", ["plan", "checklist", "compare-results"])
def test_commands_are_listed_and_explain_themselves(command: str, capsys: Captured) -> None:
    assert command in COMMANDS
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert "--out FILE" in shown
    assert "options:" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["plan"], "the following arguments are required: FILE"),
        (["checklist"], "the following arguments are required: DIR"),
        (["compare-results"], "the following arguments are required: DIR"),
        (["compare-result", "a", "b"], 'Did you mean "compare-results"?'),
        (["checklists", "a"], 'Did you mean "checklist"?'),
        (["schema", "plans"], 'Did you mean "plan"?'),
        (["schema", "plans"], 'SCHEMA: "plans" is not one of definition, plan, results'),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    arguments: list[str], complaint: str, capsys: Captured
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_what_is_written_can_be_written_again(place: Path, tmp_path: Path) -> None:
    """The same files, bit for bit, over those of before."""
    commands = {
        "plan.json": ["plan", str(place / "experiment.toml")],
        "list.md": ["checklist", str(place / "author")],
        "list.tex": ["checklist", str(place / "author"), "--for", "recsys"],
        "both.json": ["compare-results", str(place / "author"), str(place / "reviewer")],
    }
    for name, command in commands.items():
        written = []
        for _ in range(2):
            assert main([*command, "--out", str(tmp_path / name)]) == 0
            written.append((tmp_path / name).read_bytes())
        assert written[0] == written[1]
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(commands)
