"""Kernels compiled by a second process, while the first one still loads and reads.

After an installation the first evaluation mostly waits for its kernels to be compiled: half
of the time for those that read text, half for those that come after. Two processors do both
at once: what the second process compiles, the first then finds in the cache. So that both
begin together, the second is started before the first has loaded the compiler.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cranfield.base.threads import thread_count
from cranfield.scoring.kernels.cached import are_cached
from cranfield.workbench.cli.shared.glance import glance


@contextmanager
def compiling(given: Sequence[str]) -> Iterator[None]:
    """Have the kernels that the words of a command need compiled, if they are not yet.

    These are the kernels of its metrics, if it scores runs. Whatever goes wrong costs nothing
    but time: the kernels that are lacking are compiled where they are needed.
    """
    metrics = glance(given).metrics
    lacking = bool(metrics) and thread_count() > 1 and not are_cached()
    process = _started(metrics) if lacking else None
    try:
        yield
    finally:
        if process is not None:
            process.terminate()
            process.wait()


def _started(metrics: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """The second process, if the system lets there be one."""
    # -P: files of the working folder are not to be taken for modules.
    words = [sys.executable, "-P", "-m", __spec__.name, *metrics]
    nowhere = subprocess.DEVNULL
    try:
        return subprocess.Popen(words, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    except OSError:
        return None


def main(metrics: list[str]) -> None:
    """Evaluate a list of two, which takes all the kernels that a long run takes."""
    from cranfield.workbench.verbs.evaluation import evaluate  # which the first need not load

    table = {"user": [1, 1], "item": [1, 2], "rating": [5.0, 1.0], "score": [2.0, 1.0]}
    evaluate(table, {"run": table}, metrics, relevance=4, train={"user": [1], "item": [3]})


if __name__ == "__main__":
    main(sys.argv[1:])
