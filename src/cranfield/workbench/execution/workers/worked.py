"""Worked: what each process of each machine has done for a driver."""

from __future__ import annotations

from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.workbench.execution.workers.task import Outcome


@dataclass
class Worked:
    """What one process of one machine has done."""

    host: str
    process: int
    tasks: int = 0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "seconds": round(self.seconds, 3)}


class WorkRecord:
    """Who has done how much."""

    def __init__(self) -> None:
        self._worked: dict[tuple[str, int], Worked] = {}

    def add(self, outcome: Outcome) -> None:
        """Note who did a task."""
        place = outcome.host, outcome.process
        worked = self._worked.setdefault(place, Worked(*place))
        worked.tasks += 1
        worked.seconds += outcome.seconds

    @property
    def worked(self) -> tuple[Worked, ...]:
        """Who has done something so far, by host and process."""
        return tuple(self._worked[place] for place in sorted(self._worked))
