"""Results on disk: everything is written, can be verified, and is safe to open."""

from __future__ import annotations

import json
import math
import re
import shutil
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import (
    CranfieldError,
    FingerprintMismatch,
    MissingFile,
    OutputError,
    UnreadableFile,
    Unverified,
)
from cranfield.scoring.score_files import read_scores
from cranfield.workbench.api import verify
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import write_results
from cranfield.workbench.results.results import Results, fingerprint_of
from cranfield.workbench.results.study_results import StudyResults
from experiment_cases import experiment_of, study_of

FILES = {
    "experiment.toml", "results.json", "scores.parquet", "methods.txt", "tables.tex",
    "references.bib", "report.html",
}  # fmt: skip
HOSTILE = (
    "<script>alert(1)</script>",
    "$x_1$ & 50% #{}~^\\input{x}",
    "\x1b[31mred\x07\x9b\r\n",
    "</script><!--",
    "a\"b'c",
)


def strict(text: str) -> dict[str, Any]:
    """JSON without the words that only Python knows, such as NaN."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    made: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return made


@pytest.fixture(scope="module")
def results() -> Results:
    return execute(experiment_of(title="A title", metrics=["nDCG@5", "P@5", "Gini@5"], seed=3))


@pytest.fixture(scope="module")
def written(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "out"
    write_results(results, folder)
    return folder


@pytest.fixture(scope="module")
def studied() -> StudyResults:
    return execute_study(study_of({"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 200}))


@pytest.fixture
def copied(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "copied"))


def test_everything_is_written_and_nothing_else(written: Path) -> None:
    assert {path.name for path in written.iterdir()} == FILES
    assert [path.name for path in written.parent.iterdir()] == ["out"]


@pytest.mark.long
def test_charts_are_written_in_the_formats_asked_for(results: Results, tmp_path: Path) -> None:
    write_results(results, tmp_path / "out", charts=("svg",))
    charts = list((tmp_path / "out" / "charts").iterdir())
    assert charts
    assert {path.suffix for path in charts} == {".svg"}
    write_results(results, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES, "old charts are gone"


def test_what_else_is_in_the_folder_stays(results: Results, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.md").write_text("mine")
    (tmp_path / "out" / "designs.parquet").write_text("of an older study")
    write_results(results, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES | {"notes.md"}
    assert (tmp_path / "out" / "notes.md").read_text() == "mine"


def test_the_record_holds_all_that_a_reader_must_know(written: Path, results: Results) -> None:
    record = strict((written / "results.json").read_text())
    assert set(record) >= {
        "format", "title", "decisions", "seed", "systems", "comparison", "data", "targets",
        "scores", "versions", "machine", "seconds", "costs",
    }  # fmt: skip
    assert record["title"] == "A title"
    assert record["seed"] == 3
    assert record["decisions"]["split"] == "per-user(test_share=0.4, repeats=1)"
    assert read_table(record["decisions"]) == results.experiment
    row = results.summary.row("kNN", "nDCG@5")
    assert record["systems"]["kNN"]["nDCG@5"]["value"] == row.value
    assert record["systems"]["kNN"]["nDCG@5"]["coverage"] == row.coverage
    assert record["systems"]["kNN"]["Gini@5"] == {"value": results.lists["kNN"]["Gini@5"]}
    assert results.comparison is not None
    assert len(record["comparison"]["pairs"]) == 3 * 2
    assert record["comparison"]["pairs"][0]["p_value"] == results.comparison.pairs[0].p_value
    assert record["comparison"]["decisions"]["test"] == {"name": "t"}
    fold = record["data"]["folds"][0]
    assert (fold["train_ratings"], fold["test_ratings"]) == (239, 161)
    assert all(re.fullmatch("[0-9a-f]{32}", fold[part]) for part in ("train", "test"))
    assert re.fullmatch("[0-9a-f]{32}", record["scores"])
    assert re.fullmatch("[0-9a-f]{32}", record["targets"][0])
    assert set(record["versions"]) == {"python", "cranfield", "numpy", "scipy", "polars", "numba"}
    assert record["seconds"]["fitting"] >= 0


def test_the_definition_and_the_scores_are_read_again(written: Path, results: Results) -> None:
    table = tomllib.loads((written / "experiment.toml").read_text())
    assert read_table(table) == results.experiment
    scores = read_scores(str(written / "scores.parquet"))
    assert fingerprint_of(scores) == fingerprint_of(results.scores)
    assert len(pl.read_parquet(written / "scores.parquet")) == 3 * len(results.scores) * 2


def test_every_figure_of_the_page_and_the_tables_is_that_of_the_record(
    written: Path, results: Results
) -> None:
    value = f"{results.summary.row('kNN', 'nDCG@5').value:.4f}"
    for name in ("tables.tex", "report.html"):
        assert value.lstrip("0") in (written / name).read_text()
    assert results.data["ratings"] in (written / "report.html").read_text()


def test_nothing_undefined_spoils_the_record(tmp_path: Path) -> None:
    """Nobody has a relevant item, so that every score by these metrics is undefined."""
    made = execute(
        experiment_of(relevance=6, systems={"Popularity": "Popularity"}, metrics=["AP", "RR@5"])
    )
    write_results(made, tmp_path / "out")
    record = strict((tmp_path / "out" / "results.json").read_text())
    assert record["comparison"] is None
    assert record["systems"]["Popularity"]["AP"]["value"] is None
    verify(tmp_path / "out")


def test_results_are_verified(written: Path, results: Results) -> None:
    made = verify(written)
    assert isinstance(made, Results)
    assert fingerprint_of(made.scores) == fingerprint_of(results.scores)


@pytest.mark.parametrize("targets", ["all-items", "one-relevant, sampled(n=9)", "percentiles(m=3)"])
def test_a_single_system_over_folds_is_verified(tmp_path: Path, targets: str) -> None:
    made = execute(
        experiment_of(
            systems={"MF": "MF(factors=2, iterations=2)"},
            split="k-fold(folds=2)",
            ties="random",
            targets=targets,
        )
    )
    write_results(made, tmp_path / "out")
    verify(tmp_path / "out")


def change_json(folder: Path, change: Any) -> None:
    record = json.loads((folder / "results.json").read_text())
    change(record)
    (folder / "results.json").write_text(json.dumps(record))


def test_a_changed_score_is_detected(copied: Path) -> None:
    table = pl.read_parquet(copied / "scores.parquet")
    place = int((table["score"] > 0).arg_true()[7])
    nudged = table["score"].to_list()
    nudged[place] = math.nextafter(nudged[place], 1.0)
    raised = table.with_columns(pl.Series("score", nudged))
    raised.write_parquet(copied / "scores.parquet")
    with pytest.raises(FingerprintMismatch, match=r"scores\.parquet"):
        verify(copied)


@pytest.mark.parametrize("content", [b"", b"PAR1 not really", None])
def test_scores_that_are_no_scores_are_told(copied: Path, content: bytes | None) -> None:
    place = copied / "scores.parquet"
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    with pytest.raises(CranfieldError, match=r"scores\.parquet"):
        verify(copied)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("seed = 3", "seed = 4", "seed"),
        ("user-kNN(k=5, ", "user-kNN(k=6, ", "decisions.systems.kNN"),
        ('family = "metric"', 'family = "all"', "comparison"),
        ("A title", "Another", "title"),
    ],
)
def test_a_changed_definition_is_detected(copied: Path, old: str, new: str, where: str) -> None:
    text = (copied / "experiment.toml").read_text()
    assert old in text
    (copied / "experiment.toml").write_text(text.replace(old, new))
    with pytest.raises(Unverified, match=where):
        verify(copied)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda r: r["systems"]["kNN"]["P@5"].update(value=0.9), r"systems\.kNN\.P@5\.value"),
        (lambda r: r["comparison"]["pairs"][0].update(p_value=0.0), "comparison.pairs"),
        (lambda r: r["data"].update(users=5), "data.users"),
        (lambda r: r.update(seed=9), "seed"),
        (lambda r: r.update(targets=[]), "targets"),
        (lambda r: r.pop("title"), "title"),
        (lambda r: r.update(more=1), "more"),
    ],
)
def test_a_changed_record_is_detected(copied: Path, change: Any, where: str) -> None:
    change_json(copied, change)
    with pytest.raises(Unverified, match=where):
        verify(copied)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "5", "{}", '{"scores": 5}', '{"base": 5}', '{"base": {}}', '"\\ud800"'],
)
def test_a_record_that_is_none_is_told(copied: Path, content: str) -> None:
    (copied / "results.json").write_text(content)
    with pytest.raises(UnreadableFile, match=r"results\.json"):
        verify(copied)


@pytest.mark.parametrize("name", ["results.json", "experiment.toml"])
def test_a_missing_part_is_told(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(MissingFile, match=name):
        verify(copied)


def test_a_study_is_written_and_verified(studied: StudyResults, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_results(studied, folder)
    assert {path.name for path in folder.iterdir()} == FILES | {"designs.parquet"}
    record = strict((folder / "results.json").read_text())
    assert record["verdict"] == studied.conclusion.verdict.sentence
    assert record["base"]["seed"] == 0
    assert record["conclusion"]["tried"] == 4
    assert record["conclusion"]["verdict"]["badge"] == studied.conclusion.verdict.badge
    assert pl.read_parquet(folder / "designs.parquet").equals(studied.to_polars())
    assert "varied" in (folder / "methods.txt").read_text()
    made = verify(folder)
    assert isinstance(made, StudyResults)


def test_changed_designs_are_detected(studied: StudyResults, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_results(studied, folder)
    table = studied.to_polars()
    other = pl.element().struct.with_fields(pl.field("value") + 1e-12)
    table.with_columns(pl.col("values").list.eval(other)).write_parquet(folder / "designs.parquet")
    with pytest.raises(Unverified, match=r"designs\.parquet"):
        verify(folder)
    (folder / "designs.parquet").write_bytes(b"PAR1")
    with pytest.raises(UnreadableFile, match=r"designs\.parquet"):
        verify(folder)
    (folder / "designs.parquet").unlink()
    with pytest.raises(MissingFile, match=r"designs\.parquet"):
        verify(folder)


def test_a_file_in_the_place_of_the_folder_is_told(results: Results, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match="a file of that name is in the way"):
        write_results(results, tmp_path / "out")
    with pytest.raises(OutputError):
        write_results(results, tmp_path / "out" / "deeper")
    assert (tmp_path / "out").read_text() == "mine"


class Page(HTMLParser):
    """What a browser would see: the tags, and the text that is not inside scripts or styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.inside: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag if tag in ("script", "style") else self.inside

    def handle_endtag(self, tag: str) -> None:
        self.inside = None if tag == self.inside else self.inside

    def handle_data(self, data: str) -> None:
        if self.inside is None:
            self.text.append(data)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    systems = {name: f"user-kNN(k={place + 2})" for place, name in enumerate(HOSTILE)}
    folder = tmp_path_factory.mktemp("hostile") / "out"
    made = execute(experiment_of(systems=systems, title=HOSTILE[0] + HOSTILE[2]))
    write_results(made, folder)
    return folder


