"""How well metrics agree with themselves on poorer test sets, as curves and in one number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.storable import storable
from cranfield.scoring.scores import Floats
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.phrases import signed

HIGH = 0.9
"""Orders that agree this well are usually called equivalent (Voorhees 2000)."""

WHAT = {
    "ratings": "the ratings",
    "items": "the items",
    "popular-items": "the items, popular ones leaving first",
    "users": "the users",
    "large-users": "the users, large ones leaving first",
    "ratings-by-user": "each user's ratings",
    "as given": "the judgments",
}
"""Of what a share is left in each scenario, for sentences."""


@storable
@dataclass(frozen=True, eq=False)
class ThinnedValues:
    """What systems reached on thinned test sets of one scenario.

    ``whole`` are the values on the full test set (means × metrics × systems), ``values``
    those of every sample at every size (samples × sizes × means × metrics × systems);
    ``topics`` counts those left (samples × sizes), where known. Sizes descend.
    """

    scenario: str
    means: tuple[str, ...]
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    sizes: tuple[float, ...]
    whole: Floats
    values: Floats
    topics: npt.NDArray[np.int64] | None

    @cached_property
    def agreement(self) -> Floats:
        """τ-b of each sample's order with the full one (samples × sizes × means × metrics)."""
        return tau_b(self.values, self.whole)

    @cached_property
    def curves(self) -> Floats:
        """The mean agreement (sizes × means × metrics); samples without an order are left out."""
        return mean_of_known(self.agreement)

    def without(self, system: str) -> ThinnedValues:
        """The same without a system, on whose presence no value of another one depends."""
        left = [place for place, name in enumerate(self.systems) if name != system]
        return replace(
            self,
            systems=tuple(self.systems[place] for place in left),
            whole=self.whole[..., left],
            values=self.values[..., left],
        )


@storable
@dataclass(frozen=True, eq=False)
class ThinnedScenarios:
    """What systems reached in every scenario, and by which decisions they were thinned."""

    scenarios: tuple[ThinnedValues, ...]
    decisions: Mapping[str, Any]

    def without(self, system: str) -> ThinnedScenarios:
        """The same without a system."""
        return replace(self, scenarios=tuple(each.without(system) for each in self.scenarios))

    def assess(self) -> Assessment:
        """How far every metric agrees with itself."""
        return assess_thinned(self.scenarios, self.decisions)


def mean_of_known(values: Floats) -> Floats:
    """The mean over the first axis of what is not NaN; NaN where nothing is known."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0.0).sum(axis=0)
    return np.asarray(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))


def spread_of_known(values: Floats) -> Floats:
    """The standard deviation over the first axis of what is not NaN; NaN for fewer than two."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    squares = np.where(known, values - mean_of_known(values), 0.0) ** 2
    spread = np.sqrt(squares.sum(axis=0) / np.maximum(counts - 1, 1))
    return np.asarray(np.where(counts > 1, spread, np.nan))


def area(sizes: Sequence[float], curve: Floats) -> float:
    r"""The area under a curve of agreement, as a share of the range of sizes.

        Σ_k (s_k − s_{k+1})·(τ_k + τ_{k+1})/2 ÷ (s_1 − s_n)

    1 if the order never changes. A size at which no sample has an order counts 0. With a
    single size it is the agreement there.

    >>> area([1.0, 0.5, 0.25], np.array([1.0, 0.8, 0.4]))  # (0.5·0.9 + 0.25·0.6) / 0.75
    0.800...
    """
    known = np.nan_to_num(curve, nan=0.0)
    if len(sizes) == 1:
        return float(known[0])
    widths = -np.diff(np.asarray(sizes))
    return float(widths @ (known[:-1] + known[1:]) / 2 / widths.sum())


def stands_to(sizes: Sequence[float], curve: Floats, level: float = HIGH) -> float:
    """The smallest size down to which a curve is nowhere below a level; NaN if none."""
    high = np.nan_to_num(curve, nan=-1.0) >= level
    count = len(high) if high.all() else int(np.argmin(high))
    return float(sizes[count - 1]) if count else float("nan")


def assess_thinned(found: Sequence[ThinnedValues], decisions: Mapping[str, Any]) -> Assessment:
    """The assessment of what was found in all scenarios."""
    first = found[0]
    return Assessment(
        "robustness",
        "; ".join(_reading(each) for each in found) + ".",
        {
            "area": pl.concat([_table(each, area) for each in found]),
            "stands_to": pl.concat([_table(each, stands_to) for each in found]),
        },
        {**decisions, "sizes": list(first.sizes), "systems": list(first.systems)},
        {
            "curves": pl.concat([_curve_rows(each) for each in found]),
            "values": pl.concat([_value_rows(each) for each in found]),
        },
        tuple(chart for each in found for chart in _charts(each)),
        _notes(found),
        words={"area": "area under τ", "stands_to": f"share down to which τ ≥ {HIGH}"},
        across={"area": "scenario", "stands_to": "scenario"},
    )


