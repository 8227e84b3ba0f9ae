"""Successive halving: many settings on few users, the best of them on more."""

from __future__ import annotations

from math import isfinite
from typing import Any, ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.workbench.tuning.search import Proposal, Proposals, Search
from cranfield.workbench.tuning.searches.random import RandomSearch


@option("search", "halving")
@dataclass(frozen=True, kw_only=True)
class Halving(Search):
    """Random settings on a share of the training users; the best 1/η of them on η times as many.

        shares η^−s, η^−(s−1), …, 1 of the users,   s = ⌊log_η min(n, 1/least)⌋

    n settings begin, the same as in random search, on users that are drawn once: those of a
    smaller share are among those of a larger. Systems learn from these users alone, and are
    validated on them. The last share is all users, and the best setting there is chosen. The
    defaults stay to the end, so that what was gained is known. Jamieson & Talwalkar 2016.
    """

    needs_trials: ClassVar[bool] = True

    factor: int = parameter(3, "η: one setting in η is kept, at least 2.", at_least=2)
    least: float = parameter(
        0.1, "The smallest share of the training users, above 0.", above=0, at_most=1
    )

    def propose(self, option: Any, seeds: Seeds, trials: int | None) -> Proposals:
        """All settings on the smallest share, then those that stay on larger ones."""
        assert trials is not None  # a budget in seconds is refused
        (left,) = RandomSearch().propose(option, seeds, trials)
        for share in self.shares(len(left)):
            values = yield [Proposal(each.number, each.setting, share) for each in left]
            order = np.argsort(-np.array(values), kind="stable").tolist()
            best = [at for at in order if isfinite(values[at])][: -(-len(left) // self.factor)]
            left = [left[at] for at in sorted({0, *best})]

    def shares(self, settings: int) -> list[float]:
        """The shares of users on which so many settings are tried in turn.

        >>> [round(share, 2) for share in Halving().shares(20)]
        [0.11, 0.33, 1.0]
        """
        rounds = 0
        while self.factor ** (rounds + 1) <= min(settings, 1 / self.least):
            rounds += 1
        return [float(self.factor) ** (number - rounds) for number in range(rounds + 1)]
