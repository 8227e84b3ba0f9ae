"""Where judged items landed in given runs, for those who score the same lists many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.base.progress import track
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Known
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.locate import locate
from cranfield.recommendation.runs.source import ROWS_AT_ONCE, Counts, OpenRun, blocks_of_users
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats, Scores
from cranfield.validity.meta.thinned_systems import join_hits
from cranfield.workbench.execution.evaluation import popularity_for, positives_of
from cranfield.workbench.execution.evaluation_choice import EvaluationChoice
from cranfield.workbench.execution.evaluation_parts import score_hits
from cranfield.workbench.execution.open_runs import OpenRuns, open_runs


@dataclass(frozen=True, eq=False)
class RunHits:
    """The hits of each system on the same targets, and what is known of items."""

    hits: Mapping[str, Hits]
    known: Known

    @cached_property
    def popularity(self) -> Floats:
        """|PR(i)| by item."""
        return positives_of(self.known.train, self.known.judgments)


def locate_runs(
    test: Ratings,
    runs: Mapping[str, Any],
    choice: EvaluationChoice,
    train: Ratings | None = None,
    *,
    rows_at_once: int = ROWS_AT_ONCE,
) -> RunHits:
    """Find the judged targets in the lists of runs (files or tables, by name).

    Judgments, users and targets are those of an evaluation of the same runs. Lists are
    read some users at a time: ``rows_at_once`` bounds the rows of a run that are in memory,
    and what stays grows with the judged targets alone. Bounds of tied ranks are not kept.
    """
    ready = open_runs(test, runs, choice, train, ranks=False)
    blocks = blocks_of_users(list(ready.runs.values()), rows_at_once)
    hits = {
        name: join_hits([_locate(run, users, ready, choice) for users in blocks])
        for name, run in track(ready.runs.items(), "locating", len(ready.runs))
    }
    topics = ready.targets.topics
    return RunHits(
        {name: replace(found, topics=topics) for name, found in hits.items()},
        Known(ready.training, ready.targets.judgments),
    )


def score_runs(
    test: Ratings,
    runs: Mapping[str, Any],
    metrics: Sequence[Metric],
    choice: EvaluationChoice,
    train: Ratings | None = None,
) -> Scores:
    """The scores that an evaluation of the same runs gives, and nothing besides."""
    ready = open_runs(test, runs, choice, train, ranks=False)
    blocks, judgments = blocks_of_users(list(ready.runs.values())), ready.targets.judgments
    popularity = popularity_for(metrics, ready.training, judgments)
    values, lengths = dict[str, Floats](), dict[str, Counts]()
    for name, run in track(ready.runs.items(), "scoring", len(ready.runs)):
        found = [_locate(run, users, ready, choice) for users in blocks]
        scored = [score_hits(hits, metrics, popularity, choice.ties) for hits in found]
        values[name] = np.concatenate(scored, axis=1)
        lengths[name] = np.concatenate([hits.lengths for hits in found])
    topics, names = ready.targets.topics, tuple(map(str, metrics))
    users = ready.training.user_ids
    return Scores.from_systems(topics, users, names, values, lengths, judgments=judgments)


def _locate(run: OpenRun, users: slice, ready: OpenRuns, choice: EvaluationChoice) -> Hits:
    """The hits of a range of users."""
    lists = run.read(users).run.reindex(ready.items, ready.catalogue)
    ends = np.searchsorted(ready.targets.topics.users, [users.start, users.stop]).tolist()
    return locate(lists, ready.targets.take(slice(*ends)), choice.ties, choice.seed)
