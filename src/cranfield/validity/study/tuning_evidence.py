"""The evidence of budgets: did tuning decide which of two systems wins?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cranfield.base.errors import counted
from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.pair_outcomes import PairOutcomes, pair_outcomes

BUDGET = "tuning.budget"
"""The decision on how much each system may try."""


class _Lead(NamedTuple):
    """Who is ahead in most designs of one budget: 1 the first, −1 the second, 0 neither."""

    budget: float
    winner: int
    designs: int
    of: int

    @property
    def trials(self) -> str:
        """How the systems of these designs were tuned."""
        if self.budget == 1:
            return "with their defaults"
        return f"tuned by {counted(int(self.budget), 'trial')} each"

    @property
    def where(self) -> str:
        """In how many designs it is ahead; nothing if there is but one."""
        return "" if self.of == 1 else f" in {self.designs:,} of {self.of:,} designs"


def tuning_evidence(designs: Designs, first: str, second: str) -> Iterator[str]:
    """Who is ahead with the smallest and with the largest budget, if budgets were varied."""
    if BUDGET not in designs.factors or not designs.decisions[BUDGET].dtype.is_numeric():
        return
    budgets = designs.decisions[BUDGET].to_numpy()
    known = np.unique(budgets[~np.isnan(budgets)])
    if len(known) < 2:
        return
    pair = pair_outcomes(designs, (first, second))
    few, many = (_lead(pair, budgets, budget) for budget in (known[0], known[-1]))
    names = {1: (first, second), -1: (second, first)}
    if not few.of or not many.of or not (few.winner or many.winner):
        return
    if few.winner == many.winner:
        one, other = names[few.winner]
        yield (
            f"Tuning did not decide it: {one} scores more than {other} {few.trials}{few.where}, "
            f"and {many.trials}{many.where}."
        )
        return
    found = "decided it" if few.winner and many.winner else "matters"
    said = [
        f"{each.trials}, {' scores more than '.join(names[each.winner])}{each.where}"
        if each.winner
        else f"{each.trials}, neither scores more in most designs"
        for each in (few, many)
    ]
    yield f"Tuning {found}: {said[0]}; {said[1]}."


def _lead(pair: PairOutcomes, budgets: Floats, budget: float) -> _Lead:
    winners = pair.winners[(budgets == budget) & pair.defined]
    winner = int(np.sign(winners.sum()))
    return _Lead(budget, winner, int(np.count_nonzero(winners == winner)), len(winners))
