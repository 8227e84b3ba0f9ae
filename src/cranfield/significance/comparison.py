"""Comparison: the tested difference of every pair of systems by every metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isfinite, nan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, OptionError, counted
from cranfield.base.nouns.display import Plotted, Tabular, Typeset
from cranfield.base.nouns.preview import number, preview
from cranfield.base.seeds import Seeds
from cranfield.base.serialisation.plain import plain, restored
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.correction import adjust_families
from cranfield.significance.default_test import notes_of, refuse_misfit
from cranfield.significance.p_text import p_text
from cranfield.significance.pair import Pair, pair_of
from cranfield.significance.resampling import UserSubset, rejection_shares
from cranfield.significance.samples.pairing import pair_users
from cranfield.significance.samples.samples import Differences, Samples


@dataclass(frozen=True, eq=False)
class Comparison(Plotted, Typeset, Tabular):
    """Every pair of systems by every metric, in the order of the scores.

    ``values[m, s]`` are the values that are compared; ``notes`` say what a reader should
    know before trusting a p-value.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats
    pairs: tuple[Pair, ...]
    choice: ComparisonChoice
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        facts = [counted(len(self.pairs), "pair"), f"test {self.choice.test}"]
        rows = [
            [
                *(pair.metric, pair.first, pair.second, number(pair.difference)),
                p_text(pair.adjusted) if isfinite(pair.adjusted) else number(nan),
            ]
            for pair in self.pairs
        ]
        headings = ["metric", "first", "second", "difference", "adjusted p"]
        return preview("Comparison", facts, rows, headings)

    def pair(self, metric: str, first: str, second: str) -> Pair:
        """The pair of two systems, in the order in which they were compared."""
        known = {(each.metric, each.first, each.second): each for each in self.pairs}
        found = known.get((metric, first, second))
        if found is None:
            asked = f"{first} and {second} by {metric}"
            wanted = f"a pair in the order of {', '.join(self.systems)}, by one of "
            raise BadParameter("comparison", "pair", asked, wanted + ", ".join(self.metrics))
        return found

    def beaten(self, metric: str, system: str) -> tuple[str, ...]:
        """The systems that one scores significantly more than."""
        return tuple(
            pair.second if pair.first == system else pair.first
            for pair in self.pairs
            if pair.metric == metric and pair.significant and pair.better == system
        )

    def to_polars(self) -> pl.DataFrame:
        """A table of one row per pair and metric; what is not known is null."""
        types = {
            "str": pl.String, "str | None": pl.String, "int": pl.Int64, "int | None": pl.Int64,
            "float": pl.Float64, "bool": pl.Boolean,
        }  # fmt: skip
        columns = [
            pl.Series(each.name, [getattr(pair, each.name) for pair in self.pairs], dtype=kind)
            for each in fields(Pair)
            for kind in (types[str(each.type)],)
        ]
        return pl.DataFrame(columns).fill_nan(None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: values, pairs, decisions and notes; what is not finite is null."""
        values = {
            metric: dict(zip(self.systems, row, strict=True))
            for metric, row in zip(self.metrics, self.values.tolist(), strict=True)
        }
        return {
            "values": plain(values),
            "pairs": plain(self.pairs),
            "decisions": self.choice.to_dict(),
            "notes": list(self.notes),
        }


def recorded_comparison(record: Mapping[str, Any], choice: ComparisonChoice) -> Comparison:
    """The comparison that `Comparison.to_dict` recorded."""
    by_metric = record["values"]
    values = np.array([list(row.values()) for row in by_metric.values()], dtype=np.float64)
    systems = tuple(next(iter(by_metric.values()), {}))
    pairs = restored(tuple[Pair, ...], record["pairs"])
    return Comparison(systems, tuple(by_metric), values, pairs, choice, tuple(record["notes"]))


def compare(
    scores: Scores,
    choice: ComparisonChoice | None = None,
    *,
    metrics: tuple[str, ...] = (),
    seed: int = 0,
    differences: Differences | None = None,
) -> Comparison:
    """Compare all pairs of systems by some metrics, by all unless they are named.

    Where items are random too, ``differences`` have the standard errors that follow from
    drawing both users and items again, which takes the rankings.
    """
    chosen = choice or ComparisonChoice()
    if chosen.random != "users" and differences is None:
        raise OptionError(
            f"random: {chosen.random} needs the rankings, which scores do not hold. Run the "
            "experiment with it, or take users alone as random."
        )
    refuse_misfit(chosen.test, chosen.aggregation)
    paired = pair_users(scores, chosen.summary, metrics)
    if differences is not None:
        paired = replace(paired, given=differences)
    notes = notes_of(chosen.test, chosen.correction, paired, chosen.family)

    def part(users: npt.NDArray[np.integer]) -> Samples:
        drawn = scores.take(np.isin(scores.user_numbers, users))
        return pair_users(drawn, chosen.summary, metrics)

    return compare_samples(paired, chosen, seed=seed, notes=tuple(notes), part=part)


def compare_samples(
    samples: Samples,
    choice: ComparisonChoice,
    *,
    seed: int = 0,
    notes: tuple[str, ...] = (),
    part: UserSubset | None = None,
) -> Comparison:
    """Compare samples whose users are paired already.

    ``part`` gives the samples of some users, on which tests are repeated.
    """
    seeds, test = Seeds(seed).child("significance"), choice.test
    tested, asked = test.compare(samples, seeds), _asked(samples, choice.baseline)

    def adjust(p_values: Floats) -> Floats:
        chosen = [each.place for each in asked]
        return adjust_families(choice.correction, p_values[:, chosen], choice.family)

    adjusted = adjust(tested.p_values)
    shares = None
    if choice.subsets is not None:
        shares = rejection_shares(
            samples, test, adjust, choice.subsets, alpha=choice.alpha, seeds=seeds, part=part
        )
    pairs = [
        pair_of(
            samples,
            (metric, each.pair),
            choice,
            seeds,
            statistic=float(tested.statistics[metric, each.place]) * each.sign,
            p_value=float(tested.p_values[metric, each.place]),
            p_error=float(tested.errors[metric, each.place]),
            adjusted=float(adjusted[metric, at]),
            significant=bool(adjusted[metric, at] < choice.alpha),
            rejecting_subsets=nan if shares is None else float(shares[metric, at]),
        )
        for metric in range(len(samples.metrics))
        for at, each in enumerate(asked)
    ]
    values = np.array([samples.shown(metric) for metric in range(len(samples.metrics))])
    return Comparison(samples.systems, samples.metrics, values, tuple(pairs), choice, notes)


class _Asked(NamedTuple):
    """A pair that is asked for: its place among all pairs, and its order."""

    place: int
    pair: tuple[int, int]
    sign: int


def _asked(samples: Samples, baseline: str | None) -> list[_Asked]:
    """All pairs, or those with the baseline, which then comes second."""
    every = [_Asked(place, pair, 1) for place, pair in enumerate(samples.pairs)]
    if baseline is None:
        return every
    if baseline not in samples.systems:
        known = f"one of the systems {', '.join(samples.systems)}"
        raise BadParameter("comparison", "baseline", baseline, known)
    at = samples.systems.index(baseline)
    turned = [
        each if each.pair[1] == at else _Asked(each.place, (each.pair[1], each.pair[0]), -1)
        for each in every
    ]
    return [each for each in turned if each.pair[1] == at]
