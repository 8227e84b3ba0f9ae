"""Designs of studies for tests, crossed in full or given row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import polars as pl

from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.joint_test import Hypothesis

FULL = "all-items, all-relevant, all-nonrelevant"
CONDENSED = "all-items, all-relevant, judged-only"


def crossed(answers: Mapping[str, Sequence[Any]]) -> pl.DataFrame:
    """Every combination of the answers, a row each."""
    rows = list(product(*answers.values()))
    return pl.DataFrame({name: [row[i] for row in rows] for i, name in enumerate(answers)})


def designs_of(
    decisions: pl.DataFrame, values: Any, p_values: Any = 0.001, **others: Any
) -> Designs:
    """Designs from the values of systems; effects are the differences unless given.

    Systems are called A, B, C and so on; one p-value serves all. P-values that allow for
    all designs are the same, unless given.
    """
    reached = np.asarray(values, dtype=float)
    systems = tuple("ABCDEFGHIJ"[: reached.shape[1]])
    pairs = list(combinations(range(len(systems)), 2))
    differences = np.array([reached[:, one] - reached[:, two] for one, two in pairs]).T
    shape = len(decisions), len(pairs)
    tested = np.broadcast_to(np.asarray(p_values, dtype=float), shape).copy()
    adjusted = others.pop("adjusted", tested)
    joint = None
    if adjusted is not None and not np.isnan(adjusted).all():
        least = np.nan_to_num(adjusted, nan=np.inf).min(axis=0)
        joint = np.where(np.isinf(least), np.nan, least)
    return Designs(
        decisions=decisions,
        systems=systems,
        values=reached,
        effects=others.pop("effects", differences.reshape(shape)),
        p_values=tested,
        adjusted=adjusted,
        joint=others.pop("joint", joint),
        users=np.full(len(decisions), 100),
        **others,
    )


def of_sums(contributions: Floats) -> list[Hypothesis | None]:
    """A hypothesis per column; a column of NaN cannot be tested."""
    everyone = np.arange(len(contributions), dtype=np.int32)
    return [
        None if np.isnan(column).any() else Hypothesis(everyone, float(column.sum()), column)
        for column in contributions.T
    ]


def duel(
    decisions: pl.DataFrame, lead: Callable[[dict[str, Any]], float], **others: Any
) -> Designs:
    """Designs of two systems, in which A leads B by a function of the decisions."""
    leads = [lead(row) for row in decisions.iter_rows(named=True)]
    return designs_of(decisions, [[0.5 + gap, 0.5] for gap in leads], **others)
