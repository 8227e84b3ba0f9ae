"""Whether metrics, or cut-offs of one metric, put systems in the same order."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts
from cranfield.base.options import option, parameter
from cranfield.scoring.scores import Floats
from cranfield.validity.assessment import Assessment, HeatMap
from cranfield.validity.criterion import (
    Criterion,
    Evidence,
    refuse_too_few,
    refuse_too_few_metrics,
)
from cranfield.validity.meta.rank_agreement import Agreement, agreement_matrix

HIGH = 0.9
"""Orders that agree this well are usually called equivalent (Voorhees 2000)."""


@option("criterion", "correlation")
@dataclass(frozen=True, kw_only=True)
class Correlation(Criterion):
    r"""How similar the orders are into which metrics put the same systems.

    One agreement, Kendall's τ-b or τ_AP, for each pair of metrics; cut-offs of one metric
    are metrics too. valcarce2018 §6; valcarce2020 §6.1, §7.1.
    """

    least_metrics: ClassVar[int] = 2

    agreement: Agreement = parameter("tau-b", "Kendall's tau-b, or tau-ap: the top counts more.")

    def assess(self, evidence: Evidence) -> Assessment:
        """A matrix of agreements, and which metrics agree most and least."""
        if evidence.values is None:
            raise MissingFacts("correlation", "values of systems", "scores, or a table of values")
        values = evidence.values
        refuse_too_few("correlation", len(values.systems))
        refuse_too_few_metrics("correlation", self, len(values.metrics))
        matrix = agreement_matrix(values.whole, self.agreement)
        return Assessment(
            "correlation",
            self._reading(values.metrics, matrix),
            {"system_orders": _pairs("metric", values.metrics, "other", values.metrics, matrix)},
            {"agreement": self.agreement, "systems": list(values.systems)},
            {"values": _pairs("system", values.systems, "metric", values.metrics, values.whole.T)},
            (HeatMap(self._title, values.metrics, values.metrics, _rows(matrix)),),
            words={"system_orders": self._title},
            across={"system_orders": "other"},
        )

    @property
    def _title(self) -> str:
        return (
            "τ-b of system orders" if self.agreement == "tau-b" else "τ_AP of rows against columns"
        )

    def _reading(self, metrics: tuple[str, ...], matrix: Floats) -> str:
        symbol = "τ-b" if self.agreement == "tau-b" else "τ_AP"
        rows, columns = np.triu_indices(len(metrics), 1)
        found = np.minimum(matrix[rows, columns], matrix[columns, rows])
        known = np.flatnonzero(~np.isnan(found))
        if not len(known):
            return "No metric separates the systems, so there is no order to compare."
        least, most = known[np.argmin(found[known])], known[np.argmax(found[known])]
        named = [f"{metrics[rows[k]]} and {metrics[columns[k]]}" for k in (least, most)]
        if len(rows) == 1:
            return f"{named[0]} order the systems with an agreement of {symbol} = {found[0]:.3f}."
        high = int((found[known] >= HIGH).sum())
        return (
            f"{high} of {len(rows)} pairs of metrics order the systems alike ({symbol} ≥ {HIGH}); "
            f"{named[0]} differ most ({symbol} = {found[least]:.3f}), "
            f"{named[1]} least ({found[most]:.3f})."
        )


def _pairs(
    down: str, rows: tuple[str, ...], across: str, columns: tuple[str, ...], matrix: Floats
) -> pl.DataFrame:
    """A row for each cell of a matrix."""
    named = {down: np.repeat(rows, len(columns)), across: np.tile(columns, len(rows))}
    return pl.DataFrame({**named, "value": np.ascontiguousarray(matrix).ravel()})


def _rows(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in matrix.tolist())
