"""Drawn truth: what true values would have been with other users of the same kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.ragged import frozen
from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import CONFIDENCE
from cranfield.significance.resampling import rows_of_blocks

Places = npt.NDArray[np.int64]
"""Numbers of designs."""

DRAWS = 1_000
"""Draws behind an interval."""


@dataclass(frozen=True, eq=False)
class TruthDraws:
    """What a truth study might have found, had it drawn other users and other repetitions.

    ``weights[b, d]`` is how often design d counts in draw b, ``truth[b, d, s]`` the true value
    of system s there; None where the truth is that of all users, and stays as it is.
    """

    weights: Floats
    truth: Floats | None = None

    def __len__(self) -> int:
        return len(self.weights)

    def means(self, values: Floats, groups: Sequence[Places]) -> Floats:
        """The mean of each group of designs in each draw (draws × groups).

        ``values`` are draws × designs, or one row for all draws; NaN is left out.
        """
        known = np.broadcast_to(~np.isnan(values), self.weights.shape)
        counted = self.weights * known
        summed = counted * np.where(np.isnan(values), 0.0, values)
        with np.errstate(invalid="ignore"):
            return np.stack(
                [summed[:, each].sum(axis=1) / counted[:, each].sum(axis=1) for each in groups],
                axis=1,
            )


def draw_repetitions(labels: Places, seeds: Seeds, draws: int = DRAWS) -> Floats:
    """How often each design counts where its repetitions are drawn with replacement.

    Designs of one label, such as a split, are drawn together (draws × designs).
    """
    from cranfield.significance.kernels.drawing import fill_counts

    counts = np.empty((draws, int(labels.max(initial=0)) + 1))
    fill_counts(np.uint64(seeds.key("truth", "repetitions")), 0, counts)
    return np.asarray(counts[:, labels])


@dataclass(frozen=True, eq=False)
class UserShares:
    """What each user adds to the true value of each system: Σ weight · score, and Σ weight.

    Both are systems × users; a user without a topic adds nothing.
    """

    sums: Floats
    weights: Floats

    def __post_init__(self) -> None:
        assert self.sums.shape == self.weights.shape
        object.__setattr__(self, "sums", frozen(self.sums))
        object.__setattr__(self, "weights", frozen(self.weights))

    def values(self, counts: Floats) -> Floats:
        """The mean of each system where each user counts so often (draws × systems)."""
        with np.errstate(invalid="ignore"):
            return np.asarray((counts @ self.sums.T) / (counts @ self.weights.T))

    def among(self, codes: Codes, users: int) -> UserShares:
        """The same users, under other codes, among more of them."""
        sums, weights = np.zeros((2, len(self.sums), users))
        sums[:, codes], weights[:, codes] = self.sums, self.weights
        return UserShares(sums, weights)


def user_shares(entered: Sequence[EnteredScores], users: int) -> UserShares:
    """What each of so many users adds to the mean of each system, from the scores that enter."""
    sums, weights = np.zeros((2, len(entered), users))
    for system, each in enumerate(entered):
        owners = each.measured.topics.users[each.topics]
        sums[system] = np.bincount(owners, each.weights * each.scores, minlength=users)
        weights[system] = np.bincount(owners, each.weights, minlength=users)
    return UserShares(sums, weights)


def draw_truth(parts: Sequence[UserShares], seeds: Seeds, draws: int = DRAWS) -> Floats:
    """True values with users drawn with replacement, the same for all parts.

    Draws × parts × systems. Users are drawn from those with a topic in any of the parts.
    """
    from cranfield.significance.kernels.drawing import fill_counts

    known = np.any([each.weights.any(axis=0) for each in parts], axis=0)
    some = [UserShares(each.sums[:, known], each.weights[:, known]) for each in parts]
    users, key = int(np.count_nonzero(known)), seeds.key("truth", "users")

    def work(block: range) -> Floats:
        counts = np.empty((len(block), users))
        fill_counts(np.uint64(key), block.start, counts)
        return np.stack([each.values(counts) for each in some], axis=1)

    return rows_of_blocks(work, draws, 2 * users)


def ends_of(drawn: Floats) -> tuple[Floats, Floats]:
    """The ends of the percentile interval over draws, which are the first axis.

    Draws that are undefined are left out; both ends are NaN where all are.
    """
    tails = np.array([1 - CONFIDENCE, 1 + CONFIDENCE]) / 2
    flat = drawn.reshape(len(drawn), -1)
    found = [np.quantile(each[~np.isnan(each)], tails) if (~np.isnan(each)).any()
             else np.full(2, np.nan) for each in flat.T]  # fmt: skip
    low, high = np.array(found).reshape(-1, 2).T
    return low.reshape(drawn.shape[1:]), high.reshape(drawn.shape[1:])


def shares_of_first(drawn: Floats) -> Floats:
    """In what share of draws each column has the highest value; those that tie share the draw.

    Draws in which nothing is defined are left out.

    >>> shares_of_first(np.array([[1.0, 0.5], [0.2, 0.2], [0.0, np.nan], [0.0, 1.0]]))
    array([0.625, 0.375])
    """
    known = drawn[~np.isnan(drawn).all(axis=1)]
    if not len(known):
        return np.full(drawn.shape[1], np.nan)
    filled = np.where(np.isnan(known), -np.inf, known)
    first = filled >= filled.max(axis=1, keepdims=True) - 1e-12
    return np.asarray((first / first.sum(axis=1, keepdims=True)).mean(axis=0))
