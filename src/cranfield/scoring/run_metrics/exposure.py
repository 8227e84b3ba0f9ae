"""Exposure: how much of the catalogue is shown, and how unequally."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from cranfield.base.blas import dot
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats
from cranfield.collection.spread import Counts, Spread
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import DEPTH, RunFacts, RunMetric, top


@option("run-metric", "CatalogueCoverage", aliases=("item-coverage", "aggregate-diversity"))
@dataclass(frozen=True, kw_only=True)
class CatalogueCoverage(RunMetric):
    r"""Share of all items that are in the top n of somebody.

        |∪_u L_u^n| / |I|

    I are the items of the collection; others do not count. Between 0 and 1, higher is
    broader. Ge, Delgado-Battenfeld & Jannach 2010.
    """

    needs_catalogue: ClassVar[bool] = True

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The share of items that are shown at all."""
        shown = exposures(run, facts, self.cutoff) > 0
        return float(shown.mean()) if len(shown) else float("nan")


@option("run-metric", "Gini", aliases=("gini-of-exposure",))
@dataclass(frozen=True, kw_only=True)
class GiniOfExposure(RunMetric):
    r"""How unequally items share the places of the top n.

        Σ_k (2k − |I| − 1)·c_k ÷ (|I|·Σ c),  c_1 ≤ … ≤ c_|I|

    c counts the lists that show each item of the collection, never shown ones included.
    0 if all are shown alike, near 1 if one has all places (some tools print one less
    this). Undefined if nothing is shown. Lower is fairer. Fleder & Hosanagar 2009.
    """

    needs_catalogue: ClassVar[bool] = True

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The Gini index of how often items are shown."""
        shown = exposures(run, facts, self.cutoff)
        return Spread(np.sort(shown)).gini if shown.any() else float("nan")


def exposures(run: Run, facts: RunFacts, cutoff: int | None) -> Counts:
    """For each item of the collection, the number of lists that show it in the top n."""
    shown = run.items[run.known & top(run, cutoff)]
    return np.bincount(shown, minlength=len(facts.items)).astype(np.int64)


@option("run-metric", "PopularityCorrelation", aliases=("exposure-popularity",))
@dataclass(frozen=True, kw_only=True)
class PopularityCorrelation(RunMetric):
    r"""Correlation of how often items are shown in the top n with how popular they are.

        Σ_i (c_i − c̄)(p_i − p̄) ÷ √(Σ_i (c_i − c̄)² · Σ_i (p_i − p̄)²)

    c counts the lists that show each item of the collection, p = |R_train(i)|; with
    by=ranks, both are ranks, equal ones sharing their mean (Spearman). 1 if exposure
    follows popularity, 0 if it ignores it. Undefined if all items are shown alike or are
    equally popular. Between −1 and 1.
    """

    lowest: ClassVar[float] = -1.0
    needs_catalogue: ClassVar[bool] = True

    by: Literal["counts", "ranks"] = parameter("counts", "Counts (Pearson) or ranks (Spearman).")
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The correlation over all items of the collection."""
        pair = exposures(run, facts, self.cutoff), facts.items.popularity
        shown, known = (_ranks(each) if self.by == "ranks" else each * 1.0 for each in pair)
        shown, known = shown - shown.mean(), known - known.mean()
        spread = np.sqrt(dot(shown, shown) * dot(known, known))
        return dot(shown, known) / spread if spread > 0 else float("nan")


def _ranks(counts: Counts) -> Floats:
    """The rank of each count, equal ones sharing the mean of their ranks."""
    _, places, sizes = np.unique(counts, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[places.reshape(-1)])
