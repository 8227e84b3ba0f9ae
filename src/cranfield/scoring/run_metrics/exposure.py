"""Exposure: how much of the catalogue is shown, and how unequally."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import dot
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats
from cranfield.collection.statistics.spread import Spread
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.discount import DISCOUNT, Discount, NoDiscount
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import DEPTH, Aspect, RunFacts, RunMetric, top


@option("run-metric", "CatalogueCoverage", aliases=("item-coverage", "aggregate-diversity"))
@dataclass(frozen=True, kw_only=True)
class CatalogueCoverage(RunMetric):
    r"""Share of all items that are in the top n of somebody.

        |∪_u L_u^n| / |I|

    I are the items of the collection; others do not count. Between 0 and 1, higher is
    broader. Ge, Delgado-Battenfeld & Jannach 2010.
    """

    needs_catalogue: ClassVar[bool] = True
    aspect: ClassVar[Aspect | None] = "coverage"

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The share of items that are shown at all."""
        shown = exposures(run, facts, self.cutoff) > 0
        return float(shown.mean()) if len(shown) else float("nan")


@option("run-metric", "Gini", aliases=("gini-of-exposure",))
@dataclass(frozen=True, kw_only=True)
class GiniOfExposure(RunMetric):
    r"""How unequally items share the places of the top n.

        Σ_k (2k − |I| − 1)·c_k ÷ (|I|·Σ c),  c_1 ≤ … ≤ c_|I|,  c_i = Σ_{u : i ∈ L_u^n} d(k_ui)

    c is the exposure of each item of the collection, never shown ones included: the number of
    lists that show it, or with a discount d the attention that its ranks k get. 0 if all are
    shown alike, near 1 if one has all places. Undefined if nothing is shown. Lower is
    fairer. Fleder & Hosanagar 2009.

    ``as=warprec`` divides by |I| − 1, so that 1 is reached; ``as=elliot`` is one less that,
    where higher is fairer. Both are undefined for a single item.
    """

    needs_catalogue: ClassVar[bool] = True
    aspect: ClassVar[Aspect | None] = "exposure"

    discount: Discount = parameter(NoDiscount(), DISCOUNT)
    as_: Literal["elliot", "warprec"] | None = parameter(None, "The tool whose definition is used.")
    cutoff: int | None = cutoff_parameter(DEPTH)

    @property
    def lower_is_fairer(self) -> bool:  # type: ignore[override]
        """A lower index is, unless it is one less the index."""
        return self.as_ != "elliot"

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The Gini index of the exposure of items."""
        shown = exposures(run, facts, self.cutoff, self.discount)
        size = len(shown)
        if not shown.any() or (self.as_ is not None and size == 1):
            return float("nan")
        gini = Spread(np.sort(shown)).gini
        if self.as_ is not None:
            gini *= size / (size - 1)
        return 1 - gini if self.as_ == "elliot" else gini


@option("run-metric", "Entropy", aliases=("entropy-of-exposure", "ShannonEntropy"))
@dataclass(frozen=True, kw_only=True)
class EntropyOfExposure(RunMetric):
    r"""How evenly items share the places of the top n, in bits.

        −Σ_i p_i·log2 p_i,  p_i = c_i/Σ_j c_j,  c_i = Σ_{u : i ∈ L_u^n} d(k_ui)

    c is the exposure of each item of the collection: the number of lists that show it, or
    with a discount d the attention that its ranks k get. 0 if one item has all places,
    log2 |I| if all have the same. Undefined if nothing is shown. Higher is fairer.
    Shannon 1948.

    ``as=warprec`` has natural logarithms. ``as=elliot`` weights the information of an item by
    its share in each list, Σ_i w_i·(−log2 p_i) with w_i = 1/|lists| · Σ_{u : i ∈ L_u^n}
    1/|L_u^n|: another value only where lists differ in length.
    """

    highest: ClassVar[float] = inf
    aspect: ClassVar[Aspect | None] = "exposure"

    discount: Discount = parameter(NoDiscount(), DISCOUNT)
    as_: Literal["elliot", "warprec"] | None = parameter(None, "The tool whose definition is used.")
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The entropy of the exposure of items."""
        shown = exposures(run, facts, self.cutoff, self.discount)
        if not shown.any():
            return float("nan")
        seen = shown > 0
        chances = shown[seen] / shown.sum()
        weights = _list_shares(run, facts, self.cutoff)[seen] if self.as_ == "elliot" else chances
        bits = -float(dot(weights, np.log2(chances)))
        return bits * float(np.log(2)) if self.as_ == "warprec" else bits


def _list_shares(run: Run, facts: RunFacts, cutoff: int | None) -> Floats:
    """For each item, the mean over lists of its share in the list."""
    chosen = run.known & top(run, cutoff)
    owners = np.repeat(np.arange(len(run)), run.lengths)[chosen]
    sizes = np.bincount(owners, minlength=len(run))
    counts = np.bincount(run.items[chosen], 1 / sizes[owners], minlength=len(facts.items))
    return np.asarray(counts / len(run))


def exposures(
    run: Run, facts: RunFacts, cutoff: int | None, discount: Discount | None = None
) -> Floats:
    """For each item of the collection, the attention that it gets in the top n of all lists.

    Without a discount, it is the number of lists that show it.
    """
    chosen = run.known & top(run, cutoff)
    weights = (discount or NoDiscount()).of_ranks(run.ranks[chosen])
    attention = np.bincount(run.items[chosen], weights, minlength=len(facts.items))
    return attention.astype(np.float64, copy=False)


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


def _ranks(counts: npt.NDArray[Any]) -> Floats:
    """The rank of each count, equal ones sharing the mean of their ranks."""
    _, places, sizes = np.unique(counts, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[places.reshape(-1)])
