"""Novelty: how unlikely it is that a user knows what is recommended."""

from __future__ import annotations

from math import inf
from typing import ClassVar, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats, ItemFacts
from cranfield.recommendation.runs.run import Mask, Run
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import (
    DEPTH,
    RunFacts,
    RunMetric,
    is_relevant,
    judgments_of,
    mean_defined,
    means_of_lists,
    of_items,
    top,
)

Discount = Literal["none", "logarithmic"]
DISCOUNT = "What a rank k counts: none is 1, logarithmic is 1/log2(k+1)."
RELEVANT = "Whether only relevant items are novel; needs judgments."


@option("run-metric", "EPC", aliases=("expected-popularity-complement",))
@dataclass(frozen=True, kw_only=True)
class EPC(RunMetric):
    r"""Expected popularity complement: how few users have seen what is recommended.

        EPC@n = C · Σ_{k≤n} disc(k) · rel(i_k) · (1 − p(seen|i_k)),  C = 1/Σ_k disc(k)

    The mean over lists. p(seen|i) is the share of users who rated i in training; an item
    that the collection lacks was seen by nobody. rel is 1, or with ``relevant`` 1 for
    relevant items and 0 for others. Empty lists are left out. Between 0 and 1, higher is
    more novel. Vargas & Castells 2011, §4.2 and §5.
    """

    discount: Discount = parameter("none", DISCOUNT)
    relevant: bool = parameter(False, RELEVANT)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean share of users who have not seen an item."""
        return mean_defined(self.of_lists(run, facts.items, _relevant(self, run, facts)))

    def of_lists(self, run: Run, items: ItemFacts, relevant: Mask | None) -> Floats:
        """The share for each list, of relevant rows only if they are given."""
        return _expected(self, run, of_items(run, 1 - items.seen, 1.0), relevant)


@option("run-metric", "EFD", aliases=("expected-free-discovery", "Novelty", "self-information"))
@dataclass(frozen=True, kw_only=True)
class EFD(RunMetric):
    r"""Expected free discovery: how much it says that a user saw what is recommended.

        EFD@n = C · Σ_{k≤n} disc(k) · rel(i_k) · (−log2 p(i_k|seen)),  C = 1/Σ_k disc(k)

    The mean over lists, in bits. p(i|seen) is the share of i in all training ratings; an
    item without any counts as if it had one. rel and disc are those of EPC. Empty lists
    are left out. It is what many tools call novelty, the mean self-information. From 0 up,
    higher is more novel. Vargas & Castells 2011, §4.2 and §5.
    """

    highest: ClassVar[float] = inf

    discount: Discount = parameter("none", DISCOUNT)
    relevant: bool = parameter(False, RELEVANT)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean information of the items, in bits."""
        return mean_defined(self.of_lists(run, facts.items, _relevant(self, run, facts)))

    def of_lists(self, run: Run, items: ItemFacts, relevant: Mask | None) -> Floats:
        """The information for each list, of relevant rows only if they are given."""
        rarest = np.log2(max(int(items.popularity.sum()), 1))
        return _expected(self, run, of_items(run, -np.log2(items.share), float(rarest)), relevant)


def _relevant(metric: EPC | EFD, run: Run, facts: RunFacts) -> Mask | None:
    """Which rows are relevant, where only these are novel."""
    return is_relevant(run, judgments_of(str(metric), facts)) if metric.relevant else None


def _expected(metric: EPC | EFD, run: Run, novelty: Floats, relevant: Mask | None) -> Floats:
    """The discounted novelty of each list, of relevant items only if they are given."""
    weights = top(run, metric.cutoff).astype(np.float64)
    if metric.discount == "logarithmic":
        weights /= np.log2(run.ranks + 1.0)
    return means_of_lists(run, novelty if relevant is None else novelty * relevant, weights)
