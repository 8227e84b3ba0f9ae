"""What metrics are worth, computed from the runs of the 21 systems on MovieLens 1M.

Discriminative power, correlation and robustness of nine metrics at five cut-offs; see
metric_findings.py for what is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import robustness
from published_runs import make_runs

import cranfield as cf
from cranfield.base.options import parse
from cranfield.scoring.scores import Scores
from cranfield.validity.assessment import Assessment
from cranfield.validity.criteria import Correlation, DiscriminativePower, Robustness
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import p_values_from_scores
from cranfield.validity.meta.system_values import values_from_scores

NAMES = ("P", "Recall", "F1", "AP", "nDCG", "RR", "ERR", "Bpref", "InfAP")
CUTOFFS = (5, 10, 20, 50, 100)
FINE = 1e-5
"""What trec_eval takes for scores of 0 in a geometric mean; ours is 0.01 by default."""

Values = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What was computed, by metric with its cut-off.

    ``power`` is DP, ``alike`` τ-b of two metrics, ``areas`` the area under τ by mean and
    scenario, ``fine`` those of geometric means that add less to scores, ``down_to`` the
    share of the test set down to which τ ≥ 0.9.
    """

    power: Values
    shares: Values
    alike: dict[tuple[str, str], float]
    areas: dict[tuple[str, str], Values]
    fine: dict[tuple[str, str], Values]
    down_to: dict[tuple[str, str], Values]
    took: str


def deep(values: Values, names: Iterable[str] = NAMES) -> list[str]:
    """Metrics at 100 without their cut-off, the highest value first."""
    return sorted(names, key=lambda name: -values[f"{name}@100"])


def compute(folder: Path, samples: int) -> Figures:
    """All figures, from the runs of a folder; a fifth of the samples for fine geometric means."""
    found = robustness.hits_of(folder)
    study, took = robustness.assess(found, Robustness(samples=samples))
    random = Robustness(scenarios=("ratings", "popular-items"), samples=samples)
    metrics = tuple(parse("metric", f"nDCG@{n}") for n in CUTOFFS[:-1])
    shallow, _ = robustness.assess(replace(found, metrics=metrics), random)
    finer = Robustness(samples=max(samples // 5, 1), epsilon=FINE)
    fine, _ = robustness.assess(found, finer)
    scores = scores_of(folder)
    power = _power(scores)
    return Figures(
        power=dict(zip(power["metric"], power["dp"], strict=True)),
        shares=dict(zip(power["metric"], power["share_below_alpha"], strict=True)),
        alike=_alike(scores),
        areas=_by_scenario("area", study, shallow),
        fine=_by_scenario("area", fine),
        down_to=_by_scenario("stands_to", study, shallow),
        took=took,
    )


def scores_of(folder: Path) -> Scores:
    """The scores of all runs by nine metrics at five cut-offs."""
    metrics = [f"{name}@{n}" for name in NAMES for n in CUTOFFS]
    test, train = folder / "test.parquet", folder / "train.parquet"
    runs = {name: str(place) for name, place in make_runs(folder).items()}
    return cf.evaluate(test, runs, metrics, relevance=4, train=train).scores


def _power(scores: Scores) -> pl.DataFrame:
    evidence = Evidence(p_values=p_values_from_scores(scores, parse("test", "permutation")))
    return next(iter(DiscriminativePower().assess(evidence).tables.values()))


def _alike(scores: Scores) -> dict[tuple[str, str], float]:
    values = values_from_scores(scores, parse("aggregation", "mean"))
    orders = Correlation().assess(Evidence(values=values)).tables["system_orders"]
    return {(metric, other): value for metric, other, value in orders.rows()}


def _by_scenario(name: str, *made: Assessment) -> dict[tuple[str, str], Values]:
    found: dict[tuple[str, str], Values] = {}
    for each in made:
        for mean, metric, scenario, value in each.tables[name].rows():
            found.setdefault((mean, scenario), {})[metric] = value
    return found
