"""Where judged items landed in given runs, for those who score the same lists many times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cranfield.base.progress import track
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.hits import Hits
from cranfield.recommendation.locating import locate
from cranfield.scoring.scores import Floats
from cranfield.workbench.evaluation import open_runs, positives_of
from cranfield.workbench.evaluation_choice import EvaluationChoice


@dataclass(frozen=True, eq=False)
class RunHits:
    """The hits of each system on the same targets, and the popularity of items."""

    hits: Mapping[str, Hits]
    popularity: Floats


def locate_runs(
    test: Ratings,
    runs: Mapping[str, Any],
    choice: EvaluationChoice,
    train: Ratings | None = None,
) -> RunHits:
    """Find the judged targets in the lists of runs (files or tables, by name).

    Judgments, users and targets are those of an evaluation of the same runs.
    """
    ready = open_runs(test, runs, choice, train)
    everyone = slice(0, ready.training.n_users)
    hits = {}
    for name, run in track(ready.runs.items(), "locating", len(ready.runs)):
        lists = run.read(everyone).run.under(ready.items, ready.catalogue)
        hits[name] = locate(lists, ready.targets, choice.ties, choice.seed)
    return RunHits(hits, positives_of(ready.training, ready.targets.judgments))
