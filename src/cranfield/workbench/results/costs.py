"""Costs: what each stage of an experiment took, and the machine on which it did."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.memory import machine_bytes
from cranfield.base.threads import processor_count, thread_count

SHARED = ""
"""The system of a stage that all systems share."""


@dataclass(frozen=True)
class Cost:
    """What one stage took, for one system or for all of them together (``system`` is empty).

    ``processor_seconds`` are those of all threads. ``peak_bytes`` is the most memory that the
    whole process had meanwhile, libraries and data included. What was cached costs nothing
    and has no entry.
    """

    stage: str
    system: str
    wall_seconds: float
    processor_seconds: float
    peak_bytes: int

    def plus(self, other: Cost) -> Cost:
        """Both together, one after the other."""
        return Cost(
            self.stage,
            self.system,
            self.wall_seconds + other.wall_seconds,
            self.processor_seconds + other.processor_seconds,
            max(self.peak_bytes, other.peak_bytes),
        )

    def rounded(self) -> Cost:
        """The same in whole milliseconds."""
        wall, processor = round(self.wall_seconds, 3), round(self.processor_seconds, 3)
        return Cost(self.stage, self.system, wall, processor, self.peak_bytes)


@dataclass(frozen=True)
class Machine:
    """Where something was computed: system, processor, how many of them, memory, threads."""

    system: str
    processor: str
    processors: int
    memory_bytes: int
    threads: int

    def __str__(self) -> str:
        memory = f", {self.memory_bytes / 2**30:.0f} GiB" if self.memory_bytes else ""
        return (
            f"{self.processor} ({self.processors} available, {self.threads} used){memory}, "
            f"{self.system}"
        )


def this_machine() -> Machine:
    """The machine that this process runs on; its name is not told."""
    return Machine(
        system=f"{platform.system()} {platform.release()}".strip(),
        processor=_processor(),
        processors=processor_count(),
        memory_bytes=machine_bytes(),
        threads=thread_count(),
    )


@cache
def _processor() -> str:
    """The name of the processor, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    found = " ".join(next(named, "").split())
    return found or platform.processor() or platform.machine() or "unknown processor"


def cost_rows(costs: Iterable[Cost]) -> list[tuple[str, str, str, str, str]]:
    """System, stage, seconds, processor seconds and peak memory as text; shared stages first."""
    ordered = sorted(costs, key=lambda each: each.system != SHARED)
    return [
        (
            each.system or "all",
            each.stage.replace("_", " "),
            f"{each.wall_seconds:.2f}",
            f"{each.processor_seconds:.2f}",
            f"{each.peak_bytes / 2**20:,.0f}",
        )
        for each in ordered
    ]
