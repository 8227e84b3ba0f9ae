"""The demonstration behind ``make demo``: from ratings to scores, step by step.

Each step is a command of the command line, shown before it runs, so that what it does
can be done again by hand.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from cranfield.workbench.cli.main import main as cranfield
from cranfield.workbench.cli.rank import path_for

DATA = "simulated(size=medium)"
SYSTEMS = ("Random", "Popularity", "user-kNN(k=50)", "PureSVD", "WRMF", "EASE")
METRICS = ("P@10", "nDCG@10", "AP@100", "RR@100", "RBP(p=0.8)")


def steps(out: Path) -> list[tuple[str, list[str]]]:
    """What is done, in words and as commands."""
    filtered, split, runs = out / "ratings.parquet", out / "split", out / "runs" / "run.tsv"
    train, test = str(split / "train.parquet"), str(split / "test.parquet")
    systems = [part for system in SYSTEMS for part in ("--system", system)]
    files = [f"{system}={path_for(runs, system, alone=False)}" for system in SYSTEMS]
    return [
        ("The data: simulated, with a truth that is known", ["stats", DATA]),
        (
            "Filter: users and items with at least five ratings, to a fixed point",
            ["filter", DATA, "--filter", "k-core(k=5)", "--out", str(filtered)],
        ),
        (
            "Split: one fifth of each user's ratings goes to test",
            [
                *("split", str(filtered), "--split", "per-user(test_share=0.2)"),
                *("--seed", "1", "--out", str(split)),
            ],
        ),
        (
            "Rank: six systems learn from the training part and rank all other items",
            [
                *("rank", "--train", train, "--test", test, "--relevance", "4"),
                *(*systems, "--depth", "100", "--out", str(runs)),
            ],
        ),
        (
            "Evaluate: how good the rankings are, and what a random one would get",
            [
                *("evaluate", "--judgments", test, "--train", train, "--relevance", "4"),
                *(part for file in files for part in ("--run", file)),
                *(part for metric in METRICS for part in ("-m", metric)),
                *("--json", str(out / "evaluation.json")),
                *("--per-user", str(out / "scores.parquet")),
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
    sys.stdout.write(
        f"\nThe summary with all its decisions lies in {out / 'evaluation.json'}, the scores of "
        f"every user in {out / 'scores.parquet'}, the split in {out / 'split'}.\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
