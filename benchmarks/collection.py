"""Reading, filtering and splitting, beside plain Polars and LensKit on the same work.

    python benchmarks/collection.py                 MovieLens 1M, if $CRANFIELD_DATA has it
    python benchmarks/collection.py --ratings 25    and 25 million generated ratings

Each step is timed in a fresh process, the tools in turn in every round, so that all meet the
same moods of the machine, and reported as the median of the rounds and as a ratio. Peers that
are not installed are left out.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

TIMED = """
import resource, time
{prepare}
start = time.perf_counter()
{work}
spent = time.perf_counter() - start
print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""

OURS = "import cranfield, polars\nfrom cranfield.workbench import inventory\ninventory.load()"
READ = "ratings = cranfield.read({path!r})"
FILTER = "kept = cranfield.filter(ratings, 'k-core(k=5)').ratings"
SPLIT = "split = cranfield.split(kept, 'per-user(test_share=0.2)', seed=1)\nsplit.train, split.test"

POLARS = "import polars"
POLARS_READ = "frame = polars.read_csv({path!r}{how})"

LENSKIT = """
import pandas, polars
from lenskit.data import from_interactions_df
from lenskit.splitting import SampleFrac, sample_users
"""
LENSKIT_READ = """
frame = polars.read_csv({path!r}{how}).to_pandas()
frame.columns = ["user_id", "item_id", "rating", "timestamp"]
data = from_interactions_df(frame)
"""
LENSKIT_SPLIT = """
split = sample_users(data, data.user_count, SampleFrac(0.2, rng=1), rng=1)
split.train, split.test
"""


def timed(prepare: str, work: str) -> tuple[float, float]:
    """The seconds and the peak memory in GiB of some work in a fresh process."""
    command = [sys.executable, "-c", TIMED.format(prepare=prepare, work=work)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), float(memory)


def generate(path: Path, millions: float) -> None:
    """A file like MovieLens 25M: a long tail of items; users together, items in no order."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(0)
    rows = int(millions * 1.04e6)
    users, items = int(6500 * millions), int(2400 * millions)
    drawn = (users * rng.random(rows) ** 1.5).astype(np.int64) * items
    pairs = np.unique(drawn + (items * rng.random(rows) ** 3).astype(np.int64))
    pairs = pairs[np.lexsort((rng.random(len(pairs)), pairs // items))]
    table = {
        "userId": pairs // items + 1,
        "movieId": pairs % items + 1,
        "rating": rng.integers(1, 11, len(pairs)) / 2,
        "timestamp": rng.integers(10**9, 16 * 10**8, len(pairs)),
    }
    pl.DataFrame(table).write_csv(path)


def compare(name: str, path: Path, how: str, runs: int, *, peers: bool) -> None:
    """Print the seconds of each tool and the ratio to the first."""
    reading = READ.format(path=str(path))
    rows = [
        ("read", "plain polars.read_csv", POLARS, POLARS_READ.format(path=str(path), how=how)),
        ("read", "cranfield", OURS, reading),
        ("read, 5-core, split", "cranfield", OURS, f"{reading}\n{FILTER}\n{SPLIT}"),
        ("read, split", "cranfield", OURS, f"{reading}\nkept = ratings\n{SPLIT}"),
    ]
    if peers and find_spec("lenskit"):
        read = LENSKIT_READ.format(path=str(path), how=how)
        rows.append(("read, split", "lenskit", LENSKIT, read + LENSKIT_SPLIT))
    print(f"\n{name}\n{'work':22}{'tool':24}{'seconds':>9}{'GiB':>7}{'× plain Polars':>16}")
    rounds = [[timed(prepare, code) for _, _, prepare, code in rows] for _ in range(runs)]
    plain = 0.0
    for (work, tool, _, _), results in zip(rows, zip(*rounds, strict=True), strict=True):
        seconds = statistics.median(spent for spent, _ in results)
        memory = max(used for _, used in results)
        plain = plain or seconds
        print(f"{work:22}{tool:24}{seconds:9.2f}{memory:7.2f}{seconds / plain:16.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ratings", type=float, metavar="MILLIONS", help="generated ratings")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--peers", action="store_true", help="compare on the generated ratings too (slow)"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(os.environ.get("CRANFIELD_DATA", "")) / "movielens-1m" / "ratings.dat.gz"
        if packed.exists():
            path = Path(folder) / "ratings.dat"
            with gzip.open(packed) as source, path.open("wb") as target:
                shutil.copyfileobj(source, target)
            how = ", separator=':', has_header=False, columns=[0, 2, 4, 6]"
            compare("MovieLens 1M, ratings.dat", path, how, given.runs, peers=True)
        if given.ratings:
            path = Path(folder) / "ratings.csv"
            generate(path, given.ratings)
            name = f"{given.ratings:g} million generated ratings, CSV"
            compare(name, path, "", given.runs, peers=given.peers)


if __name__ == "__main__":
    main()
