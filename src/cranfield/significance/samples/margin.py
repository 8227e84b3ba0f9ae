"""Margin: by how much one system may lie behind another before that counts."""

from __future__ import annotations

from functools import cached_property

from cranfield.base.dataclass import dataclass
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats


@dataclass(frozen=True)
class Margin:
    r"""The scores of one system, moved by what is allowed.

        x'_t = scale·x_t + offset  for every topic t of the system

    So the mean is moved by as much, whatever the weights of topics and whoever is covered,
    and a test of x' against another system is one of the moved mean.
    """

    system: int
    scale: float = 1.0
    offset: float = 0.0

    def moved(self, entered: EnteredScores) -> EnteredScores:
        """The scores of the system, moved; those of any other as they are."""
        if entered.system != self.system:
            return entered
        return _MovedScores(
            entered.measured,
            entered.system,
            entered.metric,
            entered.topics,
            entered.weights,
            entered.defined,
            self,
        )


@dataclass(frozen=True, eq=False)
class _MovedScores(EnteredScores):
    """Scores that entered, moved; 0 for an empty list is moved too."""

    margin: Margin

    @cached_property
    def scores(self) -> Floats:
        """The scores of this system; none is NaN."""
        mine = self._resolved(slice(self.system, self.system + 1))[0]
        moved: Floats = self.margin.scale * mine + self.margin.offset
        return moved
