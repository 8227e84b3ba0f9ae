"""How often systems are ahead of each other, or too close to call, on samples of users."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.scoring.scores import Floats

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Decisions:
    """How each pair of systems was decided over samples (… × pairs).

    ``first`` counts the samples that put the first system ahead, ``second`` those that put
    the second ahead, ``ties`` those in which the two are too close to call.
    """

    first: Counts
    second: Counts
    ties: Counts

    @property
    def error_rate(self) -> Floats:
        r"""The share of decisions against what most samples say of a pair.

        Σ_{a<b} min(n_{a>b}, n_{b>a}) ÷ Σ_{a<b} (n_{a>b} + n_{b>a} + n_{a=b})
        """
        return self._share(np.minimum(self.first, self.second))

    @property
    def proportion_of_ties(self) -> Floats:
        r"""The share of decisions in which systems are too close to call.

        Σ_{a<b} n_{a=b} ÷ Σ_{a<b} (n_{a>b} + n_{b>a} + n_{a=b})
        """
        return self._share(self.ties)

    def _share(self, counts: Counts) -> Floats:
        made = (self.first + self.second + self.ties).sum(-1)
        with np.errstate(invalid="ignore"):
            return np.asarray(counts.sum(-1) / made, dtype=np.float64)


def decide(values: Floats, fuzziness: float) -> Decisions:
    """The decisions between all pairs of systems (samples × … × systems).

    Two values are tied if they are equal, or differ by less than ``fuzziness`` times the
    larger of them, signs aside. A pair with an undefined value is not decided.

    >>> found = decide(np.array([[1.0, 0.9], [1.0, 0.97], [0.8, 1.0]]), 0.05)
    >>> print(found.first, found.second, found.ties)
    [1] [1] [1]
    """
    one, two = np.triu_indices(values.shape[-1], 1)
    difference = values[..., one] - values[..., two]
    margin = fuzziness * np.maximum(np.abs(values[..., one]), np.abs(values[..., two]))
    tied = (np.abs(difference) < margin) | (difference == 0)
    return Decisions(
        ((difference > 0) & ~tied).sum(0), ((difference < 0) & ~tied).sum(0), tied.sum(0)
    )
