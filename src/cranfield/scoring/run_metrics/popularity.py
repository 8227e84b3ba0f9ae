"""Mean popularity: how well known what is recommended already is."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.collection.items import Floats, ItemFacts
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import (
    DEPTH,
    RunFacts,
    RunMetric,
    mean_defined,
    means_of_lists,
    of_items,
    top,
)


@option("run-metric", "MeanPopularity", aliases=("ARP", "average-popularity"))
@dataclass(frozen=True, kw_only=True)
class MeanPopularity(RunMetric):
    r"""Mean number of training ratings of what is in the top n.

        1/|lists| · Σ_u 1/|L_u^n| · Σ_{i ∈ L_u^n} |R_train(i)|

    Empty lists are left out; items that are not in the collection count 0. Undefined if all
    lists are empty. From 0 up; lower is less biased to the popular. Yin et al. 2012.
    """

    highest: ClassVar[float] = inf

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean popularity of lists."""
        return mean_defined(self.of_lists(run, facts.items))

    def of_lists(self, run: Run, items: ItemFacts) -> Floats:
        """The mean popularity of each list."""
        counts = of_items(run, items.popularity.astype(np.float64), 0.0)
        return means_of_lists(run, counts, top(run, self.cutoff).astype(np.float64))
