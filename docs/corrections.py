"""Writes 6-corrections.md: which correction of popularity bias finds the truth, and where.

python docs/corrections.py [cm100k] [jester] [simulated]

Runs the studies that are named, which takes minutes, and notes their figures in
corrections.json; then writes the page and its charts from all figures there. CM100k and Jester
are found through $CRANFIELD_DATA.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any

from cranfield.base.files import json_text
from cranfield.base.options import parse
from cranfield.collection.source import source_of
from cranfield.validity.assessment import HeatMap
from cranfield.validity.study.truthfulness import Truthfulness
from cranfield.view.charts.assessment_plots import write_charts
from cranfield.workbench import inventory
from cranfield.workbench.definition.study.study import read_study
from cranfield.workbench.truth.corrections import (
    DESIGN,
    SYSTEMS,
    TEST_SHARE,
    corrections,
    study_of_worlds,
    truth_of_worlds,
)
from cranfield.workbench.truth.study import run_truth_study

HERE = Path(__file__).parent
FIGURES, PAGE = HERE / "corrections.json", HERE / "6-corrections.md"
METRIC = "P@10"
SEEDS = range(5)
"""Splits of CM100k."""
SKEWS, DEPENDENCES = (0.0, 1.5, 3.0), (0.0, 3.5, 8.0)
"""The grid of simulated worlds: exponents of popularity, and log odds of what is liked."""
WORLD = "simulated(users=300, items=400, ratings=9000, skew={skew:g}, mnar={mnar:g}, seed={seed})"
RULES = ((0.0, 0.0), (1.5, 0.0), (0.0, 4.0), (1.5, 4.0))
"""The skews and dependences by which Jester's block is made sparse."""

Row = dict[str, Any]
Figures = dict[str, Any]


def cm100k() -> Figures:
    """What people chose, held against what they were shown at random."""
    source = "subset(source=cm100k, column=known)"
    designs = corrections([source_of(source).read()], parse("metric", METRIC))
    table = {
        "data": source,
        "split": f"random(test_share={TEST_SHARE:g})",
        "judged_by": "random(file=cm100k, unknown=drop)",
        "relevance": 3,
        "unscored": "random",
        "systems": SYSTEMS,
        "metrics": [METRIC],
        "study": {"draws": 0, "vary": {"seed": list(SEEDS)}, "together": {DESIGN: designs}},
    }
    return _figures(run_truth_study(read_study(table, "cm100k"), metric=METRIC).truthfulness)


def jester() -> list[Figures]:
    """A complete block of real ratings, made sparse by known rules."""
    rule = "block(source=jester-1, density=0.2, skew={skew:g}, mnar={mnar:g}, seed={seed})"
    return [_cell(rule, skew, mnar, relevance=3.0, worlds=2) for skew, mnar in RULES]


def simulated() -> list[Figures]:
    """Simulated worlds over a grid of skew and of dependence on relevance."""
    return [
        _cell(WORLD, skew, mnar, relevance=4.0, worlds=5) for skew in SKEWS for mnar in DEPENDENCES
    ]


def _cell(rule: str, skew: float, mnar: float, relevance: float, worlds: int) -> Figures:
    """All designs on some worlds of one rule."""
    sources = {
        str(seed): source_of(rule.format(skew=skew, mnar=mnar, seed=seed)) for seed in range(worlds)
    }
    table = {"relevance": relevance, "metrics": [METRIC]}
    study = study_of_worlds(table, sources, known=True)
    found = truth_of_worlds(run_truth_study(study, metric=METRIC))
    return {"skew": skew, "mnar": mnar, **_figures(found)}


def _figures(found: Truthfulness) -> Figures:
    true = zip(found.designs.systems, found.truth.mean(axis=0).tolist(), strict=True)
    return {"designs": found.by_design().to_dicts(), "true_values": dict(true)}


PARTS: Mapping[str, Callable[[], Any]] = {
    "cm100k": cm100k,
    "jester": jester,
    "simulated": simulated,
}


def run(parts: Iterable[str]) -> Figures:
    """All figures, those of some parts computed anew."""
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    for part in parts:
        start = time.perf_counter()
        known[part] = PARTS[part]()
        sys.stderr.write(f"{part}: {time.perf_counter() - start:.0f} s\n")
        FIGURES.write_text(json_text(known), encoding="utf-8")
    return known


def rule_of(cell: Figures) -> str:
    """The rule of a cell, in a word."""
    return f"{cell['skew']:g}/{cell['mnar']:g}"


