"""Reports to test with: made-up scores, designs and all that is shown of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl

import cranfield.scoring.aggregations
import cranfield.scoring.metrics
import cranfield.significance.corrections
import cranfield.significance.paired_tests  # noqa: F401
from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.scoring.coverage import ListFacts
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import summarise
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests import StudentT
from cranfield.validity.assessment import Assessment, Chart, HeatMap, Line
from cranfield.validity.study.designs import Designs
from cranfield.view.report_content import EvaluationContent, ReportContent

SYSTEMS = ("ItemKNN", "ALS", "Popularity")
HOSTILE = ("<script>alert(1)</script>", "</script>", '"onload="alert(1)')
"""Names that would run on a page which does not escape them."""

ANSWERS: dict[str, tuple[str | float, ...]] = {
    "split.test_share": (0.1, 0.2, 0.4),
    "targets": ("full", "condensed"),
    "metric": ("nDCG@10", "P@10"),
    "gain": ("linear", "exponential"),
}


def made_evaluation(
    systems: tuple[str, ...] = SYSTEMS, *, users: int = 120, seed: int = 1
) -> EvaluationContent:
    """Scores of users by two metrics, each system a little worse than the one before it."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(1, 2, users)
    lift = -0.04 * np.arange(len(systems))[:, None, None]
    values = np.clip(ease + lift + rng.normal(0, 0.12, (len(systems), 2, users)), 0, 1)
    values[:, 1] = np.round(values[:, 1], 1)
    covered = np.ones((len(systems), users), dtype=bool)
    covered[-1, : users // 10] = False
    scores = Scores(
        Topics(np.arange(users, dtype=np.int32)),
        Ids(pl.Series([f"u{number:04}" for number in range(users)])),
        systems,
        ("nDCG@10", "P@10"),
        values,
        covered,
    )
    facts = {
        system: ListFacts(
            depth=10, user_coverage=float(covered[place].mean()), coverage=0.97 - 0.1 * place,
            tied=0.0, unjudged=0.62,
        )
        for place, system in enumerate(systems)
    }  # fmt: skip
    alone = len(systems) == 1
    return EvaluationContent(
        scores=scores,
        summary=summarise(scores, lists=facts),
        comparison=None if alone else compare(scores, ComparisonChoice(test=StudentT())),
    )


def made_designs(
    systems: tuple[str, ...] = SYSTEMS,
    answers: dict[str, tuple[str | float, ...]] | None = None,
    *,
    joint: bool = True,
    leave_out: int = 1,
    seed: int = 3,
) -> Designs:
    """A full cross in which condensed targets and small test shares favour the second system.

    A gain applies to nDCG only. The last ``leave_out`` designs were not tried.
    """
    given = answers or ANSWERS
    rows: list[dict[str, Any]]
    rows = [dict(zip(given, row, strict=True)) for row in product(*given.values())]
    if "gain" in given:
        rows = [{**r, "gain": r["gain"] if r["metric"] == "nDCG@10" else None} for r in rows]
        rows = list({tuple(row.items()): row for row in rows}.values())
    rows = rows[: len(rows) - leave_out]
    rng = np.random.default_rng(seed)
    values = np.array([[_reached(row, place) for place in range(len(systems))] for row in rows])
    values = values + rng.normal(0, 0.004, values.shape)
    pairs = [(a, b) for a in range(len(systems)) for b in range(a + 1, len(systems))]
    gaps = np.array([[value[a] - value[b] for a, b in pairs] for value in values])
    effects = 4 * gaps
    p_values = np.clip(np.exp(-25 * np.abs(effects)), 1e-5, 1)
    adjusted = np.minimum(p_values * 4, 1)
    return Designs(
        pl.DataFrame(rows, infer_schema_length=None), systems, values, effects, p_values,
        np.full(len(rows), 943), base=0, joint=adjusted.min(axis=0) if joint else None,
        adjusted=adjusted if joint else None, draws=1000 if joint else 0,
    )  # fmt: skip


def _reached(row: dict[str, Any], place: int) -> float:
    favour = {"condensed": -0.09}.get(row.get("targets", ""), 0.0) + 0.1 * row["split.test_share"]
    scale = 0.3 if row.get("metric", "").startswith("nDCG") else 0.2
    gain = {"exponential": 0.02}.get(row.get("gain") or "", 0.0)
    return scale + (0.02 + favour + gain if place == 0 else -0.1 * (place - 1))


def made_assessment() -> Assessment:
    """An assessment with a table, lines and a heat map."""
    table = pl.DataFrame({"metric": ["nDCG@10", "P@10"], "dp": [0.51234, float("nan")]})
    curve = Chart("p-values", "% of the test set", "τ", (Line("P@10", (100, 50), (1.0, 0.5)),))
    heat = HeatMap("τ of metrics", ("a", "b"), ("a", "b"), ((1.0, -0.25), (-0.25, 1.0)))
    return Assessment(
        "correlation", "P@10 is best.", {"power": table}, {}, charts=(curve, heat),
        notes=("few pairs.",), words={"dp": "DP"},
    )  # fmt: skip


def made_report(
    systems: tuple[str, ...] = SYSTEMS, *, study: bool = True, **given: Any
) -> ReportContent:
    """A report on a run, or on a study of made-up designs."""
    known: dict[str, Any] = {
        "title": "Is ItemKNN better than ALS on made-up data?",
        "verdict": f"{systems[0]} scores significantly more in most designs, but not in all.",
        "evidence": ("It wins 14 of 17 designs.", "Condensed rankings turn the order round."),
        "decisions": (
            ("A1", "data", "made-up, 943 users"),
            ("A2", "split", "random, test share 0.2"),
            ("B1", "targets", "full rankings; condensed rankings"),
            ("C2", "metrics", "nDCG@10, P@10"),
            ("D", "comparison", "t-test, Holm, α = 0.05"),
        ),
        "methods": "We split the ratings at random, keeping 20 % for the test.",
        "facts": {"data": "6f1c…", "seed": "42", "cranfield": "0.1.0"},
        "base": made_evaluation(systems),
        "designs": made_designs(systems) if study else None,
        "assessments": (made_assessment(),),
    }
    return ReportContent(**{**known, **given})
