"""What workers cost: a study in one process, and by workers on the same processors.

Both take turns, each in a process of its own with a new store. Seconds of the clock tell how long a
user waits, seconds of processors what sharing the work costs, whatever else the machine does. What
it takes to start workers is measured by a study of a moment, and stated apart.

    python benchmarks/workers.py --data ml-100k --workers 2 --times 2
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STUDY = """
data = "{data}"
split = "per-user(test_share=0.2)"
relevance = 4
metrics = ["nDCG@10"]
[comparison]
test = "t"
[systems]
{systems}
[study]
draws = 100
[study.vary]
"split.test_share" = {shares}
targets = ["all-items", "test-items"]
metric = ["nDCG", "P"]
"""
SYSTEMS = ("WRMF", "MF", "BPRMF", "SLIM", "PLSA", "LDA", "EASE", "user-kNN", "item-kNN")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="ml-100k")
    parser.add_argument("--workers", default="2")
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--splits", type=int, default=3)
    given = parser.parse_args()
    shares = [round(0.1 + 0.1 * place, 1) for place in range(given.splits)]
    study = _study(given.data, SYSTEMS, shares)
    moment = _study("simulated(size=tiny)", SYSTEMS[-2:], [0.2, 0.4])
    print("seconds of the clock, and of processors")
    for _ in range(given.times):
        for text, definition, workers in (
            ("serial", study, None),
            ("workers", study, given.workers),
            ("a moment, serial", moment, None),
            ("a moment, workers", moment, given.workers),
        ):
            clock, processors = _measured(definition, workers)
            print(f"{text:20} {clock:8.1f} {processors:8.1f}", flush=True)


def _study(data: str, systems: tuple[str, ...], shares: list[float]) -> str:
    named = "\n".join(f'"{name}" = "{name}"' for name in systems)
    return STUDY.format(data=data, systems=named, shares=shares)


def _measured(definition: str, workers: str | None) -> tuple[float, float]:
    """Seconds of the clock and of all processors for one run with a new store."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.toml"
        file.write_text(definition)
        words = ["run", str(file), "--store", f"{folder}/store", "--progress", "none"]
        more = ["--workers", workers] if workers else []
        before, begun = _processors(), time.perf_counter()
        command = [sys.executable, "-m", "cranfield", *words, *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
        return time.perf_counter() - begun, _processors() - before


def _processors() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
