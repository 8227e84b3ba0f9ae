"""The findings of valcarce2018 and valcarce2020 about metrics, with systems computed here.

All 21 systems on the authors' split of MovieLens 1M. Runs are taken from $CRANFIELD_RUNS
where it is set (see benchmarks/published_runs.py), and made anew otherwise.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("CRANFIELD_DATA", "CRANFIELD_PUBLISHED")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(os.environ.get(name) for name in NEEDED), reason=f"needs {' and '.join(NEEDED)}"
    ),
]


def on_the_page() -> list[tuple[str, str]]:
    """Every finding of docs/6-validity.md, and whether it is said to hold here."""
    text = (ROOT / "docs/6-validity.md").read_text("utf-8")
    table = text.partition("<!-- findings: begin -->")[2].partition("<!-- findings: end -->")[0]
    rows = [line.split(" | ") for line in table.splitlines() if "**" in line]
    return [(row[0].removeprefix("| "), row[2].strip("*")) for row in rows]


@pytest.fixture(scope="module")
def findings() -> Any:
    """The module that looks for findings."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import metric_findings

    return metric_findings


@pytest.fixture(scope="module")
def figures(findings: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What is computed from the runs, with ten samples of each size."""
    given = os.environ.get("CRANFIELD_RUNS")
    return findings.compute(Path(given) if given else tmp_path_factory.mktemp("runs"), 10)


@pytest.mark.parametrize(("text", "here"), on_the_page())
def test_a_finding_holds_as_far_as_the_page_says(
    findings: Any, figures: Any, text: str, here: str
) -> None:
    found = {each.text: each for each in findings.FINDINGS}[text].look(figures)
    assert found.holds == here, found.figures


def test_the_page_has_every_finding(findings: Any) -> None:
    assert [text for text, _ in on_the_page()] == [each.text for each in findings.FINDINGS]


@pytest.mark.parametrize("metric", ["P", "Recall", "F1", "nDCG"])
def test_deeper_cutoffs_are_more_discriminative(figures: Any, metric: str) -> None:
    shallow = min(figures.power[f"{metric}@5"], figures.power[f"{metric}@10"])
    assert figures.power[f"{metric}@100"] < shallow


@pytest.mark.parametrize("metric", ["P", "nDCG"])
def test_precision_and_ndcg_are_among_the_most_discriminative_and_robust(
    findings: Any, figures: Any, metric: str
) -> None:
    assert metric in findings.deep(figures.power)[-3:]
    assert metric in findings.deep(figures.areas["arithmetic", "ratings"])[:3]


def test_reciprocal_rank_is_among_the_least_robust_to_missing_ratings(
    findings: Any, figures: Any
) -> None:
    assert "RR" in findings.deep(figures.areas["arithmetic", "ratings"])[-4:]


def test_that_reciprocal_rank_stands_missing_large_users_best_does_not_hold_here(
    figures: Any,
) -> None:
    areas = figures.areas["arithmetic", "large-users"]
    assert areas["RR@100"] < min(areas["P@100"], areas["nDCG@100"])


@pytest.mark.parametrize("metric", ["P@100", "nDCG@100"])
def test_fine_geometric_means_help_when_large_users_are_missing(figures: Any, metric: str) -> None:
    plain = figures.areas["arithmetic", "large-users"][metric]
    assert figures.fine["geometric", "large-users"][metric] > plain