def by_design(cells: Sequence[Figures], figure: str) -> dict[str, list[float | None]]:
    """One figure of every design, cell by cell; the best on average first."""
    names = list(dict.fromkeys(row[DESIGN] for cell in cells for row in cell["designs"]))
    found = {
        name: [
            next((row[figure] for row in cell["designs"] if row[DESIGN] == name), None)
            for cell in cells
        ]
        for name in names
    }
    best_first = figure != "mean_distance"
    return dict(sorted(found.items(), key=lambda each: mean(each[1]), reverse=best_first))


def mean(values: Iterable[float | None]) -> float:
    """The mean of what is known; −1 where nothing is."""
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else -1.0


def chart(part: str, cells: Sequence[Figures]) -> None:
    """The agreement of designs with the truth, by rule, as colours."""
    taus = by_design(cells, "mean_tau")
    values = tuple(tuple(_number(each) for each in row) for row in taus.values())
    heat = HeatMap("mean τ with the truth, by skew/dependence", tuple(taus),
                   tuple(map(rule_of, cells)), values)  # fmt: skip
    write_charts([heat], HERE / "_static" / f"corrections-{part}.svg", "svg", part)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def text(value: float | None, digits: int = 2) -> str:
    """A figure as the page shows it."""
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, whose first column is text."""
    lines = [headings, [":--", *["--:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def designs_table(designs: Sequence[Row]) -> str:
    """Every design with its interval, the nearest to the truth first."""
    return table(
        ("design", "mean τ", "95 % interval", "right winner", "loss", "distance", "nearest in"),
        (
            (
                row[DESIGN],
                text(row["mean_tau"]),
                f"{text(row['tau_low'])} to {text(row['tau_high'])}",
                text(row["right_winner"]),
                text(row["mean_loss"]),
                text(row["mean_distance"], 3),
                text(row["nearest"]),
            )
            for row in designs
        ),
    )


def cells_table(cells: Sequence[Figures], figure: str, digits: int = 2) -> str:
    """One figure of every design, a column for each rule."""
    found = by_design(cells, figure)
    rows = ([name, *(text(each, digits) for each in row), text(mean(row), digits)]
            for name, row in found.items())  # fmt: skip
    return table(["design", *map(rule_of, cells), "mean"], rows)


def summary_table(figures: Figures) -> str:
    """Every design on all data: mean agreement, the lowest of any rule, mean distance."""
    parts = {"CM100k": [figures["cm100k"]], "Jester": figures["jester"],
             "simulated": figures["simulated"]}  # fmt: skip
    taus, away = (
        {part: by_design(cells, figure) for part, cells in parts.items()}
        for figure in ("mean_tau", "mean_distance")
    )
    rows = []
    for name in taus["simulated"]:
        known = [tau for part in taus.values() for tau in part.get(name, []) if tau is not None]
        means = [_mean_of(part.get(name, [])) for part in taus.values()]
        distances = [_mean_of(away[part].get(name, [])) for part in ("Jester", "simulated")]
        cells = [*map(text, means), text(min(known, default=None))]
        rows.append([name, *cells, *(text(each, 3) for each in distances)])
    heads = [*(f"τ {part}" for part in taus), "lowest τ", "distance Jester", "distance simulated"]
    return table(["design", *heads], rows)


def _mean_of(values: Sequence[float | None]) -> float | None:
    """The mean of what is known, if anything is."""
    return mean(values) if any(each is not None for each in values) else None


def page(figures: Figures) -> str:
    """The whole page."""
    template = (HERE / "corrections.md.in").read_text(encoding="utf-8")
    made = {
        "summary": summary_table(figures),
        "cm100k": designs_table(figures["cm100k"]["designs"]),
        "cm100k_truth": ", ".join(
            f"{name} {text(value, 3)}"
            for name, value in sorted(
                figures["cm100k"]["true_values"].items(), key=lambda each: -each[1]
            )
        ),
    }
    for part in ("jester", "simulated"):
        made[f"{part}_tau"] = cells_table(figures[part], "mean_tau")
        made[f"{part}_distance"] = cells_table(figures[part], "mean_distance", 3)
    for name, value in made.items():
        template = template.replace(f"@{name}@", value)
    return template


if __name__ == "__main__":
    inventory.load()
    every = run(sys.argv[1:])
    for each in ("jester", "simulated"):
        chart(each, every[each])
    PAGE.write_text(page(every), encoding="utf-8")
