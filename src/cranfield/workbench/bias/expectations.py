"""What was measured beside what was to be expected, and who recommends what is popular."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.collection.statistics.statistics import Statistics
from cranfield.collection.target_choice import parse_targets
from cranfield.validity.assessment import Assessment
from cranfield.validity.bias.precision_bounds import (
    BOUNDS_WORDS,
    PrecisionBounds,
    bounds_table,
    precision_bounds,
)
from cranfield.workbench.bias.case import BiasCase
from cranfield.workbench.bias.protocols import ProtocolRun, row_of
from cranfield.workbench.bias.theory import one_relevant_bounds
from cranfield.workbench.execution.experiment.tendency import tendency
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput

STANDARD_ERRORS = 3
"""How far from its expectation the measured precision of Random may be."""


def assess_expectations(
    case: BiasCase, runs: Mapping[str, ProtocolRun], pipeline: Pipeline
) -> Assessment:
    """What was measured beside what was to be expected, and the bounds of 1R."""
    bounds = run_bounds(case, pipeline)
    table = pl.DataFrame([_expected_row(case, name, run) for name, run in runs.items()])
    off = table.filter(pl.col("random_off").abs() > STANDARD_ERRORS)["protocol"].to_list()
    broken = [system for system, each in bounds.items() if not each.holds]
    widest = max((each.width for each in bounds.values()), default=nan)
    chance = (
        f"{case.random} is within {STANDARD_ERRORS} standard errors of its expected precision "
        f"under all {len(table)} protocols."
        if not off
        else f"{case.random} is more than {STANDARD_ERRORS} standard errors from its expected "
        f"precision under {', '.join(off)}."
    )
    lemma = (
        f"1R precision is within its bounds by AR for all {len(bounds)} systems; the bounds are "
        f"up to {widest:.4f} apart."
        if not broken
        else f"1R precision is outside its bounds by AR for {', '.join(broken)}: the measurement "
        f"is wrong."
    )
    return Assessment(
        criterion="bias: what was to be expected",
        reading=f"{chance} {lemma}",
        tables={
            "expected_precision": table,
            "one_relevant_bounds": bounds_table(bounds),
            "one_relevant_bounds_of_collection": pl.DataFrame(
                [row for name in _ONE_RELEVANT for row in _bound_rows(case, name, runs[name])]
            ),
        },
        decisions={
            "bounds": {"targets": [_TOGETHER.format(n=case.choice.sample), case.one_relevant]}
        },
        words=_words(case),
        details={
            "theory": pl.DataFrame([{"protocol": n, **vars(r.theory)} for n, r in runs.items()])
        },
    )


def _expected_row(case: BiasCase, name: str, run: ProtocolRun) -> dict[str, object]:
    random, popular, theory = (
        row_of(case, run, case.random),
        row_of(case, run, case.popularity),
        run.theory,
    )
    # Few hits by chance spread less than chance does: the larger error counts.
    error = np.fmax(random.standard_error, theory.random_error)
    return {
        "protocol": name,
        "target_size": theory.size,
        "relevance_ratio": theory.ratio,
        "random_measured": random.value,
        "random_expected": theory.random,
        "random_off": (random.value - theory.random) / error if error > 0 else 0.0,
        "random_by_collection": theory.random_by_collection,
        "popularity_measured": popular.value,
        "popularity_expected": theory.popularity,
        "popularity_by_collection": theory.popularity_by_collection,
    }


def _words(case: BiasCase) -> dict[str, str]:
    """What readers see in place of the columns of what was to be expected."""
    of_systems = {
        f"{key}_{column}": f"{name} {column.replace('_', ' ')}"
        for key, name in (("random", case.random), ("popularity", case.popularity))
        for column in ("measured", "expected", "by_collection")
    }
    return {
        **BOUNDS_WORDS,
        "one_relevant_bounds": "1R between its bounds",
        "one_relevant_bounds_of_collection": "1R between its bounds by the collection",
        "lower_as_printed": "lower as printed",
        "upper_as_printed": "upper as printed",
        "expected_precision": f"{case.precision} expected and measured",
        "target_size": "t",
        "relevance_ratio": "ρ",
        "random_off": "off by (s.e.)",
        **of_systems,
    }


_ONE_RELEVANT = ("1R", "U1R")
"""The protocols of which bellogin2017 has bounds by the collection (§5.1, §6.2)."""


def _bound_rows(case: BiasCase, name: str, run: ProtocolRun) -> list[dict[str, object]]:
    """The bounds of both baselines, of Popularity also as printed."""
    bounds = one_relevant_bounds(run.results.experiment, run.data)
    printed = {"random": (nan, nan), "popularity": bounds["printed"]}
    systems = {"random": case.random, "popularity": case.popularity}
    return [
        {
            "protocol": name,
            "system": system,
            "lower_bound": bounds[which][0],
            "measured": row_of(case, run, system).value,
            "upper_bound": bounds[which][1],
            "lower_as_printed": printed[which][0],
            "upper_as_printed": printed[which][1],
        }
        for which, system in systems.items()
    ]


_TOGETHER = "test-items, sampled(n={n})"
"""AR with the same candidates and N_u as 1R."""


def run_bounds(case: BiasCase, pipeline: Pipeline) -> dict[str, PrecisionBounds]:
    """For each system, 1R precision and its bounds by AR, over all folds together."""
    conditions = [
        RankingCondition(
            experiment=replace(case.experiment, targets=parse_targets(targets)),
            metrics=(case.precision,),
        )
        for targets in (_TOGETHER.format(n=case.choice.sample), case.one_relevant)
    ]
    together, apart = _LastOutput({}), _LastOutput({})
    found: dict[str, PrecisionBounds] = {}
    for fold in range(len(case.data.folds)):
        data = replace(case.data, folds=case.data.folds[fold : fold + 1])
        pipeline.score(data, conditions, {0: together, 1: apart})
        for name in case.experiment.names:
            hits = together.outputs[name].hits, apart.outputs[name].hits
            each = precision_bounds(*hits, case.choice.cutoff)
            found[name] = found[name] + each if name in found else each
    return found


@dataclass(frozen=True)
class _LastOutput:
    """An observer that holds the last output of each system."""

    outputs: dict[str, SystemOutput]

    def see(self, output: SystemOutput) -> None:
        self.outputs[output.system] = output


def assess_tendency(case: BiasCase, runs: Mapping[str, ProtocolRun]) -> Assessment:
    """How far each system recommends what is popular, and whether that is liked more."""
    lists = runs["AR"].results.lists
    by_system = {name: list(lists[name].values()) for name in case.experiment.names}
    statistics = Statistics(case.ratings, case.experiment.relevance)
    return tendency(by_system, statistics, case.choice.cutoff, "test-items")
