"""Truthfulness: how near the designs of a study come to what is true."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import TooFew
from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Flags, Floats
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.drawn_truth import Places, TruthDraws, ends_of, shares_of_first
from cranfield.validity.study.importance import Importance, importance

OUTCOME = "tau"
"""The column of the agreement with the truth."""
OUTCOME_TITLE = "τ with the truth"
_PLACE = "place"
TRUTH_WORDS = {
    OUTCOME: OUTCOME_TITLE,
    "mean_tau": "mean τ",
    "lowest_tau": "lowest τ",
    "right_winner": "right winner",
    "mean_loss": "mean loss",
    "mean_distance": "mean distance",
    "tau_low": "τ from",
    "tau_high": "τ to",
    "distance_low": "distance from",
    "distance_high": "distance to",
    "nearest": "nearest in",
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

    With ``draws`` of users of the truth and of repetitions, means of agreement and distance
    have intervals; what a design measured stays as it is.
    """

    designs: Designs
    truth: Floats
    comparable: Flags
    repeats: tuple[str, ...] = ()
    draws: TruthDraws | None = None

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
    def drawn_agreement(self) -> Floats:
        """τ-b of each design with each draw of the truth; one row where it is not drawn."""
        truth = self._drawn_truth
        return np.stack([tau_b(self.designs.values, each) for each in truth])

    @cached_property
    def drawn_distance(self) -> Floats:
        """The distance of each design from each draw of the truth; one row likewise."""
        truth = self._drawn_truth
        away = np.stack([np.abs(self.designs.values - each).mean(axis=1) for each in truth])
        return np.where(self.comparable, away, np.nan)

    @property
    def _drawn_truth(self) -> Floats:
        drawn = None if self.draws is None else self.draws.truth
        return self.truth[None] if drawn is None else drawn

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
            *self._intervals([np.array([place]) for place in range(len(self.designs))]),
        )

    def _intervals(self, groups: Sequence[Places]) -> list[pl.Series]:
        """The ends of intervals of the mean agreement and distance of groups of designs."""
        if self.draws is None:
            return []
        made = []
        drawn = {OUTCOME: self.drawn_agreement, "distance": self.drawn_distance}
        for name, each in drawn.items():
            ends = ends_of(self.draws.means(each, groups))
            made += [pl.Series(f"{name}_low", ends[0]), pl.Series(f"{name}_high", ends[1])]
        return made

    def by_answer(self) -> pl.DataFrame:
        """For each decision and answer, the means over its designs; the best answer first.

        Decisions come by how much they matter.
        """
        rows = self.table().with_row_index(_PLACE)
        parts = [
            self._means(rows.drop_nulls(name), [name]).select(
                pl.lit(name).alias("decision"),
                pl.col(name).map_elements(_text, pl.String).alias("answer"),
                pl.exclude(name, _PLACE),
            )
            for name in (each.decision for each in self.importance.decisions)
            if name not in self.repeats
        ]
        return pl.concat(parts) if parts else pl.DataFrame()

    def by_design(self) -> pl.DataFrame:
        """Every design, its repetitions taken together, the nearest to the truth first."""
        decisions = [name for name in self.designs.factors if name not in self.repeats]
        made = self._means(self.table().with_row_index(_PLACE), decisions)
        return made.drop(_PLACE)

    def _means(self, rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
        """The means over rows with equal keys, with their intervals; the nearest first."""
        made = _means(rows, keys)
        groups = [np.array(each) for each in made[_PLACE].to_list()]
        more = self._intervals(groups)
        if self.draws is not None:
            first = shares_of_first(self.draws.means(self.drawn_agreement, groups))
            more.append(pl.Series("nearest", first))
        return made.with_columns(more)


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
        pl.col(_PLACE),
    )
    order = ["mean_tau", "mean_loss", "mean_distance"]
    return made.sort(order, descending=[True, False, False], nulls_last=True, maintain_order=True)


def _text(answer: object) -> str:
    return f"{answer:g}" if isinstance(answer, float) else str(answer)
