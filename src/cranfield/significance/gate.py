"""Gate: a condition on two systems, such as "new < old", under which a check fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.nouns.display import Tabular
from cranfield.base.nouns.preview import number, preview
from cranfield.base.seeds import Seeds
from cranfield.base.serialisation.plain import plain
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.scores import Scores
from cranfield.significance.comparison import Comparison
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.condition import Condition, read_condition
from cranfield.significance.correction import adjust_families
from cranfield.significance.p_text import p_text
from cranfield.significance.pair import Pair
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.pairing import pair_users


@dataclass(frozen=True, kw_only=True)
class GateCheck:
    """Whether a condition holds by one metric, and how sure that is.

    ``limit`` is the second's value moved by what is allowed. ``p_value`` is that of the
    two-sided test of the first's value against the limit, ``adjusted`` allows for the
    pairs of its family.
    """

    metric: str
    first: str
    second: str
    first_value: float
    second_value: float
    limit: float
    p_value: float
    adjusted: float
    failed: bool


@dataclass(frozen=True)
class Gate(Tabular):
    """Whether a check fails: by one metric at least, the condition holds and is significant.

    The condition holds where the first value is beyond the limit, in the table and as the
    test sees it; it is significant where the adjusted p-value is at most ``alpha``.
    """

    condition: str
    alpha: float
    checks: tuple[GateCheck, ...]

    def __repr__(self) -> str:
        rows = [
            [each.metric, number(each.first_value), number(each.limit), p_text(each.adjusted)]
            for each in self.checks
        ]
        facts = [self.condition, "failed" if self.failed else "passed"]
        return preview("Gate", facts, rows, ["metric", "value", "limit", "adjusted p"])

    @property
    def failed(self) -> bool:
        """Whether it fails by some metric."""
        return any(each.failed for each in self.checks)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found by each metric."""
        return tuple(self._sentence(each) for each in self.checks)

    def _sentence(self, check: GateCheck) -> str:
        sign = "≤" if check.adjusted <= self.alpha else ">"
        p_value = p_text(check.adjusted, self.alpha)
        p_value = p_value if p_value.startswith("<") else f"= {p_value}"
        limit = "" if check.limit == check.second_value else f", limit {check.limit:.4f}"
        return (
            f"{check.metric}: {check.first} {check.first_value:.4f}, {check.second} "
            f"{check.second_value:.4f}{limit}, adjusted p {p_value} ({sign} {self.alpha:g}): "
            f"{'failed' if check.failed else 'passed'}."
        )

    def to_polars(self) -> pl.DataFrame:
        """A table of one row per metric."""
        return pl.DataFrame([plain(each) for each in self.checks])

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the condition, whether it fails, and what was found by each metric."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**own, "failed": self.failed, "checks": plain(self.checks)}


def gate_of(comparison: Comparison, scores: Scores, condition: str, *, seed: int = 0) -> Gate:
    """Whether a condition on two systems of a comparison holds, by each of its metrics.

    The scores and the seed are those of the comparison. Without anything allowed, p-values
    are those of the comparison. Else the second system's scores are moved by what is
    allowed, the same test is repeated, and its p-value takes the place of the other in
    the family that is corrected together.
    """
    asked = read_condition(condition, comparison.systems)
    pairs = list(_pairs(comparison, asked))
    found = [_Found(pair.p_value, pair.adjusted, pair.better) for _, pair in pairs]
    if asked.size:
        _refuse(comparison.choice, asked, [pair for _, pair in pairs])
        found = _tested(comparison, scores, asked, seed, [place for place, _ in pairs])
    checks = tuple(
        _check(asked, pair, each, comparison.choice.alpha)
        for (_, pair), each in zip(pairs, found, strict=True)
    )
    return Gate(str(asked), comparison.choice.alpha, checks)


class _Found(NamedTuple):
    """What a test found by one metric; ``better`` is the system that it sees ahead."""

    p_value: float
    adjusted: float
    better: str | None


def _pairs(comparison: Comparison, asked: Condition) -> Iterator[tuple[int, Pair]]:
    """The pair of the condition by each metric, with its place among all pairs."""
    systems = {asked.first, asked.second}
    found = [
        (p, each) for p, each in enumerate(comparison.pairs) if {each.first, each.second} == systems
    ]
    if not found:
        raise OptionError(
            f'condition "{asked}": the pair is not compared, as the baseline is '
            f"{comparison.choice.baseline}. Choose one of the pair as baseline, or none."
        )
    yield from found


def _refuse(choice: ComparisonChoice, asked: Condition, pairs: Sequence[Pair]) -> None:
    """Refuse to move a value where a test of the moved scores is not one of the moved value."""
    where = f'condition "{asked}"'
    if not isinstance(choice.aggregation, LinearAggregation):
        raise OptionError(
            f"{where}: an allowance is for means, not for {choice.aggregation}. Choose the "
            f'aggregation mean, or "{asked.first} {"<" if asked.below else ">"} {asked.second}".'
        )
    if choice.test.asks != PairedTest.asks:
        raise OptionError(
            f"{where}: {choice.test} asks {choice.test.asks}, not {PairedTest.asks}. With an "
            "allowance, choose permutation, t or bootstrap."
        )
    for pair in pairs:
        value = pair.first_value if pair.first == asked.second else pair.second_value
        if asked.relative and not value > 0:
            raise OptionError(
                f"{where}: by {pair.metric}, {asked.second} has {value:.4g}, of which there is no "
                "share. Allow a difference such as 0.005."
            )


def _tested(
    comparison: Comparison, scores: Scores, asked: Condition, seed: int, places: Sequence[int]
) -> list[_Found]:
    """What the test of the moved scores finds by each metric."""
    choice, metrics = comparison.choice, comparison.metrics
    samples = pair_users(scores, choice.summary, metrics, margin=asked.margin(comparison.systems))
    tested = choice.test.compare(samples, Seeds(seed).child("significance"))
    numbers = sorted(samples.systems.index(name) for name in (asked.first, asked.second))
    column = samples.pairs.index((numbers[0], numbers[1]))
    family = np.array([pair.p_value for pair in comparison.pairs])
    family[list(places)] = tested.p_values[:, column]
    adjusted = adjust_families(
        choice.correction, family.reshape(len(metrics), -1), choice.family
    ).ravel()
    ahead, behind = (samples.systems[number] for number in numbers)
    return [
        _Found(
            float(family[place]),
            float(adjusted[place]),
            None if statistic == 0 else ahead if statistic > 0 else behind,
        )
        for place, statistic in zip(places, tested.statistics[:, column].tolist(), strict=True)
    ]


def _check(asked: Condition, pair: Pair, found: _Found, alpha: float) -> GateCheck:
    values = {pair.first: pair.first_value, pair.second: pair.second_value}
    first, second = values[asked.first], values[asked.second]
    limit = asked.limit(second)
    holds = asked.side * (first - limit) > 0
    seen = found.better == (asked.second if asked.below else asked.first)
    return GateCheck(
        metric=pair.metric,
        first=asked.first,
        second=asked.second,
        first_value=first,
        second_value=second,
        limit=limit,
        p_value=found.p_value,
        adjusted=found.adjusted,
        failed=holds and seen and found.adjusted <= alpha,
    )
