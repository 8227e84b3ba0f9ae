"""Which tools of the field can be installed beside Cranfield, and still work.

    python benchmarks/neighbours.py [NAME …] [--folder DIR] [--with REQUIREMENT …]

Each gets an environment of its own, in which pip chooses the versions; then both are used in
one process: the tool on its own data where it needs little, and Cranfield on a table. ``--with``
adds requirements, such as a build of torch for processors alone. A row tells the versions that
pip chose, or what went wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).parents[1]
LONGEST = 120
VERSIONS = ("numpy", "scipy", "pandas", "polars", "numba")


@dataclass(frozen=True)
class Neighbour:
    """A tool by its distribution, and a few lines that use it."""

    distribution: str
    use: str


NEIGHBOURS = {
    "RePlay": Neighbour(
        "replay-rec",
        """
from replay.metrics import Precision
import pandas as pd
lists = pd.DataFrame({"query_id": [1, 1], "item_id": [8, 7], "rating": [0.9, 0.5]})
truth = pd.DataFrame({"query_id": [1], "item_id": [7]})
made = Precision([2], query_column="query_id", rating_column="rating")(lists, truth)
assert abs(made["Precision@2"] - 0.5) < 1e-9
""",
    ),
    "RecTools": Neighbour(
        "rectools",
        """
from rectools.metrics import Precision
import pandas as pd
lists = pd.DataFrame({"user_id": [1, 1], "item_id": [8, 7], "rank": [1, 2]})
truth = pd.DataFrame({"user_id": [1], "item_id": [7]})
assert Precision(k=2).calc(lists, truth) == 0.5
""",
    ),
    "WarpRec": Neighbour("warprec", "import warprec"),
    "LensKit": Neighbour(
        "lenskit",
        """
from lenskit.data import ItemList
from lenskit.metrics import Precision
lists = ItemList(item_ids=[8, 7], scores=[0.9, 0.5], ordered=True)
assert Precision(2).measure_list(lists, ItemList(item_ids=[7])) == 0.5
""",
    ),
    "Cornac": Neighbour(
        "cornac",
        """
from cornac.metrics import Precision
import numpy as np
assert Precision(k=2).compute(gt_pos=np.array([7]), pd_rank=np.array([8, 7])) == 0.5
""",
    ),
    "implicit": Neighbour(
        "implicit",
        """
from implicit.nearest_neighbours import CosineRecommender
import scipy.sparse
model = CosineRecommender(K=2)
model.fit(scipy.sparse.csr_matrix([[1.0, 1, 0], [0, 1, 1]]), show_progress=False)
assert model.similarity.shape == (3, 3)
""",
    ),
    "ranx": Neighbour(
        "ranx",
        """
from ranx import Qrels, Run, evaluate
value = evaluate(Qrels({"1": {"7": 1}}), Run({"1": {"8": 0.9, "7": 0.5}}), "precision@2")
assert value == 0.5
""",
    ),
}

OURS = """
import json
from importlib.metadata import PackageNotFoundError, version
import cranfield as cf
test = {"user": [1], "item": [7], "rating": [5]}
lists = {"user": [1, 1], "item": [8, 7], "score": [0.9, 0.5]}
made = cf.evaluate(test, {"mine": lists}, ["P@2"], relevance=4)
assert made.summary.row("mine", "P@2").value == 0.5
asked = {"data": "simulated(size=tiny)", "split": "per-user", "relevance": 4, "seed": 1,
         "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"}, "metrics": ["nDCG@10"]}
assert cf.run(asked).summary.row("kNN", "nDCG@10").value > 0
found = {}
for each in %s:
    try:
        found[each] = version(each)
    except PackageNotFoundError:
        found[each] = "–"
print(json.dumps(found))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Text)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NEIGHBOURS))
    parser.add_argument("--folder", type=Path, help="where environments stay; else they do not")
    parser.add_argument("--with", dest="more", nargs="+", default=[], metavar="REQUIREMENT")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NEIGHBOURS):
        parser.error(f"{', '.join(sorted(unknown))}: known are {', '.join(NEIGHBOURS)}")
    chosen = asked.names or list(NEIGHBOURS)
    with tempfile.TemporaryDirectory() as passing:
        print(f"| tool | version | {' | '.join(VERSIONS)} | |")
        print(f"|---|---|{'---|' * len(VERSIONS)}---|")
        for name in chosen:
            print(row(name, asked.folder or Path(passing), asked.more), flush=True)


class _Text(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the description."""


def row(name: str, folder: Path, more: list[str]) -> str:
    """What came of installing Cranfield beside one tool, as a row of the table."""
    tool = NEIGHBOURS[name]
    names = (tool.distribution, *VERSIONS)
    place = folder / tool.distribution
    venv.create(place, with_pip=True, clear=True)
    python = str(place / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    pip = [python, "-m", "pip", "install", "-q", "--prefer-binary"]
    steps = (
        ("not installed", [*pip, str(HOME), tool.distribution, *more]),
        ("not compatible", [python, "-m", "pip", "check"]),
        ("does not work", [python, "-c", tool.use + OURS % (names,)]),
    )
    for problem, command in steps:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"| {name} | {'| ' * (len(names) - 1)}| {problem}: {first_fault(done)} |"
    found = json.loads(done.stdout.splitlines()[-1])
    return f"| {name} | {' | '.join(found[each] for each in names)} | works |"


def first_fault(done: subprocess.CompletedProcess[str]) -> str:
    """What a command said went wrong: pip's last error, or Python's last line, in a few words."""
    lines = [line for line in (*done.stdout.splitlines(), *done.stderr.splitlines()) if line]
    errors = [line for line in lines if line.startswith("ERROR:")]
    if any("Requires-Python" in line for line in errors) and "No matching" in errors[-1]:
        return f"no version for Python {sys.version_info.major}.{sys.version_info.minor}"
    return (errors or lines or ["nothing was said"])[-1].removeprefix("ERROR: ")[:LONGEST]


if __name__ == "__main__":
    main()
