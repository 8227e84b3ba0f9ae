"""Where judged items landed in given runs, for those who score the same lists many times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.base.progress import track
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.hits import Hits
from cranfield.recommendation.locating import locate
from cranfield.recommendation.run_coding import Collection
from cranfield.recommendation.run_files import open_run
from cranfield.recommendation.run_source import open_lists
from cranfield.scoring.scores import Floats
from cranfield.workbench.evaluation import catalogue_of, positives_of, scale_of, targets_of
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
    given = test.take(np.zeros(0, dtype=np.int64)) if train is None else train
    users = given.user_ids.union(test.user_ids)
    items = given.item_ids.union(test.item_ids)
    known = Collection(users, items, given.under(users, items))
    opened = {
        name: open_lists(open_run(source, system=name), known, choice.rules)
        for name, source in runs.items()
    }
    catalogue = catalogue_of(opened, items, choice)
    judgments = judge(test.under(users, catalogue), choice.relevance, scale_of(given, test))
    training = given.under(users, catalogue)
    targets = targets_of(judgments, training, opened, choice)
    hits = {}
    for name, run in track(opened.items(), "locating", len(opened)):
        lists = run.read(slice(0, len(users))).run.under(items, catalogue)
        hits[name] = locate(lists, targets, choice.ties, choice.seed)
    return RunHits(hits, positives_of(training, judgments))
