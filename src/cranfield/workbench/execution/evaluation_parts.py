"""The scores of runs, some users at a time, so that memory does not grow with the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl

from cranfield.base.ids import Ids
from cranfield.base.progress import bar
from cranfield.base.ragged import offsets_of
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.choice import Ties
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.locate import locate
from cranfield.recommendation.runs.report import RunReport
from cranfield.recommendation.runs.run import NO_IDS, Run
from cranfield.recommendation.runs.source import OpenRun
from cranfield.scoring.breakdown import Groups, measure_by_item
from cranfield.scoring.list_facts import ListCounts, count_lists
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Counts, Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Work:
    """What is asked of every part of every run.

    ``top`` is how deep lists are looked at for their facts, ``kept`` how much of each
    list stays in memory for run metrics, nothing at 0; None means whole lists.
    """

    targets: Targets
    train: Ratings
    metrics: tuple[Metric, ...]
    popularity: Floats | None
    item_ids: Ids
    catalogue: Ids
    ties: Ties
    seed: int
    top: int | None
    kept: int | None = 0
    item_groups: Groups | None = None


@dataclass(frozen=True, eq=False)
class Parts:
    """What has been found of one system so far, part after part."""

    values: list[Floats] = field(default_factory=list)
    lengths: list[Counts] = field(default_factory=list)
    longest: list[int] = field(default_factory=list)
    counts: list[ListCounts] = field(default_factory=list)
    reports: list[RunReport] = field(default_factory=list)
    lists: list[Run] = field(default_factory=list)
    by_item: list[Floats] = field(default_factory=list)


def score_parts(
    runs: Mapping[str, OpenRun], users: Sequence[slice], work: Work
) -> dict[str, Parts]:
    """Read, locate and score every run, a range of users at a time."""
    found = {name: Parts() for name in runs}
    with bar("scoring", len(users) * len(runs)) as shown:
        for some in users:
            for name, run in runs.items():
                _score_part(run, some, work, found[name])
                shown.advance()
    return found


def _score_part(run: OpenRun, users: slice, work: Work, into: Parts) -> None:
    reading = run.read(users)
    of_users = work.targets.topics.users
    start, stop = np.searchsorted(of_users, [users.start, users.stop]).tolist()
    targets = work.targets.take(slice(start, stop))
    lists = reading.run.reindex(work.item_ids, work.catalogue)
    hits = locate(lists, targets, work.ties, work.seed)
    into.values.append(score_hits(hits, work.metrics, work.popularity, work.ties))
    into.lengths.append(hits.lengths)
    into.longest.append(int(lists.lengths.max(initial=0)))
    into.counts.append(count_lists(hits, work.top, lists))
    into.reports.append(reading.report)
    if work.kept != 0:
        chosen = reading.run.for_users(Topics(np.unique(targets.topics.users)))
        into.lists.append(chosen if work.kept is None else chosen.cut(work.kept))
    if work.item_groups is not None:
        into.by_item.append(
            measure_by_item(hits, work.metrics, work.item_groups, popularity=work.popularity)
        )


def score_hits(
    hits: Hits, metrics: Sequence[Metric], popularity: Floats | None, ties: Ties
) -> Floats:
    """The scores of hits in the order that ties were given, or expected over all orders."""
    way: Literal["ranked", "expected"] = "expected" if ties == "expected" else "ranked"
    return measure(hits, metrics, popularity=popularity, ties=way)


def join_lists(system: str, parts: Sequence[Run]) -> Run:
    """The lists of all parts as one run.

    Items that the collection lacks are not told apart any more: each part has numbered
    them by itself.
    """
    lengths = np.concatenate([part.lengths for part in parts])
    return Run(
        system,
        Topics(np.concatenate([part.topics.users for part in parts])),
        offsets_of(lengths),
        np.maximum(np.concatenate([part.items for part in parts]), np.int32(-1)),
        np.concatenate([part.predictions for part in parts]),
        np.concatenate([part.tied for part in parts]),
        Ids(pl.Series(["unknown"])) if any(len(part.unknown_items) for part in parts) else NO_IDS,
    )