def _table(found: ThinnedValues, figure: Callable[..., float]) -> pl.DataFrame:
    """A row per mean and metric: one figure of each curve."""
    return pl.DataFrame(
        {
            "mean": np.repeat(found.means, len(found.metrics)),
            "metric": np.tile(found.metrics, len(found.means)),
            "scenario": found.scenario,
            "value": [
                figure(found.sizes, found.curves[:, mean, metric])
                for mean, metric in np.ndindex(len(found.means), len(found.metrics))
            ],
        }
    )


def _reading(found: ThinnedValues) -> str:
    """How far the most and the least robust metric hold, by the first mean."""
    areas = [area(found.sizes, curve) for curve in found.curves[:, 0].T]
    order = np.argsort(areas, kind="stable").tolist()
    ends = dict.fromkeys([order[-1], order[0]])
    return ", ".join(
        f"{_holding(found, metric)} (area {signed(areas[metric], '.2f')})" for metric in ends
    )


def _holding(found: ThinnedValues, metric: int) -> str:
    """Down to which of the sizes tried one metric holds."""
    curve, name = found.curves[:, 0, metric], found.metrics[metric]
    whole = WHAT[found.scenario]
    if np.isnan(curve).all():
        return f"{name} gives no order to compare"
    size = stands_to(found.sizes, curve)
    if size < 1:
        return f"{name} keeps τ ≥ {HIGH} down to {100 * size:.3g} % of {whole}"
    thinned = [place for place, tried in enumerate(found.sizes) if tried < 1]
    if not thinned:
        return f"{name} was not tried on less than all of {whole}"
    low = "without an order" if np.isnan(curve[thinned[0]]) else f"below τ = {HIGH}"
    return f"{name} is {low} already at {100 * found.sizes[thinned[0]]:.3g} % of {whole}"


def _curve_rows(found: ThinnedValues) -> pl.DataFrame:
    spread = spread_of_known(found.agreement)
    undefined = np.isnan(found.agreement).sum(axis=0)
    values = mean_of_known(np.moveaxis(mean_of_known(found.values), -1, 0))
    topics = None if found.topics is None else found.topics.mean(axis=0)
    return pl.DataFrame(
        [
            {
                "scenario": found.scenario,
                "mean": found.means[mean],
                "metric": found.metrics[metric],
                "size": found.sizes[size],
                "tau": float(found.curves[size, mean, metric]),
                "spread": float(spread[size, mean, metric]),
                "undefined": int(undefined[size, mean, metric]),
                "value": float(values[size, mean, metric]),
                "topics": None if topics is None else float(topics[size]),
            }
            for mean, metric, size in _places(found)
        ],
        schema_overrides={"topics": pl.Float64},
    )


def _value_rows(found: ThinnedValues) -> pl.DataFrame:
    values = mean_of_known(found.values)
    return pl.DataFrame(
        [
            {
                "scenario": found.scenario,
                "mean": found.means[mean],
                "metric": found.metrics[metric],
                "size": found.sizes[size],
                "system": system,
                "value": value,
            }
            for mean, metric, size in _places(found)
            for system, value in zip(
                found.systems, values[size, mean, metric].tolist(), strict=True
            )
        ]
    )


def _places(found: ThinnedValues) -> Iterator[tuple[int, ...]]:
    yield from np.ndindex(len(found.means), len(found.metrics), len(found.sizes))


def _charts(found: ThinnedValues) -> Iterator[Chart]:
    for mean, name in enumerate(found.means):
        lines = tuple(
            Line(metric, tuple(100 * s for s in found.sizes), tuple(curve.tolist()))
            for metric, curve in zip(found.metrics, found.curves[:, mean].T, strict=True)
        )
        yield Chart(f"{found.scenario}, {name} mean", "% of the test set", "τ", lines)


def _notes(found: Sequence[ThinnedValues]) -> tuple[str, ...]:
    lost = {each.scenario: int(np.isnan(each.agreement).sum()) for each in found}
    return tuple(
        f"{scenario}: {counted(count, 'thinned order is', 'thinned orders are')} undefined, since "
        f"all systems are tied or no user remains, and {'was' if count == 1 else 'were'} excluded "
        "from the mean."
        for scenario, count in lost.items()
        if count
    )
