"""Blocks of draws: what a test finds in them, worked out by several workers.

Blocks come from the test, and depend on the number of draws and what each takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from cranfield.base.dataclass import dataclass
from cranfield.significance.resampling import BlockWork
from cranfield.workbench.execution.workers.message import Message
from cranfield.workbench.execution.workers.task import Job

_BYTES = 256 << 20
"""Memory of a task, besides what is sent: signs and statistics of a block, and libraries."""


@dataclass(frozen=True, eq=False)
class DrawWork:
    """The same work on several blocks of draws."""

    work: BlockWork
    blocks: Sequence[range]

    def jobs(self) -> list[Job]:
        """Every block as a job."""
        mark = uuid4().hex  # nothing of it is stored, or asked for again
        return [
            Job(
                key=f"draws {mark} {block.start}",
                name=f"draws {block.start + 1} to {block.stop}",
                system=b"",
                fold=0,
                places=(at,),
                spelling=None,
                draws=(block.start, block.stop),
            )
            for at, block in enumerate(self.blocks)
        ]


def bytes_of(message: Message) -> int:
    """The memory that a task needs."""
    return message.size + _BYTES
