"""Every figure of a report, a LaTeX table and a file of results is that of the Results."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.view.page.report import render_report
from cranfield.view.pairs import higher_first, in_order
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.systems.conditions import list_depth
from cranfield.workbench.results.files import latex_of, report_content, write_results
from cranfield.workbench.results.results import Results, fingerprint_of
from cranfield.workbench.results.study_results import StudyResults
from experiment_cases import experiment_of, study_of
from latex_reader import rows_of as latex_rows
from page_reader import PageReader, read_page

CASES: dict[str, dict[str, Any]] = {
    "means": {},
    "medians": {"aggregation": "median", "comparison": {}},
    "geometric means": {"aggregation": "geometric-mean", "comparison": {}},
    "folds": {"split": "k-fold(folds=2)", "coverage": "common", "undefined": "zero"},
    "lists": {"metrics": ["P@5", "Gini@5", "MeanPopularity@5"], "targets": "condensed"},
}


@cache
def results_of(name: str) -> Results:
    return execute(experiment_of(**{"metrics": ["nDCG@5", "P@5"], **CASES[name]}))


@cache
def page_of(name: str) -> PageReader:
    return read_page(render_report(report_content(results_of(name))))


def rows_of(page: PageReader, caption: str) -> list[list[str]]:
    """The cells of the table under a caption that starts so, row by row, with its headings."""
    rows: list[list[str]] = []
    within = False
    for each in page.elements:
        if each.name == "caption":
            within = each.text.startswith(caption)
        elif within and each.name == "tr":
            rows.append([])
        elif within and each.name in ("td", "th"):
            rows[-1].append(each.text)
    return rows


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


@pytest.mark.parametrize("name", CASES)
def test_the_summary_on_the_page_is_that_of_the_results(name: str) -> None:
    made = results_of(name)
    headings, *rows = rows_of(page_of(name), "All figures of the summary")
    assert len(rows) == len(made.summary.rows)
    for cells in rows:
        told = dict(zip(headings, cells, strict=True))
        metric = next(name for name in made.scores.metrics if made.label(name) == told["metric"])
        row = made.summary.row(told["system"], metric)
        assert told["value"] == f"{row.value:.4f}"
        assert told["full average"] == f"{row.full:.4f}"
        assert told["users"] == str(row.users)
        assert told["topics evaluated"] == f"{row.evaluated} of {row.topics}"
        if told["95 % interval"] != "–":
            low, high = map(number, told["95 % interval"].split(" to "))
            assert low - 1e-4 <= row.value <= high + 1e-4
        else:
            assert name in ("medians", "geometric means")


@pytest.mark.parametrize("name", CASES)
def test_pairs_on_the_page_are_those_of_the_results(name: str) -> None:
    results = results_of(name)
    assert results.comparison is not None
    headings, *rows = rows_of(page_of(name), "Every pair of systems by every metric")
    pairs = [higher_first(pair) for pair in in_order(results.comparison.pairs, results.kinds)]
    assert len(rows) == len(pairs)
    for cells, pair in zip(rows, pairs, strict=True):
        told = dict(zip(headings, cells, strict=True))
        assert told["metric"] == results.label(pair.metric)
        assert number(told["difference"]) == pytest.approx(pair.difference, abs=5e-5)
        assert (told["reading"] == "significant") is pair.significant
        counts = f"{pair.wins} / {pair.ties} / {pair.losses}"
        assert told["users + / = / −"] == ("–" if name == "medians" else counts)


@pytest.mark.parametrize("name", CASES)
def test_latex_has_the_values_of_the_results(name: str) -> None:
    made = results_of(name)
    rows = latex_rows(latex_of(report_content(made)).partition("\n\n")[0])
    for system in made.experiment.names:
        found = next(row for row in rows if system in row)
        shown = found[found.index(system) + 1 :]
        cells = [re.sub(r"\\textbf\{|\}|\$\^.*", "", cell) for cell in shown]
        values = [made.summary.row(system, metric).value for metric in made.scores.metrics]
        beyond = list(made.lists.get(system, {}).values())
        assert cells == [f"{value:.4f}" for value in (*values, *beyond)]


def test_files_hold_the_results_and_the_experiment(tmp_path: Path) -> None:
    made = results_of("lists")
    write_results(made, tmp_path / "out")
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    assert record["scores"] == fingerprint_of(made.scores)
    for system in made.experiment.names:
        assert record["systems"][system]["P@5"]["value"] == made.summary.row(system, "P@5").value
        assert record["systems"][system]["Gini@5"]["value"] == made.lists[system]["Gini@5"]
    table = tomllib.loads((tmp_path / "out" / "experiment.toml").read_text())
    assert read_table(table) == made.experiment
    scores = pl.read_parquet(tmp_path / "out" / "scores.parquet")
    assert len(scores) == len(made.scores) * len(made.experiment.names)


def test_no_two_scores_have_the_same_name() -> None:
    names = {fingerprint_of(results_of(name).scores) for name in ("means", "folds", "lists")}
    assert len(names) == 3
    # averages and tests come after the scores
    assert fingerprint_of(results_of("means").scores) == fingerprint_of(
        results_of("medians").scores
    )


def test_lists_are_looked_at_as_deep_as_the_deepest_metric() -> None:
    assert list_depth(experiment_of(metrics=["P@3", "nDCG@7", "AP"])) == 7
    assert list_depth(experiment_of(metrics=["AP", "Gini@4"])) == 4
    assert list_depth(experiment_of(metrics=["AP"])) == 10


@cache
def study() -> StudyResults:
    vary = {"cutoff": [3, 5], "relevance": [3, 4]}
    return execute_study(study_of({"vary": vary, "draws": 50}, metrics=["P@5"]))


def test_a_study_on_a_page_tells_its_counts() -> None:
    made = study()
    page = read_page(render_report(report_content(made)))
    headings, *rows = rows_of(page, "Every pair of systems over all designs")
    assert headings[0] == "pair"
    for cells, pair in zip(rows, made.conclusion.pairs, strict=True):
        tested = pair.joint_p is not None
        assert cells[0] == f"{pair.first} − {pair.second}"
        assert cells[1:6] == [
            f"{pair.wins} ({pair.significant_wins})",
            str(pair.established_wins) if tested else "–",
            f"{pair.losses} ({pair.significant_losses})",
            str(pair.established_losses) if tested else "–",
            str(pair.ties),
        ]
    varied = rows_of(page, "Decisions that were varied, in 4 designs")
    assert varied[1:] == [["cutoff", "3; 5"], ["relevance", "3; 4"]]
    assert made.conclusion.verdict.sentence in page.elements[0].text
