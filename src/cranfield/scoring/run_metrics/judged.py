"""How much of the lists is judged, and how deep judged items lie."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import (
    DEPTH,
    RunFacts,
    RunMetric,
    is_judged,
    judgments_of,
    mean_defined,
    means_of_lists,
    top,
)


@option("run-metric", "UnratedShare")
@dataclass(frozen=True, kw_only=True)
class UnratedShare(RunMetric):
    r"""Share of the top n that its user did not rate in test, over all lists.

        1/|lists| · Σ_u |{k ≤ n : L_u[k] unjudged}| / min(n, |L_u|)

    Empty lists are left out. Between 0 and 1; neither end is better. canamares2020 Fig. 3.
    """

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean unjudged share of lists."""
        unjudged = ~is_judged(run, judgments_of(str(self), facts))
        weights = top(run, self.cutoff).astype(np.float64)
        return mean_defined(means_of_lists(run, unjudged.astype(np.float64), weights))


@option("run-metric", "CondensedDepth")
@dataclass(frozen=True, kw_only=True)
class MeanCondensedDepth(RunMetric):
    """Mean rank, in full lists, of the k-th item of the condensed ones.

    How deep a list must be known for k of its items to be judged. Lists with fewer are
    left out; undefined if all are. From k up; neither end is better. canamares2020 Fig. 5.
    """

    lowest: ClassVar[float] = 1.0
    highest: ClassVar[float] = inf
    needs_whole_lists: ClassVar[bool] = True

    cutoff: int = cutoff_parameter("Which judged item, k, counted from the top.", 10)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean rank of the k-th judged item."""
        judged = is_judged(run, judgments_of(str(self), facts))
        so_far = np.concatenate([[0], np.cumsum(judged)])
        above = np.repeat(so_far[run.offsets[:-1]], run.lengths)
        ranks = run.ranks[judged & (so_far[1:] - above == self.cutoff)]
        return float(ranks.mean()) if len(ranks) else float("nan")
