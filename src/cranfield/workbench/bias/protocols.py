"""The protocols that reward popularity beside those that neutralise it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from math import isnan, nan

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.options import parse
from cranfield.scoring.summary import Row
from cranfield.validity.assessment import Assessment
from cranfield.validity.bias.advantage import Advantage
from cranfield.workbench.bias.case import BiasCase, percent
from cranfield.workbench.bias.theory import Theory, theory_of
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.experiment.experiments import execute_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.results import Results

_NEUTRAL = {"AR": "UAR", "1R": "P1R"}
"""The neutral protocol that is set against each biased one."""
_WORDS = {
    "remaining_bias_by_protocol": "what is left of the popularity bias",
    "above_chance": "above chance",
    "best_system": "best system",
    "best_above_chance": "its distance",
    "remaining_bias": "remaining bias",
    "leads": "leads once popularity is neutralised",
    "from_protocol": "from",
    "to_protocol": "to",
    "lead_before": "lead before",
    "p_before": "p before",
    "lead_after": "lead after",
    "p_after": "p after",
    "share_lost": "share lost",
    "values": "values by protocol",
}
_TENDENCIES = ("MeanPopularity", "Gini", "PopularityCorrelation")


@dataclass(frozen=True, eq=False)
class ProtocolRun:
    """What one protocol measured, and what the theory had to say of it."""

    results: Results
    theory: Theory
    data: PreparedData


def run_protocols(case: BiasCase, pipeline: Pipeline) -> dict[str, ProtocolRun]:
    """Run every protocol of a case; AR also looks at the lists."""
    found: dict[str, ProtocolRun] = {}
    for design in Universe(case.protocol_study()).designs:
        name = str(design.answers["protocol"])
        experiment = replace(design.experiment, metrics=case.experiment.metrics)
        if name == "AR":
            seen = tuple(
                parse("run-metric", f"{each}@{case.choice.cutoff}") for each in _TENDENCIES
            )
            experiment = replace(experiment, run_metrics=seen)
        data = pipeline.prepare(experiment)
        results = execute_prepared(experiment, data, pipeline)
        found[name] = ProtocolRun(results, theory_of(experiment, data), data)
    return found


def assess_neutralised(case: BiasCase, runs: Mapping[str, ProtocolRun]) -> Assessment:
    """What every protocol says of every system, and how much of it is popularity."""
    remaining = _remaining(case, runs)
    return Assessment(
        criterion="bias: popularity neutralised",
        reading=" ".join([*_lead_sentences(case, runs), _remaining_sentence(case, remaining)]),
        tables={
            "values": _values(case, runs),
            "remaining_bias_by_protocol": remaining,
            "leads": _advantages(case, runs),
        },
        decisions={
            "protocols": [{"protocol": name, **sets} for name, sets in case.protocols.items()]
        },
        notes=(*case.notes, _OTHER_SPLIT),
        words={**_WORDS, "popularity": case.popularity},
        across={"values": "system"},
    )


_OTHER_SPLIT = (
    "A lead is in units of the way from chance to the best ranking of the same targets. UAR "
    "and U1R also test other ratings than AR and 1R do, so part of a change may be theirs."
)


def row_of(case: BiasCase, run: ProtocolRun, system: str) -> Row:
    """What a system reached by P@n under a protocol."""
    return run.results.summary.row(system, str(case.precision))


def _values(case: BiasCase, runs: Mapping[str, ProtocolRun]) -> pl.DataFrame:
    """What every system reached by every metric, and what chance does."""
    return pl.DataFrame(
        [
            {
                "metric": metric,
                "protocol": name,
                "chance": run.results.summary.row(case.random, metric).random,
                "system": system,
                "value": run.results.summary.row(system, metric).value,
            }
            for metric in map(str, case.experiment.metrics)
            for name, run in runs.items()
            for system in case.experiment.names
        ]
    )


def _remaining(case: BiasCase, runs: Mapping[str, ProtocolRun]) -> pl.DataFrame:
    r"""How far Popularity is above chance, and as a share of the best system's distance.

        bias = (value(Popularity) − random) / (max_s value(s) − random)

    0 if Popularity is no better than chance, 1 if nothing is better than Popularity.
    Undefined if no system is above chance.
    """
    rows = []
    for name, run in runs.items():
        chance = row_of(case, run, case.popularity).random
        values = {each: row_of(case, run, each).value for each in case.experiment.names}
        best = max(values, key=lambda each: values[each])
        above = values[case.popularity] - chance
        most = values[best] - chance
        rows.append(
            {
                "protocol": name,
                "chance": chance,
                "popularity": values[case.popularity],
                "above_chance": above,
                "best_system": best,
                "best_above_chance": most,
                "remaining_bias": above / most if most > 0 else nan,
            }
        )
    return pl.DataFrame(rows)


def _remaining_sentence(case: BiasCase, table: pl.DataFrame) -> str:
    left = dict(zip(table["protocol"], table["remaining_bias"], strict=True))
    known = {name: share for name, share in left.items() if not isnan(share)}
    hopeless = [name for name in left if name not in known]
    nothing = f"Under {', '.join(hopeless)}, no system is better than chance." if hopeless else ""
    if not known:
        return nothing
    if min(known.values()) == 1:
        return f"Nothing is better than {case.popularity} where anything beats chance. {nothing}"
    least = min(known, key=lambda name: abs(known[name]))
    listed = ", ".join(f"{percent(share)} under {name}" for name, share in known.items())
    return (
        f"{case.popularity} covers a share of the best system's distance from chance: "
        f"{listed}. The share is smallest under {least}. {nothing}"
    ).strip()


def advantage(case: BiasCase, before: ProtocolRun, after: ProtocolRun, *pair: str) -> Advantage:
    """The lead under one protocol of the better of two systems, and under another."""
    one, two = _ranked(case, before, pair)
    return Advantage(
        first=one,
        second=two,
        before=_adjusted(case, before, one) - _adjusted(case, before, two),
        after=_adjusted(case, after, one) - _adjusted(case, after, two),
        p_before=_p_value(case, before, one, two),
        p_after=_p_value(case, after, one, two),
        alpha=case.experiment.comparison.alpha,
    )


def _adjusted(case: BiasCase, run: ProtocolRun, system: str) -> float:
    return row_of(case, run, system).adjusted


def _ranked(case: BiasCase, run: ProtocolRun, names: Iterable[str]) -> list[str]:
    """Systems, the best first; those without a value last."""
    return sorted(names, key=lambda name: -np.nan_to_num(_adjusted(case, run, name), nan=-np.inf))


def _p_value(case: BiasCase, run: ProtocolRun, one: str, two: str) -> float:
    made = run.results.comparison
    assert made is not None  # there are always both baselines
    wanted = {one, two}
    metric = str(case.precision)
    return next(
        pair.p_value
        for pair in made.pairs
        if pair.metric == metric and {pair.first, pair.second} == wanted
    )


def _advantages(case: BiasCase, runs: Mapping[str, ProtocolRun]) -> pl.DataFrame:
    """Every lead between systems that are not Random."""
    names = [name for name in case.experiment.names if name != case.random]
    rows = []
    for biased, neutral in _NEUTRAL.items():
        for pair in combinations(names, 2):
            lead = advantage(case, runs[biased], runs[neutral], *pair)
            rows.append(
                {
                    "from_protocol": biased,
                    "to_protocol": neutral,
                    "leader": lead.first,
                    "over": lead.second,
                    "lead_before": lead.before,
                    "p_before": lead.p_before,
                    "lead_after": lead.after,
                    "p_after": lead.p_after,
                    "share_lost": lead.lost,
                    "fate": lead.fate,
                }
            )
    return pl.DataFrame(rows, schema_overrides={"share_lost": pl.Float64})


def _lead_sentences(case: BiasCase, runs: Mapping[str, ProtocolRun]) -> list[str]:
    """The lead of the best system over the next, of those that know the user if two do."""
    found = []
    for biased, neutral in _NEUTRAL.items():
        names = case.personalised
        if len(names) < 2:
            names = (*names, case.popularity)
        if len(names) < 2:
            names = (*names, case.random)
        two_best = _ranked(case, runs[biased], names)[:2]
        lead = advantage(case, runs[biased], runs[neutral], *two_best)
        found.append(lead.sentence(biased, neutral))
    return found
