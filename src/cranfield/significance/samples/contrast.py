"""Contrast: the difference of two systems by one metric, and what it is under exchange."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.samples.resampled import Resampled, drawn_again, swapped
from cranfield.significance.samples.samples import Samples


@dataclass(frozen=True, eq=False)
class Contrast:
    """The difference of two systems by one metric, as a table shows it.

    ``users`` are the codes of all users who have a topic, in the order of every array
    here. ``contributions`` add up to the ``difference``, 0 for users who do not enter;
    None where the difference is no such sum. ``influence`` is what users add to its error,
    adding up to 0; None where values are recomputed in every draw.
    """

    users: Codes
    difference: float
    contributions: Floats | None
    influence: Floats | None
    resampled: Resampled | None
    pair: tuple[int, int]

    def swapped(self, signs: Floats) -> Floats:
        """The difference in each draw (draws × users), scores exchanged where a sign is −1."""
        if self.contributions is not None:
            return np.asarray(signs @ self.contributions)
        assert self.resampled is not None
        return swapped(self.resampled, self.pair, signs)

    def drawn_again(self, counts: Floats) -> Floats:
        """The difference in each draw of users, each as often as counted (draws × users)."""
        if self.resampled is not None:
            return drawn_again(self.resampled, self.pair, counts)
        assert self.influence is not None
        return self.difference + np.asarray(counts @ self.influence)


def contrast_of(samples: Samples, scores: Scores, metric: int, pair: tuple[str, str]) -> Contrast:
    """The contrast of two systems, first minus second, by one metric of paired users."""
    at = (samples.systems.index(pair[0]), samples.systems.index(pair[1]))
    again = samples.resampled.get(metric)
    contributions = None
    if again is None:
        contributions = np.zeros(samples.enters.shape[1])
        added = samples.differences(metric, at) * samples.shares(metric)
        contributions[samples.enters[metric]] = added
    return Contrast(
        np.unique(scores.topics.users),
        samples.tabled(metric, at),
        contributions,
        samples.error_parts(metric, at),
        again,
        at,
    )
