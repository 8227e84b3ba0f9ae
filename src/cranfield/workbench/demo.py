"""The demonstration behind ``make demo``: a small test collection, made step by step.

Each step is a command of the command line, shown before it runs, so that what it does
can be done again by hand.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from cranfield.workbench.cli.main import main as cranfield

DATA = "simulated(size=medium)"


def steps(out: Path) -> list[tuple[str, list[str]]]:
    """What is done, in words and as commands."""
    filtered, split = str(out / "ratings.parquet"), str(out / "split")
    return [
        ("The data: simulated, with a truth that is known", ["stats", DATA]),
        (
            "Filter: users and items with at least five ratings, to a fixed point",
            ["filter", DATA, "--filter", "k-core(k=5)", "--out", filtered],
        ),
        (
            "Split: one fifth of each user's ratings goes to test",
            [
                *("split", filtered, "--split", "per-user(test_share=0.2)"),
                *("--seed", "1", "--out", split),
            ],
        ),
    ]


def main() -> int:
    """Run the demonstration; stop at the first step that fails."""
    parser = argparse.ArgumentParser(description="Run the demonstration.")
    parser.add_argument("--out", type=Path, default=Path("demo"), help="the folder to write")
    out = parser.parse_args().out
    for number, (words, command) in enumerate(steps(out), start=1):
        sys.stdout.write(f"\n── {number}. {words}\n$ cranfield {shlex.join(command)}\n\n")
        sys.stdout.flush()
        if code := cranfield(command):
            return code
    sys.stdout.write(f"\nThe test collection lies in {out / 'split'}; split.json describes it.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
