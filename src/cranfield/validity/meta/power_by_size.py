"""Discriminative power on poorer test sets, as curves and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnsuitableScores, counted
from cranfield.base.seeds import Seeds
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import NO_IDS
from cranfield.scoring.scores import Flags, Floats, Scores
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.pairing import pair_users
from cranfield.validity.assessment import Assessment, Chart, Line, number_key
from cranfield.validity.meta.self_agreement import WHAT, mean_of_known, spread_of_known
from cranfield.validity.phrases import percent


def p_values_of(
    values: Floats,
    topics: Topics,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    test: PairedTest,
    seed: int,
) -> Floats:
    """The p-values of all pairs by all metrics, from scores (metrics × systems × topics).

    NaN for a metric by which fewer than two users can be compared, or whose scores do not
    suit the test.
    """
    by_system = np.ascontiguousarray(values.transpose(1, 0, 2))
    covered = np.ones((len(systems), len(topics)), dtype=bool)
    scores = Scores(topics, NO_IDS, systems, metrics, by_system, covered)
    try:
        return np.asarray(test.compare(pair_users(scores), Seeds(seed)).p_values)
    except UnsuitableScores:
        if len(metrics) == 1:
            return np.full((1, comb(len(systems), 2)), np.nan)
    alone = [values[place : place + 1] for place in range(len(metrics))]
    parts = zip(alone, metrics, strict=True)
    found = [p_values_of(part, topics, systems, (name,), test, seed) for part, name in parts]
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class PowerBySize:
    """P-values on thinned test sets of one scenario (samples × sizes × metrics × pairs).

    Sizes descend.
    """

    scenario: str
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    sizes: tuple[float, ...]
    p_values: Floats
    alpha: float

    @cached_property
    def undefined(self) -> Flags:
        """Samples without p-values (samples × sizes × metrics)."""
        return np.asarray(np.isnan(self.p_values).any(axis=-1))

    @cached_property
    def sums(self) -> Floats:
        """DP of each sample (samples × sizes × metrics)."""
        return np.asarray(self.p_values.sum(axis=-1))

    @cached_property
    def shares(self) -> Floats:
        """The share of pairs below α in each sample (samples × sizes × metrics)."""
        found = (self.p_values < self.alpha).mean(axis=-1)
        return np.where(self.undefined, np.nan, found)

    @cached_property
    def medians(self) -> Floats:
        """The median p-value of each sample (samples × sizes × metrics)."""
        return np.asarray(np.median(self.p_values, axis=-1))


def assess_power(found: Sequence[PowerBySize], decisions: Mapping[str, Any]) -> Assessment:
    """The assessment of what was found in all scenarios."""
    first = found[0]
    below = f"share below {first.alpha:g}"
    return Assessment(
        "thinned-discriminative-power",
        "; ".join(_reading(each) for each in found) + ".",
        {
            "dp_by_size": pl.concat([_table(each, each.sums) for each in found]),
            "share_by_size": pl.concat([_table(each, each.shares) for each in found]),
        },
        {**decisions, "sizes": list(first.sizes), "systems": list(first.systems)},
        {"curves": pl.concat([_curve_rows(each) for each in found])},
        tuple(chart for each in found for chart in _charts(each, below)),
        _notes(found),
        words={
            "dp_by_size": "DP at each size",
            "share_by_size": f"{below} at each size",
            **{number_key(size): f"{100 * size:.10g} %" for size in first.sizes},
        },
        across={"dp_by_size": "size", "share_by_size": "size"},
    )


def _mean(figures: Floats) -> Floats:
    """The mean over samples of what is known; of equal figures, exactly these."""
    least = np.fmin.reduce(figures, axis=0)
    return np.asarray(least + mean_of_known(figures - least))


def _table(found: PowerBySize, figures: Floats) -> pl.DataFrame:
    """A row per metric and size: means over samples."""
    return pl.DataFrame(
        {
            "scenario": found.scenario,
            "metric": np.repeat(found.metrics, len(found.sizes)),
            "size": np.tile(found.sizes, len(found.metrics)),
            "value": _mean(figures).T.ravel(),
        }
    )


def _reading(found: PowerBySize) -> str:
    """What the smallest and the largest size separate, by the best and the worst metric."""
    shares = _mean(found.shares)
    known = [place for place in range(len(found.metrics)) if not np.isnan(shares[:, place]).any()]
    least = f"{100 * found.sizes[-1]:.3g} % of {WHAT[found.scenario]}"
    if not known:
        return f"with {least} too few users are left to test a pair"
    order = sorted(known, key=lambda place: -shares[-1, place])
    ends = dict.fromkeys([order[0], order[-1]])
    said = ", ".join(_separated(found, shares[:, place], place) for place in ends)
    return f"with {least} {said}"


def _separated(found: PowerBySize, shares: Floats, metric: int) -> str:
    before = f" ({percent(shares[0])} with {100 * found.sizes[0]:.3g} %)"
    return (
        f"{found.metrics[metric]} separates {percent(shares[-1])} of pairs at {found.alpha:g}"
        f"{before if len(found.sizes) > 1 else ''}"
    )


def _curve_rows(found: PowerBySize) -> pl.DataFrame:
    sums, shares, medians = map(_mean, (found.sums, found.shares, found.medians))
    spread, undefined = spread_of_known(found.sums), found.undefined.sum(axis=0)
    return pl.DataFrame(
        [
            {
                "scenario": found.scenario,
                "metric": name,
                "size": size,
                "dp": float(sums[row, column]),
                "dp_spread": float(spread[row, column]),
                "share_below_alpha": float(shares[row, column]),
                "median_p": float(medians[row, column]),
                "undefined": int(undefined[row, column]),
            }
            for column, name in enumerate(found.metrics)
            for row, size in enumerate(found.sizes)
        ]
    )


def _charts(found: PowerBySize, below: str) -> Iterator[Chart]:
    across = tuple(100 * size for size in found.sizes)
    for name, figures in (("DP", found.sums), (below, found.shares)):
        means = _mean(figures)
        lines = tuple(
            Line(metric, across, tuple(means[:, place].tolist()))
            for place, metric in enumerate(found.metrics)
        )
        yield Chart(f"{name}, {found.scenario}", "% of the test set", name, lines)


def _notes(found: Sequence[PowerBySize]) -> tuple[str, ...]:
    lost = {each.scenario: int(each.undefined.sum()) for each in found}
    return tuple(
        f"{scenario}: {counted(count, 'sample has', 'samples have')} no p-values by a metric, as "
        f"too few users can be compared, and {'was' if count == 1 else 'were'} excluded from its "
        "means."
        for scenario, count in lost.items()
        if count
    )
