"""Diversity: how different the items of one list are from one another."""

from __future__ import annotations

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
    refuse_missing_facts,
    top,
)


@option("run-metric", "ILD", aliases=("intra-list-diversity",))
@dataclass(frozen=True, kw_only=True)
class IntraListDiversity(RunMetric):
    r"""Mean distance between two items of a list.

        ILD@n = 2/(n(n−1)) · Σ_{k<l≤n} (1 − cos(v_k, v_l))

    The mean over lists; v are the item vectors. An item without one (all zeros, or not
    of the collection) is at distance 1 from all. Lists of fewer than two items are left
    out; undefined if all are. Between 0 and 1 for vectors without negative entries (else
    up to 2), higher is more diverse. Ziegler et al. 2005; Zhang & Hurley 2008.
    """

    highest: ClassVar[float] = 2.0
    needs_vectors: ClassVar[bool] = True

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean over lists of two items or more."""
        return mean_defined(self.of_lists(run, facts.items))

    def of_lists(self, run: Run, items: ItemFacts) -> Floats:
        """The mean distance of the pairs of each list, from the length of summed vectors.

        For vectors of length 1, |Σ v|² is their number and twice all cosines of pairs.
        """
        refuse_missing_facts([self], vectors=items.vectors)
        assert items.vectors is not None
        chosen = top(run, self.cutoff)
        sizes = np.minimum(run.lengths, self.cutoff or len(run.items))
        known = chosen & run.known
        vectors, owners = items.vectors, np.repeat(np.arange(len(run)), run.lengths)
        sums = np.zeros((len(run), vectors.shape[1]))
        np.add.at(sums, owners[known], vectors[run.items[known]])
        has_one = np.einsum("ij,ij->i", vectors, vectors)
        lengths = np.bincount(owners[known], has_one[run.items[known]], minlength=len(run))
        cosines = (np.einsum("ij,ij->i", sums, sums) - lengths) / 2
        pairs = sizes * (sizes - 1) / 2
        shares = np.full(len(run), np.nan)
        np.divide(cosines, pairs, out=shares, where=pairs > 0)
        return np.asarray(1 - shares)
