"""What the sweeps show: a curve for each system beside its theory, and what it means."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import polars as pl

from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.workbench.bias.case import BiasCase, percent
from cranfield.workbench.bias.sweeps import SweepRun


def assess_sweep(case: BiasCase, run: SweepRun) -> Assessment:
    """One sweep: a curve for each system with its theoretical counterpart."""
    sweep = run.sweep
    readings = {
        "test sparsity": _read_sparsity,
        "target set size": _read_size,
        "head items removed": _read_head,
        "popularity skew": _read_skew,
    }
    return Assessment(
        criterion=f"bias: {sweep.name}",
        reading=" ".join([readings[sweep.name](case, run), *_read_others(case, run)]),
        tables={"values": _values(run), "expected_precision": _expected(run)},
        decisions={"study": sweep.study.to_table()["study"]},
        charts=tuple(
            _chart(case, run, protocol, metric)
            for metric in (run.precision, *run.others)
            for protocol in run.protocols
        ),
        notes=(_FEWER,) if sweep.name == "test sparsity" else (),
        words={
            "values": f"values by {sweep.axis}",
            "expected_precision": f"{run.precision} to be expected",
            sweep.column: sweep.heading,
            **_theory_lines(case),
        },
        across={"values": "system"},
    )


_FEWER = (
    "With fewer test ratings there are fewer test items too, unpopular ones first: precision "
    "in 1R moves by as much as that makes targets harder to tell apart."
)


_THEORY = ("random", "random_by_collection", "popularity", "popularity_by_collection")
"""What the theory says, of each baseline by the test ratings and by the collection alone."""


def _theory_lines(case: BiasCase) -> dict[str, str]:
    """What readers see in place of what the theory says."""
    named = (case.random, "expected"), (case.random, "by collection")
    others = (case.popularity, "expected"), (case.popularity, "by collection")
    return {
        key: f"{name} {what}" for key, (name, what) in zip(_THEORY, (*named, *others), strict=True)
    }


def _values(run: SweepRun) -> pl.DataFrame:
    """What every system reached by every metric, along the axis of each protocol."""
    return pl.DataFrame(
        [
            {
                "metric": metric,
                "protocol": protocol,
                run.sweep.column: place,
                "system": system,
                "value": value,
            }
            for metric in (run.precision, *run.others)
            for protocol in run.protocols
            for system in run.designs.systems
            for place, value in zip(
                run.axis(protocol), run.values(protocol, system, metric), strict=True
            )
        ]
    )


def _expected(run: SweepRun) -> pl.DataFrame:
    """What the theory says of precision, along the axis of each protocol."""
    parts = [
        pl.DataFrame(
            {
                "protocol": protocol,
                run.sweep.column: run.axis(protocol),
                **{key: run.expected(protocol, key) for key in _THEORY},
            }
        )
        for protocol in run.protocols
    ]
    return pl.concat(parts)


def _chart(case: BiasCase, run: SweepRun, protocol: str, metric: str) -> Chart:
    x = tuple(run.axis(protocol))
    lines = [
        Line(name, x, tuple(run.values(protocol, name, metric))) for name in run.designs.systems
    ]
    theory = [
        Line(name, x, tuple(run.expected(protocol, key)))
        for key, name in _theory_lines(case).items()
        if key.endswith("by_collection") and metric == run.precision
    ]
    title = f"{run.sweep.name.capitalize()}, {protocol}"
    return Chart(title, run.sweep.axis, metric, (*lines, *theory))


def _kept(values: Sequence[float], start: int, stop: int) -> float:
    """What is left of a value from one place to another."""
    return values[stop] / values[start] if values[start] > 0 else nan


def _steady(run: SweepRun, protocol: str, origin: int) -> str:
    """Whether the order of systems stays along the axis."""
    values = run.designs.values[run.rows(protocol)]
    least = float(np.nanmin(np.append(tau_b(values, values[origin]), 1.0)))
    return "stays the same" if least == 1 else f"changes (τ down to {least:.2f})"


def _read_sparsity(case: BiasCase, run: SweepRun) -> str:
    best = _best(case, run)
    parts = []
    for protocol in run.protocols:
        axis = run.axis(protocol)
        kept = {n: percent(_kept(run.values(protocol, n), -1, 0)) for n in (case.random, best)}
        theory = percent(_kept(run.expected(protocol, "random_by_collection"), -1, 0))
        parts.append(
            f"{protocol} with {percent(axis[0])} of the test ratings leaves {kept[best]} of "
            f"{best}'s precision and {kept[case.random]} of {case.random}'s ({theory} by the "
            f"theory); the order of systems {_steady(run, protocol, -1)}"
        )
    return f"{'. '.join(parts)}."


def _read_others(case: BiasCase, run: SweepRun) -> list[str]:
    """What metrics other than precision do from one end of the axis to the other."""
    start, stop = (-1, 0) if run.sweep.name == "test sparsity" else (0, -1)
    popular = run.sweep.name in ("head items removed", "popularity skew")
    who = case.popularity if popular else _best(case, run)
    found = []
    for metric in run.others:
        ends = []
        for protocol in run.protocols:
            values = run.values(protocol, who, metric)
            ends.append(f"from {values[start]:.4f} to {values[stop]:.4f} under {protocol}")
        found.append(f"By {metric}, {who} goes {' and '.join(ends)}.")
    return found


def _read_size(case: BiasCase, run: SweepRun) -> str:
    axis, best = run.axis("1R"), _best(case, run)
    kept = {n: percent(_kept(run.values("1R", n), 0, -1)) for n in (case.random, best)}
    theory = percent(_kept(run.expected("1R", "random_by_collection"), 0, -1))
    return (
        f"From {axis[0]:g} to {axis[-1]:g} targets, {kept[best]} of {best}'s 1R precision is left "
        f"and {kept[case.random]} of {case.random}'s ({theory} by the theory, 1/t); the order of "
        f"systems {_steady(run, '1R', 0)}."
    )


def _read_head(case: BiasCase, run: SweepRun) -> str:
    parts = []
    for protocol in run.protocols:
        popular, chance = run.values(protocol, case.popularity), run.expected(protocol, "random")
        times = list(map(_times, popular, chance))
        axis = run.axis(protocol)
        parts.append(
            f"Under {protocol}, {case.popularity} is {times[0]} as precise as chance with all "
            f"items, and {times[-1]} without the {percent(axis[-1])} most popular"
        )
    return f"{'. '.join(parts)}."


def _times(value: float, by_chance: float) -> str:
    """How many times what chance reaches; by no number where that is nothing."""
    return f"{value / by_chance:.1f} times" if by_chance > 0 else "incomparably"


def _read_skew(case: BiasCase, run: SweepRun) -> str:
    axis, popular = run.axis("1R"), run.values("1R", case.popularity)
    chance = run.expected("1R", "random")
    side = "below" if popular[0] < chance[0] else "above" if popular[0] > chance[0] else "at"
    others = {n: run.values("1R", n)[-1] for n in case.personalised}
    gained = [name for name, value in others.items() if value > 2 * chance[-1]]
    gain = "gains" if len(gained) == 1 else "gain"
    follow = f" {', '.join(gained)} {gain} from popularity as well." if gained else ""
    return (
        f"On data without any taste, {case.popularity} has a precision of {popular[0]:.4f} at "
        f"α = {axis[0]:g}, {side} chance ({chance[0]:.4f}), and of {popular[-1]:.4f} at "
        f"α = {axis[-1]:g}.{follow}"
    )


def _best(case: BiasCase, run: SweepRun) -> str:
    """The system with the best mean precision over all places, Random apart."""
    means = {
        name: float(np.nan_to_num([run.values(each, name) for each in run.protocols]).mean())
        for name in run.designs.systems
        if name != case.random
    }
    return max(means, key=lambda name: means[name])
