"""The plug-in estimate: the metric at the rank that a sample suggests."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_correction import Discount, SampleCorrection
from cranfield.scoring.sampling.sampled_ranks import SampledRanks


def estimated_ranks(sampled: SampledRanks) -> Floats:
    """1 + (N−1)(r−1)/n, whose mean over all samples is the true rank; it need not be whole."""
    above = (sampled.targets - 1) * (sampled.ranks - 1)
    ranks: Floats = 1 + above / np.maximum(sampled.sampled, 1)  # whole where it should be
    return ranks


@option("sample-correction", "plug-in", aliases=("rank-plug-in",))
@dataclass(frozen=True, kw_only=True)
class PlugIn(SampleCorrection):
    r"""The metric at the unbiased estimate of the rank.

        f̂(r) = f(1 + (N−1)(r−1)/n)

    r is the rank among n sampled items, N the number of all targets. Exact in the mean for
    what is linear in the rank, as AUC is; not for others: no sample of n items suggests a
    rank between 1 and 1 + (N−1)/n. Krichene & Rendle 2020, §5.
    """

    def correct(self, sampled: SampledRanks, discount: Discount) -> Floats:
        """The discount at the estimated rank of each topic."""
        return discount(estimated_ranks(sampled), sampled.targets)
