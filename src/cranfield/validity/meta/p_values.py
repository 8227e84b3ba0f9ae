"""PairwisePValues: how sure each metric is that two systems differ."""

from __future__ import annotations

from math import comb

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadValue, EmptyInput, UnreadableFile
from cranfield.base.ragged import frozen
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.pairing import pair_users
from cranfield.validity.meta.published_tables import as_numbers, refuse_missing

RUN_A, RUN_B = "RunA", "RunB"
_FIRST, _SECOND = "first of the pair", "second of the pair"
"""Columns that are added; no metric is called so."""

_SHAPE = f"A table of p-values has columns {RUN_A}, {RUN_B} and one per metric."


@dataclass(frozen=True, eq=False)
class PairwisePValues:
    """The p-value of every pair of systems by every metric (metrics × pairs).

    Each pair of systems stands once; all are between 0 and 1.
    """

    pairs: tuple[tuple[str, str], ...]
    metrics: tuple[str, ...]
    values: Floats

    def __post_init__(self) -> None:
        assert self.values.shape == (len(self.metrics), len(self.pairs))
        object.__setattr__(self, "values", frozen(self.values))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order in which pairs name them."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in pair))


def p_values_from_scores(scores: Scores, test: PairedTest, seed: int = 0) -> PairwisePValues:
    """The p-values of all pairs of systems by a paired test, user by user."""
    samples = pair_users(scores)
    tested = test.compare(samples, Seeds(seed))
    pairs = tuple((samples.systems[one], samples.systems[two]) for one, two in samples.pairs)
    return PairwisePValues(pairs, samples.metrics, tested.p_values)


def p_values_from_table(table: pl.DataFrame, where: str = "table") -> PairwisePValues:
    """P-values from columns ``RunA``, ``RunB`` and one per metric, such as valcarce2018 publish.

    A pair may stand once, or in both directions: then the mean of both counts.
    """
    for column in (RUN_A, RUN_B):
        refuse_missing(table, column, where, _SHAPE)
    metrics = tuple(name for name in table.columns if name not in (RUN_A, RUN_B))
    if table.is_empty() or not metrics:
        raise EmptyInput(where, "p-values")
    table = as_numbers(table, metrics, where)
    _refuse_wrong_values(table, metrics, where)
    named = table.with_columns(
        pl.min_horizontal(pl.col(RUN_A, RUN_B).cast(pl.String)).alias(_FIRST),
        pl.max_horizontal(pl.col(RUN_A, RUN_B).cast(pl.String)).alias(_SECOND),
    )
    _refuse_wrong_pairs(named, where)
    once = named.group_by(_FIRST, _SECOND, maintain_order=True).agg(pl.col(metrics).mean())
    _refuse_gaps(once, where)
    pairs = tuple(zip(once[_FIRST], once[_SECOND], strict=True))
    return PairwisePValues(pairs, metrics, once.select(metrics).to_numpy().T.astype(np.float64))


def _refuse_wrong_values(table: pl.DataFrame, metrics: tuple[str, ...], where: str) -> None:
    for name in metrics:
        column = table[name]
        wrong = ~column.is_between(0, 1).fill_null(value=False)
        if wrong.any():
            line = wrong.arg_max() or 0
            raise BadValue(where, name, column[line], "a p-value between 0 and 1", line=line + 2)


def _refuse_wrong_pairs(named: pl.DataFrame, where: str) -> None:
    """Refuse a system paired with itself, and a pair that stands twice in one direction."""
    if named[RUN_A].null_count() or named[RUN_B].null_count():
        raise UnreadableFile(where, "a row does not name two systems")
    alone = named.filter(pl.col(_FIRST) == pl.col(_SECOND))
    if len(alone):
        raise UnreadableFile(where, f'"{alone[_FIRST][0]}" is compared with itself')
    twice = named.filter(named.select(RUN_A, RUN_B).is_duplicated())
    if len(twice):
        pair = f'"{twice[RUN_A][0]}" and "{twice[RUN_B][0]}"'
        raise UnreadableFile(where, f"the pair {pair} occurs more than once")


def _refuse_gaps(once: pl.DataFrame, where: str) -> None:
    systems = len(set(once[_FIRST]) | set(once[_SECOND]))
    wanted = comb(systems, 2)
    if len(once) < wanted:
        raise UnreadableFile(
            where,
            f"only {len(once)} of the {wanted} pairs of {systems} systems have p-values",
            "Curves are comparable only over all pairs.",
        )
