"""The distribution of true ranks under which the sampled ranks are likeliest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_corrections.rank_distribution import RankDistribution
from cranfield.scoring.sample_corrections.tables import REPLACEMENT
from cranfield.scoring.sampling.sampled_ranks import Counts


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

    def fit(self, law: Floats, observed: Floats, sizes: Counts) -> Maximisation:
        """Expectation maximisation over the sampled ranks that occur."""
        seen = observed > 0
        law, shares = np.ascontiguousarray(law[:, seen]), observed[seen]
        steps: list[Floats] = [sizes / sizes.sum()]
        for _ in range(self.iterations):
            chances = steps[-1]
            steps.append(chances * (law @ (shares / (chances @ law))))
        return Maximisation(law, shares, seen, steps)


@dataclass(frozen=True, eq=False)
class Maximisation:
    """All steps of an expectation maximisation, of the sampled ranks that were ``seen``."""

    law: Floats
    shares: Floats
    seen: npt.NDArray[np.bool_]
    steps: list[Floats]

    @property
    def chances(self) -> Floats:
        """π after the last step."""
        return self.steps[-1]

    def slopes(self, values: Floats) -> Floats:
        """The derivative goes back over all steps.

        From how the mean depends on the π after a step, to how it depends on the π before it
        and on q.
        """
        slopes, depends = np.zeros(len(self.shares)), values
        for chances in reversed(self.steps[:-1]):
            expected = chances @ self.law
            carried = (depends * chances) @ self.law / expected
            slopes += carried
            ratios = self.shares / expected
            depends = depends * (self.law @ ratios) - self.law @ (carried * ratios)
        of_all = np.zeros(len(self.seen))
        of_all[self.seen] = slopes
        return of_all
