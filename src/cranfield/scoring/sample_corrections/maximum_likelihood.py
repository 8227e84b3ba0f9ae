"""The distribution of true ranks under which the sampled ranks are likeliest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_corrections.rank_distribution import Estimate, RankDistribution
from cranfield.scoring.sample_corrections.tables import REPLACEMENT
from cranfield.scoring.sampled_ranks import Counts


@option("sample-correction", "mle", aliases=("maximum-likelihood",))
@dataclass(frozen=True, kw_only=True)
class MaximumLikelihood(RankDistribution):
    r"""The mean of the metric under the likeliest distribution π of true ranks.

        π = argmax Σ_topics log Σ_R π_R·P(r | R),  by expectation maximisation from equal π:
        π_R ← π_R · Σ_r q_r·P(r | R) / Σ_S π_S·P(r | S)

    q_r is the share of topics with sampled rank r. The mean over topics is Σ_R π_R·f(R); what
    a topic scores is said of `RankDistribution`. More true ranks than sampled ones leave π
    undetermined: of what is as likely, the way from equal π finds the smooth, and ends after
    ``iterations`` steps. Jin, Li, Mudrak, Gao & Liu 2021.
    """

    iterations: int = parameter(200, "Steps of expectation maximisation, at least 1.", at_least=1)
    replacement: bool = parameter(False, REPLACEMENT)

    def estimate(self, law: Floats, observed: Floats, sizes: Counts, values: Floats) -> Estimate:
        """Expectation maximisation over the sampled ranks that occur, and its derivative.

        The derivative goes back over all steps: from how the mean depends on the π after a
        step, to how it depends on the π before it and on q.
        """
        seen = observed > 0
        law, shares = np.ascontiguousarray(law[:, seen]), observed[seen]
        steps = self._steps(law, shares, sizes)
        slopes, depends = np.zeros(len(shares)), values
        for chances in reversed(steps[:-1]):
            expected = chances @ law
            carried = (depends * chances) @ law / expected
            slopes += carried
            ratios = shares / expected
            depends = depends * (law @ ratios) - law @ (carried * ratios)
        of_all = np.zeros(len(observed))
        of_all[seen] = slopes
        return steps[-1], of_all

    def _steps(self, law: Floats, shares: Floats, sizes: Counts) -> list[Floats]:
        """π before the first step and after each."""
        found: list[Floats] = [sizes / sizes.sum()]
        for _ in range(self.iterations):
            chances = found[-1]
            found.append(chances * (law @ (shares / (chances @ law))))
        return found
