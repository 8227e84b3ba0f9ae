"""Ranking: from predictions to runs and hits, in one pass over the users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.nouns.display import Plotted, Tabular
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.collection.target import Targets
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.layout import Order, heads, hit_rows, layout_of
from cranfield.recommendation.ranking.choice import RankingChoice, fallback_values
from cranfield.recommendation.ranking.hits import Hits, hits_from
from cranfield.recommendation.ranking.judged import judged_of
from cranfield.recommendation.ranking.kernels.ordering import (
    BY_DRAW,
    BY_ITEM,
    DROP,
    MERGED,
    TIES_BEST_FIRST,
    TIES_BY_DRAW,
    TIES_BY_KEY,
    TIES_WORST_FIRST,
)
from cranfield.recommendation.ranking.order import tie_keys
from cranfield.recommendation.ranking.passing import TargetWork, UserPass
from cranfield.recommendation.recommender import Predictor
from cranfield.recommendation.runs.run import Run

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
    """The run and hits of one system for one target set, with the collection where it is known."""

    run: Run
    hits: Hits
    collection: TestCollection | None = None

    def __repr__(self) -> str:
        return f"Ranked({self.run!r}, {self.hits!r})"

    def to_polars(self) -> pl.DataFrame:
        """The table of the run."""
        return self.run.to_polars()


def rank(
    predictor: Predictor,
    targets: Sequence[Targets],
    choice: RankingChoice | None = None,
    system: str = "system",
    *,
    reach: int | None = None,
) -> list[Ranked]:
    """Runs and hits of one system for any number of target sets, in one pass over users.

    Each user's predictions are made once, in batches of bounded memory. Results depend
    neither on the size of batches nor on threads. With a ``reach`` the hits are those of
    `Hits.within`, and no more is ordered than they and the runs need.
    """
    chosen = choice or RankingChoice()
    work = [_start(each, chosen.depth) for each in targets]
    order, n_items = _order(chosen, targets[0]), targets[0].train.n_items
    UserPass(order, n_items, chosen.ties == "trec_eval", reach, system).go(predictor, work)
    return [_finish(each, system, reach) for each in work]


def _start(targets: Targets, depth: int) -> TargetWork:
    layout = layout_of(targets)
    judged = judged_of(layout)
    users = layout.users[layout.groups[:-1]] if len(layout.users) else layout.users
    top = heads(layout, min(depth, targets.train.n_items))
    return TargetWork(targets, layout, judged, hit_rows(layout, judged), top, users)


def _order(chosen: RankingChoice, targets: Targets) -> Order:
    return Order(
        unscored=_UNSCORED_CODES[chosen.unscored],
        ties=_TIES_CODES[chosen.ties],
        fallback=fallback_values(chosen.unscored, targets.train),
        tie_keys=tie_keys(chosen, targets),
        key=np.uint64(Seeds(chosen.seed).key("ranking")),
    )


def _finish(work: TargetWork, system: str, reach: int | None) -> Ranked:
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
    return Ranked(run, replace(hits_from(targets, rows), reach=reach), targets.collection)
