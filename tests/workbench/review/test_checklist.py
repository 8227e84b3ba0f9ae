"""Checklists: every item answered, partly answered or missing, from what results hold."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import OptionError
from cranfield.workbench.cli.main import main
from cranfield.workbench.results.results import Results
from cranfield.workbench.review.checklist import Checklist, checklist_schema, make_checklist
from cranfield.workbench.review.questions import venues
from experiment_cases import experiment_of, table_of
from latex_reader import printed
from page_reader import read_page

HOSTILE = "<script>*a|b*</script> \\end{document} [x](y)"


@pytest.fixture(scope="module")
def results() -> Results:
    return cf.run(table_of(title="Mine"))


@pytest.fixture(scope="module")
def made(results: Results) -> Checklist:
    return cf.checklist(results)


@pytest.fixture(scope="module")
def folder(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("results") / "out"
    cf.write_results(results, place)
    return place


def states(made: Checklist) -> dict[str, str]:
    return {each.name: each.state for each in made.items}


def test_a_run_on_simulated_data_leaves_much_to_be_done(made: Checklist) -> None:
    found = states(made)
    assert len(found) == 25
    answered = {"data", "preprocessing", "split", "metrics", "significance", "software", "compute"}
    assert {found[name] for name in answered} == {"answered"}
    assert {found[name] for name in ("leakage", "seeds")} == {"partly"}
    lacking = {"tuning", "robustness", "plan", "archive", "licence", "data-variety"}
    assert {found[name] for name in lacking} == {"missing"}


def test_every_item_that_is_not_answered_says_what_to_do(made: Checklist) -> None:
    for each in made.items:
        assert bool(each.advice) == (each.state != "answered"), each.name
        assert each.answer or each.state == "missing", each.name


def test_items_are_counted(made: Checklist) -> None:
    counts = {state: list(states(made).values()).count(state) for state in ("answered", "missing")}
    assert made.counted.startswith(f"{counts['answered']} answered, ")
    assert made.counted.endswith(f"{counts['missing']} missing")
    assert made.heading.startswith("Mine. 25 items: ")


def test_results_and_their_folder_have_the_same_checklist(made: Checklist, folder: Path) -> None:
    read = cf.checklist(folder)
    for one, other in zip(made.items, read.items, strict=True):
        if one.name not in ("compute", "documentation"):  # seconds are rounded in a record
            assert one == other


@pytest.mark.parametrize("venue", ["tors", "recsys", "acm"])
def test_venues_have_items_of_their_own(results: Results, made: Checklist, venue: str) -> None:
    own = cf.checklist(results, venue)
    assert set(states(own)) < set(states(made))
    asking = {"tors": "jannach2026", "recsys": "recsys2026", "acm": "acm2020"}
    assert next(iter(own.sources)) == asking[venue]
    assert "ACM" in own.title


def test_command_and_python_write_the_same(folder: Path, tmp_path: Path) -> None:
    for suffix in (".md", ".html", ".tex", ".json"):
        command, python = tmp_path / f"command{suffix}", tmp_path / f"python{suffix}"
        assert main(["checklist", str(folder), "--for", "tors", "--out", str(command)]) == 0
        cf.checklist(folder, "tors").write(python)
        assert command.read_bytes() == python.read_bytes()


def test_the_command_prints_every_item(
    folder: Path, made: Checklist, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["checklist", str(folder)]) == 0
    said = capsys.readouterr().out
    marks = {"answered": "[x]", "partly": "[~]", "missing": "[ ]"}
    for each in made.items:
        assert f"{marks[each.state]} {each.asks}" in said
    assert "    → Put code, definition and results into an archive" in said


def test_another_suffix_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["checklist", str(tmp_path / "none"), "--out", "list.docx"]) == 1
    said = capsys.readouterr().err
    assert "list.docx: it can be written as .md, .html, .tex, .json." in said


@pytest.mark.parametrize("given", [3, None, ["out"]])
def test_what_is_no_result_is_refused(given: Any) -> None:
    with pytest.raises(OptionError, match=r"is not results\. Give those of run or study"):
        cf.checklist(given)


def test_a_folder_without_results_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["checklist", str(tmp_path)]) == 1
    assert "results.json: there is no such file" in capsys.readouterr().err


def test_names_from_data_stay_text_in_every_form(results: Results) -> None:
    titled = replace(results, experiment=replace(results.experiment, title=HOSTILE))
    hostile = make_checklist(titled, "acm")
    assert "<script>" not in hostile.to_markdown()
    assert r"\[x\](y)" in hostile.to_markdown()
    assert "<script>*" not in hostile._repr_html_()
    heading = hostile.to_latex().splitlines()[1]
    assert HOSTILE in printed(heading)


def test_every_line_of_latex_is_text_or_a_list(made: Checklist) -> None:
    lines = made.to_latex().splitlines()
    topics = 5
    assert lines.count(r"\begin{itemize}") == lines.count(r"\end{itemize}") == topics + 1
    items = [line for line in lines if line.startswith(r"\item \textbf{")]
    assert len(items) == len(made.items)
    for line, each in zip(items, made.items, strict=True):
        plain = printed(
            re.sub(r"\\(item|emph|textbf|\")", "", line)
        )  # of accents, the letters remain
        assert each.asks in plain
        assert each.answer[:15] in plain


def test_markdown_has_a_box_for_every_item(made: Checklist) -> None:
    lines = made.to_markdown().splitlines()
    boxes = [line for line in lines if line.startswith("- [")]
    assert [line.startswith("- [x]") for line in boxes] == [
        each.state == "answered" for each in made.items
    ]
    assert "## Sources" in lines


def test_the_page_has_a_table_for_every_topic(made: Checklist, tmp_path: Path) -> None:
    made.report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    read_page(text)
    for topic in ("Data", "Protocol", "Systems", "Measurement", "Material"):
        assert f">{topic}</caption>" in text


def test_a_checklist_is_a_table(made: Checklist) -> None:
    table = made.to_polars()
    assert table.columns == ["name", "topic", "asks", "state", "answer", "advice"]
    assert dict(table.select("name", "state").rows()) == states(made)
    assert repr(made).startswith("Checklist(What reviewers ask of an offline evaluation, ")


def test_checklists_are_as_their_schema_says(
    made: Checklist, capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(checklist_schema())
    record = json.loads(json.dumps(made.to_dict()))
    validator.validate(record)
    assert not validator.is_valid({**record, "format": 0})
    record["items"][0]["state"] = "perhaps"
    assert not validator.is_valid(record)
    assert main(["schema", "checklist"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(checklist_schema()))


def test_every_venue_that_ships_can_be_asked_for(results: Results) -> None:
    assert venues() == ("acm", "all", "recsys", "tors")
    for each in venues():
        assert cf.checklist(results, each).items


def test_two_failed_systems_are_reported(results: Results) -> None:
    failed = {"new": "no luck.", "other": "none either."}
    found = {each.name: each for each in make_checklist(replace(results, failed=failed)).items}
    assert found["baselines"].state == "partly"
    assert "2 systems failed and are not in the tables." in found["baselines"].answer
    assert "new: no luck; other: none either." in found["baselines"].answer
    assert experiment_of().names == results.evaluated.names
