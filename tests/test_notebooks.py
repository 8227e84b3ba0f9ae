"""The notebooks in examples/ run, show what they should, and say what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from notebooks import Played, cells_of, play

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.md"))
NAMES = (
    "choose-a-design", "cluster", "from-csv-to-table", "own-model", "own-runs", "trust-a-metric",
    "tuning-fairly",
)  # fmt: skip


def test_there_are_seven() -> None:
    assert tuple(path.stem for path in NOTEBOOKS) == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_block_of_code_is_a_cell(path: Path) -> None:
    fences = re.findall(r"^```(\S.*)$", path.read_text("utf-8"), flags=re.MULTILINE)
    assert fences == ["{code-cell} ipython3"] * len(cells_of(path))
    assert len(fences) >= 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_code_fits_the_page(path: Path) -> None:
    """A line of more than 92 characters would have to be scrolled."""
    assert all(len(line) <= 92 for code in cells_of(path) for line in code.splitlines())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_link_leads_to_a_file(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)", path.read_text("utf-8"))
    assert links
    for link in links:
        assert (path.parent / link).exists(), link


def seen_in_jupyter(value: Any) -> bool:
    """Whether there is HTML or a picture of it."""
    views = (getattr(value, name, lambda: None)() for name in ("_repr_html_", "_repr_png_"))
    return any(views)


def leads(comparison: Any, metric: str) -> dict[tuple[str, str], bool]:
    """Whether each lead is significant, by the one that is ahead and the other."""
    pairs = [pair for pair in comparison.pairs if pair.metric == metric]
    ahead = [(p.first, p.second) if p.difference > 0 else (p.second, p.first) for p in pairs]
    return {lead: pair.significant for lead, pair in zip(ahead, pairs, strict=True)}


def check_the_way_to_a_table(made: Played) -> None:
    for metric in ("nDCG@10", "P@10", "RR"):
        found = leads(made.names["results"].comparison, metric)
        assert all(found["PureSVD", other] for other in ("kNN", "EASE", "Popularity"))
        assert found["kNN", "EASE"] == (metric != "RR")
    assert [value for value in made.shown if isinstance(value, bool)] == [True]


def check_runs(made: Played) -> None:
    names = made.names
    row = names["evaluation"].summary.row("best rated", "nDCG@10")
    assert row.value < row.random
    assert all("share their score" in note for note in names["evaluation"].notes)
    half = names["half"].set_index("system").loc["half"]
    assert half["covered"] < 200
    assert half["forgiving"] > 1.9 * half["full"]


def check_a_model(made: Played) -> None:
    assert list(made.names["failed"]) == ["unfinished"]
    assert len({row.system for row in made.names["results"].summary.rows}) == 5


def check_metrics(made: Played) -> None:
    agreement, power = (
        value.to_pandas()
        for value in made.shown
        if getattr(value, "criterion", None) in ("correlation", "discriminative-power")
    )
    assert agreement.set_index(["metric", "other"])["value"]["nDCG@10", "AP@100"] == 1
    assert power.set_index("metric")["dp"].idxmax() == "P@10"
    assert made.shown[-1].get_suptitle().startswith("popular-items")
    areas = made.names["found"].to_pandas().set_index("scenario")["value"]
    assert (areas["ratings"] > 0.85).all()
    assert (areas["popular-items"] < 0.2).all()


def check_designs(made: Played) -> None:
    names = made.names
    sentence = str(names["study"].conclusion.verdict)
    assert "PureSVD beats kNN mostly with design = condensed" in sentence
    assert 'kNN beats PureSVD with design = "all items"' in sentence
    answers = names["truth"].to_pandas("best_answers").set_index("answer")
    assert answers.loc["uniform", "right_winner"] == 1
    assert answers.loc["all items", "right_winner"] < 0.5
    assert abs(answers.loc["condensed", "mean_tau"]) < 0.2


def check_tuning(made: Played) -> None:
    untuned, tuned = (
        {row.system: row.value for row in made.names[name].summary.rows}
        for name in ("untuned", "tuned")
    )
    assert untuned["CHI2"] > 2 * untuned["PureSVD"]
    assert tuned["PureSVD"] > tuned["CHI2"]
    assert "Tuning decided it" in str(made.names["study"].conclusion.verdict)
    assert "tune on test data" in str(made.names["varied"].conclusion.verdict)


def check_workers(made: Played) -> None:
    assert [value for value in made.shown if isinstance(value, bool)] == [True]
    assert sum(worker["tasks"] for worker in made.names["shared"].base.workers) >= 1
    assert made.shown[-1] == 6


CLAIMS = {
    "choose-a-design": check_designs,
    "cluster": check_workers,
    "from-csv-to-table": check_the_way_to_a_table,
    "own-model": check_a_model,
    "own-runs": check_runs,
    "trust-a-metric": check_metrics,
    "tuning-fairly": check_tuning,
}


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow) if each == "cluster" else each for each in NAMES],
)
def test_a_notebook_runs_shows_views_and_says_what_is_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test for each, so that a notebook runs once."""
    monkeypatch.chdir(tmp_path)
    made = play(ROOT / "examples" / f"{name}.md")
    views = [value for value in made.shown if "cranfield" in type(value).__module__]
    assert len(views) >= 2
    assert all(seen_in_jupyter(value) for value in views)
    CLAIMS[name](made)
