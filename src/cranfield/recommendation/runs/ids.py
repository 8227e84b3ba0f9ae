"""RunIds: the distinct users or items of a run, as the collection knows them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes, Ids
from cranfield.recommendation.kernels.runs import count_codes
from cranfield.recommendation.runs.report import Oddity
from cranfield.recommendation.runs.table import Matched, by_place

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RunIds:
    """The distinct ids of a run's column, their codes in the collection (−1: unknown), and
    how many rows name any of them.
    """

    own: Ids
    codes: Codes
    total: int
    count: Callable[[], Counts]
    """Counts the rows that name each."""

    @cached_property
    def rows(self) -> Counts:
        """How many rows name each."""
        return self.count()

    def unknown(self) -> Oddity:
        """How many rows name ids that the collection lacks, how many ids, and one of them."""
        unknown = np.flatnonzero(self.codes < 0)
        if not len(unknown):
            return Oddity()
        rows = int(self.rows[unknown].sum())
        return Oddity(rows=rows, ids=len(unknown), example=str(self.own[unknown[0]]))


def ids_in_memory(matched: Matched) -> RunIds:
    """The ids of rows that are in memory."""
    total, count = len(matched.rows), partial(_count, matched)
    return RunIds(matched.own, matched.codes_in_order, total, count)


def _count(matched: Matched) -> Counts:
    """How many rows name each id."""
    rows = np.zeros(len(matched.own), np.int64)
    count_codes(matched.rows, rows)
    return by_place(rows, matched.places)
