"""Designs of studies for tests, crossed in full or given row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import polars as pl

from cranfield.validity.study.designs import Designs

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

    Systems are called A, B, C and so on; one p-value serves all.
    """
    reached = np.asarray(values, dtype=float)
    systems = tuple("ABCDEFGHIJ"[: reached.shape[1]])
    pairs = list(combinations(range(len(systems)), 2))
    differences = np.array([reached[:, one] - reached[:, two] for one, two in pairs]).T
    shape = len(decisions), len(pairs)
    return Designs(
        decisions=decisions,
        systems=systems,
        values=reached,
        effects=others.pop("effects", differences.reshape(shape)),
        p_values=np.broadcast_to(np.asarray(p_values, dtype=float), shape).copy(),
        users=np.full(len(decisions), 100),
        **others,
    )


def duel(
    decisions: pl.DataFrame, lead: Callable[[dict[str, Any]], float], **others: Any
) -> Designs:
    """Designs of two systems, in which A leads B by a function of the decisions."""
    leads = [lead(row) for row in decisions.iter_rows(named=True)]
    return designs_of(decisions, [[0.5 + gap, 0.5] for gap in leads], **others)
