"""Ranking: from predictions to runs and hits, in one pass over the users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from cranfield.base.display import Plotted, Tabular
from cranfield.base.errors import BadPredictions
from cranfield.base.ids import Codes
from cranfield.base.progress import track
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.base.threads import in_threads
from cranfield.collection.target import Targets
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.kernels.locate import locate
from cranfield.recommendation.kernels.members import mark_targets
from cranfield.recommendation.kernels.ordering import (
    BY_DRAW,
    BY_ITEM,
    DROP,
    MERGED,
    TIES_BEST_FIRST,
    TIES_BY_DRAW,
    TIES_BY_KEY,
    TIES_WORST_FIRST,
)
from cranfield.recommendation.layout import (
    Floats,
    Heads,
    HitRows,
    JudgedTargets,
    Offsets,
    Order,
    TargetLayout,
    heads,
    hit_rows,
    layout_of,
)
from cranfield.recommendation.ranking.choice import RankingChoice, fallback_values
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.judged import judged_of
from cranfield.recommendation.ranking.order import tie_keys
from cranfield.recommendation.recommender import (
    PairPredictor,
    Predictions,
    Predictor,
    batch_size_of,
    single,
)
from cranfield.recommendation.runs.run import Run

_BYTES_AT_ONCE = 32 << 20
"""Predictions held by one thread at a time."""

_UNSCORED_CODES = {
    "drop": DROP,
    "random": BY_DRAW,
    "popularity": BY_ITEM,
    "average-rating": BY_ITEM,
    "minimum": BY_ITEM,
    "merged(by=popularity)": MERGED,
    "merged(by=average-rating)": MERGED,
}
_TIES_CODES = {
    "item-id": TIES_BY_KEY,
    "expected": TIES_BY_KEY,
    "trec_eval": TIES_BY_KEY,
    "random": TIES_BY_DRAW,
    "optimistic": TIES_BEST_FIRST,
    "pessimistic": TIES_WORST_FIRST,
}


@dataclass(frozen=True, eq=False)
class Ranked(Plotted, Tabular):
    """What one system made of one target set, and of which collection, where that is known."""

    run: Run
    hits: Hits
    collection: TestCollection | None = None

    def __repr__(self) -> str:
        return f"Ranked({self.run!r}, {self.hits!r})"

    def to_polars(self) -> pl.DataFrame:
        """The table of the run."""
        return self.run.to_polars()


@dataclass(frozen=True, eq=False)
class _Work:
    """One target set while its users pass by."""

    targets: Targets
    layout: TargetLayout
    judged: JudgedTargets
    rows: HitRows
    heads: Heads
    group_users: Codes


def rank(
    predictor: Predictor,
    targets: Sequence[Targets],
    choice: RankingChoice | None = None,
    system: str = "system",
) -> list[Ranked]:
    """Runs and hits of one system for any number of target sets, in one pass over users.

    Each user's predictions are made once, in batches of bounded memory. Results depend
    neither on the size of batches nor on threads.
    """
    chosen = choice or RankingChoice()
    work = [_start(each, chosen.depth) for each in targets]
    users = np.unique(np.concatenate([each.layout.users for each in work]))
    train = targets[0].train
    order = _order(chosen, targets[0])
    batch = max(1, _BYTES_AT_ONCE // (8 * max(train.n_items, 1)))

    def pass_by(part: slice) -> None:
        asked = users[part]
        given = _predictions(predictor, work, asked, order)
        predictions = checked(given, len(asked), train.n_items, system)
        if chosen.ties == "trec_eval":
            predictions = single(predictions)
        for each in work:
            _locate(each, order, asked, predictions)

    parts = whole_batches(users, batch, batch_size_of(predictor))
    for _ in track(in_threads(pass_by, parts), f"ranking with {system}", len(parts)):
        pass
    return [_finish(each, system) for each in work]


def whole_batches(users: Codes, most: int, size: int) -> list[slice]:
    """Slices of at most so many ascending users, none of which cuts a batch of a predictor.

    A batch is ``size`` consecutive codes; a slice holds one at least, however large.

    >>> whole_batches(np.array([0, 3, 4, 5, 9]), most=4, size=2)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    starts = np.flatnonzero(np.diff(users // size, prepend=-1))[:: max(1, most // size)]
    ends = np.append(starts, len(users)).tolist()
    return [slice(*each) for each in pairwise(ends)]


def _predictions(
    predictor: Predictor, work: Sequence[_Work], users: Codes, order: Order
) -> Predictions:
    """Predictions for some users; of targets only, where they are made pair by pair.

    Items without a prediction that are merged take a quantile of all of a user's.
    """
    if order.unscored == MERGED or not isinstance(predictor, PairPredictor):
        return predictor.predict(users)
    wanted = np.zeros((len(users), work[0].targets.train.n_items), dtype=bool)
    for each in work:
        start, stop, rows = _groups_of(each, users)
        mark_targets(each.layout, start, stop, rows, wanted)
    return predictor.predict_pairs(users, wanted)


def checked(given: Predictions, users: int, items: int, system: str) -> Floats:
    """Predictions as 64-bit floats; a wrong shape or an infinite value is refused."""
    array = np.asarray(given)
    if array.shape != (users, items):
        problem = f"the shape of the predictions is {array.shape}"
        raise BadPredictions(system, problem, f"The right one is {(users, items)}")
    predictions = np.ascontiguousarray(array, dtype=np.float64)
    if np.isinf(predictions).any():
        raise BadPredictions(system, "a prediction is infinite", "Give a number, or NaN for none")
    return predictions


def _start(targets: Targets, depth: int) -> _Work:
    layout = layout_of(targets)
    judged = judged_of(layout)
    users = layout.users[layout.groups[:-1]] if len(layout.users) else layout.users
    top = heads(layout, min(depth, targets.train.n_items))
    return _Work(targets, layout, judged, hit_rows(layout, judged), top, users)


def _order(chosen: RankingChoice, targets: Targets) -> Order:
    return Order(
        unscored=_UNSCORED_CODES[chosen.unscored],
        ties=_TIES_CODES[chosen.ties],
        fallback=fallback_values(chosen.unscored, targets.train),
        tie_keys=tie_keys(chosen, targets),
        key=np.uint64(Seeds(chosen.seed).key("ranking")),
    )


def _locate(work: _Work, order: Order, users: Codes, predictions: Floats) -> None:
    """Hand the groups of some users to the kernel."""
    start, stop, rows = _groups_of(work, users)
    if start < stop:
        args = order, start, stop, rows, predictions, work.rows, work.heads
        locate(work.layout, work.judged, *args)


def _groups_of(work: _Work, users: Codes) -> tuple[int, int, Offsets]:
    """The first group of some ascending users, the one after the last, and the user of each."""
    start = int(np.searchsorted(work.group_users, users[0], side="left"))
    stop = int(np.searchsorted(work.group_users, users[-1], side="right"))
    return start, stop, np.searchsorted(users, work.group_users[start:stop])


def _finish(work: _Work, system: str) -> Ranked:
    targets, rows, top = work.targets, work.rows, work.heads
    shown = np.arange(top.items.shape[1]) < top.lengths[:, None]
    run = Run(
        system,
        targets.topics,
        offsets_of(top.lengths),
        top.items[shown],
        top.predictions[shown],
        top.tied,
    )
    return Ranked(run, hits_from(targets, rows), targets.collection)


def hits_from(targets: Targets, rows: HitRows) -> Hits:
    """Hits from the rows that a kernel filled."""
    judgments = targets.judgments
    return Hits(
        topics=targets.topics,
        offsets=rows.offsets,
        items=rows.items,
        ratings=rows.ratings,
        ranks=rows.ranks,
        first=rows.first,
        last=rows.last,
        lengths=rows.lengths,
        targets=rows.targets,
        unscored=rows.unscored,
        relevance=judgments.relevance,
        lowest=judgments.lowest,
        highest=judgments.highest,
    )
