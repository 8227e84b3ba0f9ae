"""The robustness study of valcarce2020 §4.2 on MovieLens 1M, timed.

    python benchmarks/robustness.py FOLDER [--samples 50] [--copies N] [--json FILE]

FOLDER has the runs of the 21 systems, see published_runs.py; those that are missing are
made first. Thins the authors' test set in five ways at 21 sizes and scores all systems by
nine metrics and both means. Prints the areas under the curves of τ and what the thinning
took; fails if that is 5 minutes. Copies of systems make up the load of more systems.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from dataclasses import replace
from pathlib import Path

from published_runs import make_runs

from cranfield.base.options import parse
from cranfield.base.threads import thread_count
from cranfield.validity.assessment import Assessment
from cranfield.validity.criteria.robustness import Robustness
from cranfield.validity.criterion import Evidence
from cranfield.view.tables.assessments import assessment_text
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.assessing import locate_systems

METRICS = (
    "P@100", "Recall@100", "F1@100", "AP@100", "nDCG@100", "RR@100", "ERR@100", "Bpref@100",
    "InfAP@100",
)  # fmt: skip
MOST_SECONDS = 5 * 60


def hits_of(folder: Path) -> Evidence:
    """Where judged items landed in the runs of the 21 systems."""
    runs = {name: str(place) for name, place in make_runs(folder).items()}
    parts = given_parts(folder / "test.parquet", folder / "train.parquet")
    metrics = tuple(parse("metric", text) for text in METRICS)
    return locate_systems(Experiment(split=parts, runs=runs, metrics=metrics, relevance=4))


def assess(evidence: Evidence, criterion: Robustness) -> tuple[Assessment, str]:
    """The verdict of the study, and what it took in words."""
    assert evidence.hits is not None
    systems, metrics = len(evidence.hits), len(evidence.metrics)
    rows = len(next(iter(evidence.hits.values())).items)
    start = time.perf_counter()
    made = criterion.assess(evidence)
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    said = (
        f"{systems} systems × {metrics} metrics × {len(criterion.scenarios)} "
        f"scenarios × {len(criterion.sizes)} sizes × {criterion.samples} samples of {rows:,} "
        f"judgments, both means: {took:.0f} s with {thread_count()} threads, peak memory "
        f"{peak:.2f} GiB."
    )
    if took > MOST_SECONDS:
        raise SystemExit(f"{said}\nThat is more than 5 minutes.")
    return made, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = hits_of(given.folder)
    known = found.hits or {}
    more = {f"{name} {n}": each for n in range(2, given.copies + 1) for name, each in known.items()}
    whole = replace(found, hits={**known, **more})
    made, said = assess(whole, Robustness(samples=given.samples))
    print(f"{assessment_text(made)}\n\n{said}")
    if given.json:
        given.json.write_text(json.dumps(made.to_dict()))


if __name__ == "__main__":
    main()
