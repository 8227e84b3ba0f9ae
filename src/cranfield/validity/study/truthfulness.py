"""Truthfulness: how near the designs of a study come to what is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from cranfield.base.errors import TooFew
from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Flags, Floats
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.importance import Importance, importance

OUTCOME = "tau"
"""The column of the agreement with the truth."""
OUTCOME_TITLE = "τ with the truth"
TRUTH_WORDS = {
    OUTCOME: OUTCOME_TITLE,
    "mean_tau": "mean τ",
    "lowest_tau": "lowest τ",
    "right_winner": "right winner",
    "mean_loss": "mean loss",
    "mean_distance": "mean distance",
}
"""What readers see in place of columns."""


@dataclass(frozen=True, eq=False)
class Truthfulness:
    r"""How near every design comes to the true values of the systems.

    ``truth[d, s]`` is what system s is worth in truth under the data and the split of
    design d, by one true metric. ``comparable[d]`` says whether the design measures by
    that same metric, so that not only orders but values can be compared. ``repeats`` are
    the decisions that only repeat a design, such as the seed of a simulated world.

        agreement = τ-b(measured, true)            distance = mean_s |measured − true|
        loss = (max_s true(s) − true(argmax_s measured(s))) / max_s true(s)

    Where several systems are measured as the best, the mean of their true values counts.
    """

    designs: Designs
    truth: Floats
    comparable: Flags
    repeats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.designs.systems) < 2:
            raise TooFew("the order of systems", "systems", 2, len(self.designs.systems))
        assert self.truth.shape == self.designs.values.shape
        object.__setattr__(self, "truth", frozen(self.truth))

    @cached_property
    def agreement(self) -> Floats:
        """τ-b of the order of systems under each design with the true order."""
        return tau_b(self.designs.values, self.truth)

    @cached_property
    def distance(self) -> Floats:
        """How far measured values are from true ones; NaN where metrics differ."""
        away = np.abs(self.designs.values - self.truth).mean(axis=1)
        return np.where(self.comparable, away, np.nan)

    @cached_property
    def loss(self) -> Floats:
        """The share of the best true value that is lost by following a design."""
        chosen, best = self.designs.first, self.truth.max(axis=1)
        shortfall = np.where(chosen, best[:, None] - self.truth, 0.0).sum(axis=1)
        lost = np.full(len(best), np.nan)
        known = (best > 0) & chosen.any(axis=1)
        np.divide(shortfall, best * chosen.sum(axis=1), out=lost, where=known)
        return lost

    @cached_property
    def importance(self) -> Importance:
        """Which decisions explain the agreement with the truth."""
        return importance(factors_of(self.designs.decisions), self.agreement, OUTCOME_TITLE)

    def table(self) -> pl.DataFrame:
        """A row per design: its answers, and how near it comes to the truth."""
        return self.designs.decisions.with_columns(
            pl.Series(OUTCOME, self.agreement),
            pl.Series("right_winner", np.where(np.isnan(self.loss), np.nan, self.loss == 0)),
            pl.Series("loss", self.loss),
            pl.Series("distance", self.distance),
        )

    def by_answer(self) -> pl.DataFrame:
        """For each decision and answer, the means over its designs; the best answer first.

        Decisions come by how much they matter.
        """
        rows = self.table()
        parts = [
            _means(rows.drop_nulls(name), [name]).select(
                pl.lit(name).alias("decision"),
                pl.col(name).map_elements(_text, pl.String).alias("answer"),
                pl.exclude(name),
            )
            for name in (each.decision for each in self.importance.decisions)
            if name not in self.repeats
        ]
        return pl.concat(parts) if parts else pl.DataFrame()

    def by_design(self) -> pl.DataFrame:
        """Every design, its repetitions taken together, the nearest to the truth first."""
        decisions = [name for name in self.designs.factors if name not in self.repeats]
        return _means(self.table(), decisions)


def _means(rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The means over rows with equal keys, the highest agreement first; NaN is left out."""

    def mean(name: str) -> pl.Expr:
        return pl.col(name).drop_nans().mean()

    made = rows.group_by(keys, maintain_order=True).agg(
        pl.len().alias("designs"),
        mean(OUTCOME).alias("mean_tau"),
        pl.col(OUTCOME).drop_nans().min().alias("lowest_tau"),
        mean("right_winner").alias("right_winner"),
        mean("loss").alias("mean_loss"),
        mean("distance").alias("mean_distance"),
    )
    order = ["mean_tau", "mean_loss", "mean_distance"]
    return made.sort(order, descending=[True, False, False], nulls_last=True, maintain_order=True)


def _text(answer: object) -> str:
    return f"{answer:g}" if isinstance(answer, float) else str(answer)
