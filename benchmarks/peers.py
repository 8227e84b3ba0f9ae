"""Cranfield beside the tools of the field, in one table.

    python benchmarks/peers.py [NAME …] [--folder DIR] [--data ml-1m] [--users 1000] [--method NAME]

Every tool gets an environment of its own below the folder (~/.cache/cranfield/peers), in which
pip chooses the versions; it stays for the next time, when only Cranfield is installed anew. There,
Cranfield and the tool do the same work in one process: fitting recommenders and ranking the top
100 (`recommenders.py`), scoring lists by nine metrics or as many as the tool has (`scoring.py`),
and permutation tests (`significance.py`). ratio: the tool's seconds by ours; above 1 we are faster.
A tool that cannot be installed is named with the reason.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from neighbours import HOME, first_fault

CACHE = Path.home() / ".cache" / "cranfield" / "peers"
COLUMNS = ("tool", "work", "its s", "our s", "ratio", "its P@10", "our P@10")


class Row(NamedTuple):
    """The seconds of one piece of work, theirs and ours, and P@10 where there is one."""

    work: str
    theirs: float
    ours: float
    their_precision: float | None = None
    our_precision: float | None = None


def fits(tool: str, asked: argparse.Namespace) -> Iterator[Row]:
    """Fit and top 100 of every method that the tool has."""
    import recommenders

    parts = recommenders.collection(asked.data, asked.users)
    tiny = recommenders.collection("simulated(size=tiny)", asked.users)
    for method in dict(recommenders.PEERS[tool](tiny)):
        if asked.method in (None, method):
            ours, theirs = recommenders.compare(method, parts, tiny, [tool]).values()
            seconds = (theirs[0] + theirs[1], ours[0] + ours[1])
            yield Row(f"{method}: fit, top 100", *seconds, theirs[2], ours[2])


def scores(tool: str, _asked: argparse.Namespace) -> Iterator[Row]:
    """Metrics at depth 100 of data already in the form that the tool takes."""
    import scoring
    from cranfield.base.options import parse
    from cranfield.scoring.measurement.measure import measure
    from cranfield.scoring.metric import Metric

    judged, ratings, lists = scoring.make_lists(6040)
    hits = scoring.hits_of(judged, ratings, lists)
    metrics: list[Metric] = [parse("metric", f"{name}@{scoring.DEPTH}") for name in scoring.NINE]
    count, prepare = scoring.PEERS[tool]
    theirs = prepare(*scoring.dictionaries(judged, ratings, lists))
    works: dict[str, Callable[[], object]] = {
        "ours": lambda: measure(hits, metrics),
        "theirs": theirs,
    }
    for work in works.values():
        work()
    taken = scoring.best(works, 0.3)
    name = f"{count} metrics of 6,040 lists (ours: 9)"
    yield Row(name, taken["theirs"] / 1000, taken["ours"] / 1000)


def tests(_tool: str, _asked: argparse.Namespace) -> Iterator[Row]:
    """One pair of systems by permutation; SciPy's time grows with the draws."""
    import significance
    from cranfield.significance.paired_tests import Permutation

    draws, fewer = 100_000, 1000
    samples = significance.make_samples(2, 1, 6040)
    significance.seconds(Permutation(draws=100), samples)
    ours = significance.seconds(Permutation(draws=draws), samples)
    theirs = significance.scipy_seconds(samples, fewer) * draws / fewer
    yield Row("permutation test, 100,000 draws (its: from 1,000)", theirs, ours)


Work = Callable[[str, argparse.Namespace], Iterator[Row]]


@dataclass(frozen=True)
class Peer:
    """What to install, and the work that is shared, by the name that its benchmark has for it."""

    requirements: tuple[str, ...]
    works: tuple[tuple[Work, str], ...]


PEERS = {
    "implicit": Peer(("implicit",), ((fits, "implicit"),)),
    "LensKit": Peer(("lenskit",), ((fits, "lenskit"),)),
    "RecTools": Peer(("rectools",), ((fits, "rectools"), (scores, "RecTools"))),
    "Cornac": Peer(("cornac",), ((fits, "cornac"),)),
    "ranx": Peer(("ranx",), ((scores, "ranx"),)),
    "pytrec_eval": Peer(("pytrec-eval-terrier",), ((scores, "pytrec_eval"),)),
    "ir_measures": Peer(("ir-measures", "pandas"), ((scores, "ir_measures"),)),
    "SciPy": Peer(("scipy",), ((tests, "scipy"),)),
}


def environment(name: str, folder: Path) -> str | subprocess.CompletedProcess[str]:
    """The Python of a tool's environment, or what went wrong in setting it up."""
    place = folder / PEERS[name].requirements[0]
    python = str(place / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    pip = [python, "-m", "pip", "install", "-q", "--prefer-binary"]
    steps = [[*pip, "--force-reinstall", "--no-deps", str(HOME)]]
    ready = place / "ready"
    if not ready.exists():
        venv.create(place, with_pip=True, clear=True)
        steps = [[*pip, str(HOME), *PEERS[name].requirements]]
    for command in steps:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return done
    ready.touch()
    return python


def inside(name: str, asked: argparse.Namespace) -> None:
    """Do the work in this process; one line of JSON for each piece."""
    from cranfield.workbench import inventory

    inventory.load()
    warnings.simplefilter("ignore")
    for work, tool in PEERS[name].works:
        for row in work(tool, asked):
            print(json.dumps(row), flush=True)


def rows(name: str, folder: Path, given: list[str]) -> Iterator[str]:
    """The rows of the table for one tool."""
    python = environment(name, folder)
    if not isinstance(python, str):
        yield f"| {name} | not installed: {first_fault(python)} |{' |' * 5}"
        return
    command = [python, __file__, "--inside", name, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("["):
            yield shown(name, Row(*json.loads(line)))
    if done.returncode:
        yield f"| {name} | failed: {first_fault(done)} |{' |' * 5}"


def shown(name: str, row: Row) -> str:
    seconds = f"{row.theirs:.4g} | {row.ours:.4g} | {row.theirs / row.ours:.2f}"
    pair = (row.their_precision, row.our_precision)
    precisions = " | ".join("" if each is None else f"{each:.4f}" for each in pair)
    return f"| {name} | {row.work} | {seconds} | {precisions} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PEERS))
    parser.add_argument("--folder", type=Path, default=CACHE, help=f"of environments ({CACHE})")
    parser.add_argument("--data", default="ml-1m", help="ratings to split (ml-1m)")
    parser.add_argument("--users", type=int, default=1000, help="users to rank for (1000)")
    parser.add_argument("--method", help="only this method of recommendation")
    parser.add_argument("--inside", metavar="NAME", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        inside(asked.inside, asked)
        return
    if unknown := set(asked.names) - set(PEERS):
        parser.error(f"{', '.join(sorted(unknown))}: known are {', '.join(PEERS)}")
    given = [f"--data={asked.data}", f"--users={asked.users}"]
    given += [f"--method={asked.method}"] if asked.method else []
    print(f"| {' | '.join(COLUMNS)} |")
    print(f"|{' :-- |' * 2}{' --: |' * (len(COLUMNS) - 2)}")
    for name in asked.names or PEERS:
        for line in rows(name, asked.folder, given):
            print(line, flush=True)


if __name__ == "__main__":
    main()
