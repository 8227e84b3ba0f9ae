"""Comparison: the tested difference of every pair of systems by every metric."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import isfinite, nan
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.blas import dot
from cranfield.base.decisions import decisions, parameter
from cranfield.base.errors import BadParameter
from cranfield.base.options import to_table
from cranfield.base.seeds import Seeds
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import Undefined
from cranfield.scoring.scores import Floats, Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.correction import Correction, Family, adjust_families
from cranfield.significance.corrections.stepwise import Holm
from cranfield.significance.default_test import notes_of
from cranfield.significance.effect_size import (
    interval_of,
    mean_difference,
    outcomes,
    posterior,
    smallest_detectable,
    standardised,
)
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.paired_tests.permutation import Permutation
from cranfield.significance.resampling import Subsets, rejection_shares
from cranfield.significance.samples import Pairing, Samples, pair_users


@decisions("comparison")
@dataclass(frozen=True, kw_only=True)
class ComparisonChoice:
    """How systems are compared (decision D).

    ``aggregation`` is the one of which differences are reported; the test should fit it.
    ``rope`` is the largest difference that is as good as none, on the scale of the test.
    """

    test: PairedTest = parameter(Permutation())
    correction: Correction = parameter(Holm())
    aggregation: Aggregation = parameter(SummaryChoice().aggregation)
    coverage: Pairing = "full"
    undefined: Undefined = "left-out"
    family: Family = "metric"
    alpha: float = parameter(0.05, above=0, below=1)
    power: float = parameter(0.8, above=0, below=1)
    rope: float = parameter(0.01, at_least=0)
    subsets: Subsets | None = None

    def to_dict(self) -> dict[str, Any]:
        """The decisions, for records."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        options = {name: to_table(known[name]) for name in ("test", "correction", "aggregation")}
        return {**known, **options, "subsets": self.subsets and asdict(self.subsets)}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """What is known of the difference of two systems by one metric; first minus second.

    ``first_value`` and ``second_value`` are means, by the weights and the scale of the
    test. ``difference``, from ``low`` to ``high`` with 95 % confidence, is on the scale
    that the test sees (logarithms for log-t). ``p_value`` is two-sided, ``p_error`` its
    Monte-Carlo standard error, ``adjusted`` allows for all pairs of the family;
    ``significant`` is adjusted < α, and ``better`` the system that scores more, as the
    test sees it (for more users, by the sign test).
    ``effect`` is d_z, ``better_share`` the share of users for whom the first is better.
    ``believed_first``, ``believed_equivalent`` and ``believed_second`` are the posterior
    probabilities that the first is better by more than the region of practical
    equivalence, that neither is, and that the second is. ``detectable`` is the smallest
    difference that the users would mostly show; ``rejecting_subsets`` the share of user
    subsets in which the test rejects.
    """

    metric: str
    first: str
    second: str
    first_value: float
    second_value: float
    difference: float
    low: float
    high: float
    statistic: float
    p_value: float
    p_error: float
    adjusted: float
    significant: bool
    better: str | None
    effect: float
    effect_low: float
    effect_high: float
    wins: int
    ties: int
    losses: int
    better_share: float
    better_low: float
    better_high: float
    believed_first: float
    believed_equivalent: float
    believed_second: float
    detectable: float
    users: int
    left_out: int
    rejecting_subsets: float = nan


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every pair of systems by every metric, in the order of the scores.

    ``values[m, s]`` are the means that are compared; ``notes`` tell what a reader should
    know before trusting a p-value.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats
    pairs: tuple[Pair, ...]
    choice: ComparisonChoice
    notes: tuple[str, ...]

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
            "str": pl.String, "str | None": pl.String, "int": pl.Int64, "float": pl.Float64,
            "bool": pl.Boolean,
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
        names = [each.name for each in fields(Pair)]
        pairs = [{name: _plain(getattr(pair, name)) for name in names} for pair in self.pairs]
        return {
            "values": values,
            "pairs": pairs,
            "decisions": self.choice.to_dict(),
            "notes": list(self.notes),
        }


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


def compare(
    scores: Scores,
    choice: ComparisonChoice | None = None,
    *,
    metrics: tuple[str, ...] = (),
    seed: int = 0,
) -> Comparison:
    """Compare all pairs of systems by some metrics, by all unless they are named."""
    chosen = choice or ComparisonChoice()
    paired = pair_users(scores, metrics, coverage=chosen.coverage, undefined=chosen.undefined)
    notes = notes_of(chosen.test, chosen.correction, chosen.aggregation, paired, chosen.family)
    if len(scores) > paired.enters.shape[1]:
        notes.append("a user with several topics counts once, with their mean.")
    return compare_samples(paired, chosen, seed=seed, notes=tuple(notes))


def compare_samples(
    samples: Samples, choice: ComparisonChoice, *, seed: int = 0, notes: tuple[str, ...] = ()
) -> Comparison:
    """Compare samples whose users are paired already."""
    seeds, test = Seeds(seed).child("significance"), choice.test
    tested = test.compare(samples, seeds)
    adjusted = adjust_families(choice.correction, tested.p_values, choice.family)
    shares = None
    if choice.subsets is not None:
        shares = rejection_shares(
            samples, test, choice.correction, choice.subsets,
            alpha=choice.alpha, seeds=seeds, family=choice.family,
        )  # fmt: skip
    seen = test.sees(samples)
    values = _values(seen, test)
    pairs = [
        _pair(
            seen,
            (metric, pair),
            choice,
            first_value=float(values[metric, pair[0]]),
            second_value=float(values[metric, pair[1]]),
            statistic=float(tested.statistics[metric, at]),
            p_value=float(tested.p_values[metric, at]),
            p_error=float(tested.errors[metric, at]),
            adjusted=float(adjusted[metric, at]),
            significant=bool(adjusted[metric, at] < choice.alpha),
            rejecting_subsets=nan if shares is None else float(shares[metric, at]),
        )
        for metric in range(len(samples.metrics))
        for at, pair in enumerate(samples.pairs)
    ]
    return Comparison(samples.systems, samples.metrics, values, tuple(pairs), choice, notes)


def _values(seen: Samples, test: PairedTest) -> Floats:
    return np.array(
        [
            [test.shown(dot(seen.shares(metric), scores)) for scores in seen.of(metric)]
            for metric in range(len(seen.metrics))
        ]
    )


def _pair(
    seen: Samples, place: tuple[int, tuple[int, int]], choice: ComparisonChoice, **tested: Any
) -> Pair:
    """All about one pair: what the test found, and how large the difference is."""
    metric, pair = place
    differences = seen.differences(metric, pair)
    found = mean_difference(differences, seen.shares(metric))
    interval, effect = interval_of(found), standardised(found)
    seen_by_users = outcomes(differences)
    better, probability = seen_by_users.better(), posterior(found, choice.rope)
    names = tuple(seen.systems[system] for system in pair)
    ahead = tested["statistic"]
    return Pair(
        metric=seen.metrics[metric],
        first=names[0],
        second=names[1],
        difference=found.mean,
        low=interval.low,
        high=interval.high,
        better=None if ahead == 0 else names[0] if ahead > 0 else names[1],
        effect=effect.estimate,
        effect_low=effect.low,
        effect_high=effect.high,
        **asdict(seen_by_users),
        better_share=better.estimate,
        better_low=better.low,
        better_high=better.high,
        believed_first=probability.first,
        believed_equivalent=probability.equivalent,
        believed_second=probability.second,
        detectable=smallest_detectable(found, choice.alpha, choice.power),
        users=len(differences),
        left_out=seen.enters.shape[1] - len(differences),
        **tested,
    )
