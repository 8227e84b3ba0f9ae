"""Random search: settings drawn from the ranges, each independent of all others."""

from __future__ import annotations

from itertools import count
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.base.seeds import Seeds
from cranfield.workbench.tuning.search import Proposals, Search, distinct, one_by_one
from cranfield.workbench.tuning.space import draw


@option("search", "random")
@dataclass(frozen=True, kw_only=True)
class RandomSearch(Search):
    """Settings drawn at random, the defaults first; one that was tried before is drawn again.

    Numbers are drawn evenly from their range, or evenly by orders of magnitude with log,
    choices with equal probability. Trial t depends on the seed and t alone, so that the
    trials of a smaller budget are the first ones of a larger. Bergstra & Bengio 2012.
    """

    def propose(self, option: Any, seeds: Seeds, trials: int | None) -> Proposals:
        """The defaults, then one draw after the other."""
        drawn = (draw(option, seeds, number) for number in count())
        return one_by_one(distinct(option, drawn), trials)
