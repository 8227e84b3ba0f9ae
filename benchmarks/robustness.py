"""The robustness study of valcarce2020 §4.2 on MovieLens 1M, timed.

    python benchmarks/robustness.py [--samples 50] [--systems NAME,…] [--copies N] [--json FILE]

Needs $CRANFIELD_DATA (with movielens-1m/ratings.parquet) and $CRANFIELD_PUBLISHED (with
valcarce2018/). Fits and ranks the 21 systems of the papers, or some of them, to depth 100
on the authors' split, then thins their test set in five ways at 21 sizes, by nine metrics
and both means. Prints the areas under the curves of τ and what the thinning took; fails if
the whole study takes 5 minutes. Copies of systems make up the load of more systems.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import published_systems as published

from cranfield.base.options import parse
from cranfield.base.threads import thread_count
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.topics import UserChoice
from cranfield.recommendation.choice import RankingChoice
from cranfield.recommendation.hits import Hits
from cranfield.validity.criteria.robustness import Robustness
from cranfield.validity.criterion import Evidence
from cranfield.view.assessments import assessment_text
from cranfield.workbench import inventory
from cranfield.workbench.ranking_steps import choose_targets, run_system

METRICS = (
    "P@100", "Recall@100", "F1@100", "AP@100", "nDCG@100", "RR@100", "ERR@100", "Bpref@100",
    "InfAP@100",
)  # fmt: skip
MOST_SECONDS = 5 * 60


def hits_of(names: list[str]) -> dict[str, Hits]:
    parts = published.authors_split(published.movielens())
    targets = choose_targets(parts, [parse_targets("all-items")], UserChoice(), published.SEED)
    spelled = published.recorded()
    choice = RankingChoice(seed=published.SEED)
    hits = {}
    for name in names or spelled:
        start = time.perf_counter()
        made = run_system(name, parse("recommender", spelled[name]), targets, choice)
        hits[name] = made.ranked[0].hits.cut(100)
        print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    return hits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--systems", default="", metavar="NAME,…")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    inventory.load()
    hits = hits_of([name for name in given.systems.split(",") if name])
    hits |= {f"{name} {n}": each for n in range(2, given.copies + 1) for name, each in hits.items()}
    metrics = tuple(parse("metric", text) for text in METRICS)
    rows = len(next(iter(hits.values())).items)
    start = time.perf_counter()
    made = Robustness(samples=given.samples).assess(Evidence(hits=hits, metrics=metrics))
    took = time.perf_counter() - start
    print(assessment_text(made))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"\n{len(hits)} systems x {len(metrics)} metrics x 5 scenarios x 21 sizes x "
        f"{given.samples} samples of {rows:,} judgments: {took:.1f} s with {thread_count()} "
        f"threads, peak memory {peak:.2f} GiB"
    )
    if given.json:
        given.json.write_text(json.dumps(made.to_dict()))
    if took > MOST_SECONDS:
        raise SystemExit("That is more than 5 minutes.")


if __name__ == "__main__":
    main()
