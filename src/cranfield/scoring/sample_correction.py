"""SampleCorrection: from the rank in a sample to what a full ranking would score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from cranfield.base.options import contract
from cranfield.scoring.gain import Floats
from cranfield.scoring.sampling.sampled_ranks import SampledRanks

Discount = Callable[[Floats, Any], Floats]
"""f: what a metric makes of each rank among N targets, 1 at rank 1. N is one or one for each.

Discounts are equal if their metrics are, so that what is worked out for one is found again.
"""


@contract("sample-correction")
class SampleCorrection(Protocol):
    """How a metric of sampled targets estimates that of all targets (decision C2)."""

    pools_topics: ClassVar[bool] = False
    """Whether the estimate for one topic depends on the ranks of the others too."""

    def correct(self, sampled: SampledRanks, discount: Discount) -> Floats:
        """For each topic, the estimate of the discount at its true rank."""
        ...
