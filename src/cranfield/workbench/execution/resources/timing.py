"""Timing: what each stage took, for each system: seconds, processor seconds and memory."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from cranfield.base.machine.memory import PeakMemory
from cranfield.workbench.results.costs import SHARED, Cost

T = TypeVar("T")


class Timing:
    """Costs by stage and system, added up."""

    def __init__(self) -> None:
        self._costs: dict[tuple[str, str], Cost] = {}

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds of each stage, of all systems together."""
        found: dict[str, float] = {}
        for each in self._costs.values():
            found[each.stage] = found.get(each.stage, 0.0) + each.wall_seconds
        return found

    @property
    def costs(self) -> tuple[Cost, ...]:
        """What each stage took of each system, in the order in which they came first."""
        return tuple(self._costs.values())

    @contextmanager
    def of(self, stage: str, system: str = SHARED) -> Iterator[None]:
        """Count what is done inside the block to a stage, and to a system if it is named."""
        start, used = time.perf_counter(), time.process_time()
        memory = PeakMemory()
        try:
            with memory:
                yield
        finally:
            wall, processor = time.perf_counter() - start, time.process_time() - used
            self.add([Cost(stage, system, wall, processor, memory.bytes)])

    def of_each(self, made: Iterable[T], stage: str, system: str) -> Iterator[T]:
        """The same things; what it takes to make each is counted, not what is done with it."""
        members = iter(made)
        while True:
            with self.of(stage, system):
                try:
                    each = next(members)
                except StopIteration:
                    return
            yield each

    def add(self, costs: Iterable[Cost]) -> None:
        """Count what was measured elsewhere, too."""
        for each in costs:
            key = each.stage, each.system
            before = self._costs.get(key)
            self._costs[key] = each if before is None else before.plus(each)
