"""Grid search: all combinations of a few values of each parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.workbench.tuning.search import Proposals, Search, distinct, one_by_one
from cranfield.workbench.tuning.space import grid, size_of_grid

_LARGEST = 20_000
"""Settings of a grid beyond which nobody can have meant it."""


@option("search", "grid")
@dataclass(frozen=True, kw_only=True)
class GridSearch(Search):
    """The defaults, then every combination of choices and of levels of each range.

    Levels are evenly spread from end to end of a range, by orders of magnitude with log.
    The grid is tried in an order drawn at random, so that a budget smaller than the grid tries
    some of everything; a larger one ends with the grid.
    """

    levels: int = parameter(5, "Values of each range, at least 2.", at_least=2, at_most=1000)

    def propose(self, option: Any, seeds: Seeds, trials: int | None) -> Proposals:
        """The defaults, then the grid in its drawn order."""
        size = size_of_grid(option, self.levels)
        if size > _LARGEST:
            raise OptionError(
                f"{self}: {option} has {size:,} combinations. Tune fewer parameters, lower levels, "
                "or use random search."
            )
        settings = list(grid(option, self.levels))
        order = np.argsort(seeds.words("grid", size=size), kind="stable").tolist()
        return one_by_one(distinct(option, (settings[at] for at in order)), trials)