def test_hostile_names_stay_text_on_the_page(hostile: Path, written: Path) -> None:
    page, plain = (Page((folder / "report.html").read_text()) for folder in (hostile, written))
    shown = "".join(page.text)
    assert HOSTILE[0] in shown
    assert HOSTILE[4] in shown
    scripts = [tag for tag, _ in page.tags].count("script")
    assert scripts == [tag for tag, _ in plain.tags].count("script")
    attributes = {name for _, attrs in page.tags for name in attrs}
    assert not {name for name in attributes if name.startswith("on")}
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", (hostile / "report.html").read_text())


def test_hostile_names_stay_text_in_latex(hostile: Path) -> None:
    text = (hostile / "tables.tex").read_text()
    assert r"\$x\_1\$" in text
    assert r"\input{x}" not in text
    assert "50\\%" in text
    assert not re.search("[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\x7f\x9b]", text)
    cells = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert not re.search(r"(?<!\\)[#%~]", cells)


def test_hostile_names_are_verified(hostile: Path) -> None:
    verify(hostile)
    table = tomllib.loads((hostile / "experiment.toml").read_text())
    assert tuple(table["systems"]) == HOSTILE
    assert toml_text(table) == (hostile / "experiment.toml").read_text()


def test_the_paragraph_has_no_control_characters(hostile: Path) -> None:
    text = (hostile / "methods.txt").read_text()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
