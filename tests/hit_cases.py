"""Hits to test metrics with: made up by Hypothesis, by hand, or read from TREC files."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

import cranfield.scoring.gains
import cranfield.scoring.metrics  # noqa: F401
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits, TopicHits, in_order
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.coverage import ListFacts, count_lists, facts_from_counts
from cranfield.scoring.metric import Metric

CUT = [
    "P",
    "P(relevance=3.0)",
    "P(unjudged=relevant)",
    "P(unjudged=residual)",
    "P(as=lenskit)",
    "P(as=implicit)",
    "Recall",
    "Recall(relevance=5.0)",
    "Recall(as=lenskit)",
    "F1",
    "Success",
    "RR",
    "AP",
    "AP(relevance=2.0)",
    "AP(as=recbole)",
    "AP(as=implicit)",
    "AP(as=lenskit)",
    "AP(as=elliot)",
    "DCG",
    "DCG(gain=chapelle)",
    "nDCG",
    "nDCG(gain=exponential)",
    "nDCG(gain=binary, relevance=3.0)",
    "nDCG(gain=chapelle-scaled)",
    "nDCG(gain=table(gains={1: 0, 2: 0, 3: 1, 4: 1, 4.5: 2, 5: 3}))",
    "nDCG(as=recbole)",
    "nDCG(as=implicit)",
    "nDCG(as=elliot)",
    "nDCG(as=rectools)",
    "nDCG(as=lenskit)",
    "Bpref",
    "InfAP",
    "InfAP(as=trec_eval)",
    "InfAP(epsilon=0.1)",
    "RBP(p=0.8)",
    "RBP(p=0.5, unjudged=residual)",
    "RBP(p=0.8, gain=exponential, unjudged=relevant)",
    "ERR",
    "ERR(gain=chapelle)",
    "StratifiedRecall(gamma=1)",
    "StratifiedRecall(gamma=0.3)",
    "Unrated",
]
WHOLE = ["Rprec", "AUC", "KendallTau", "TauAP", "RBO(p=0.9)", "RBO(p=0.5)"]
CUTOFFS = (1, 3, 10)

SPELLINGS = [
    *(f"{name}@{n}" for name in CUT for n in CUTOFFS),
    *CUT,
    *WHOLE,
    "CondensedDepth@1",
    "CondensedDepth@3",
    "BoundOf1R@1",
    "BoundOf1R@3",
]
"""Every metric that ships, with its parameters varied."""

METRICS: list[Metric] = [parse("metric", spelling) for spelling in SPELLINGS]

ITEMS = 60
POPULARITY = np.arange(ITEMS, dtype=np.float64) % 7


@dataclass(frozen=True)
class Ranking:
    """One topic from the top: a rating, or None for an unjudged item, on each rank.

    ``ties`` are the sizes of the tie groups, in order; ``unranked`` are the ratings of
    judged targets that are not in the list, ``others`` counts the unjudged ones.
    """

    ratings: tuple[float | None, ...]
    unranked: tuple[float, ...] = ()
    others: int = 0
    ties: tuple[int, ...] = ()
    items: tuple[int, ...] = tuple(range(ITEMS))


def hits_of(rankings: Sequence[Ranking]) -> Hits:
    """The hits of some rankings, ratings from 1 to 5, relevant from 4."""
    rows: list[tuple[int, int, float, int, int, int]] = []
    for topic, ranking in enumerate(rankings):
        bounds = _bounds(ranking)
        ranked = enumerate(zip(ranking.ratings, bounds, strict=True), start=1)
        listed = [(rating, k, *bound) for k, (rating, bound) in ranked if rating is not None]
        unranked = [(rating, 0, 0, 0) for rating in ranking.unranked]
        for place, (rating, *ranks) in enumerate([*listed, *unranked]):
            rows.append((topic, ranking.items[place], rating, *ranks))  # type: ignore[arg-type]
    table = np.array(rows, dtype=np.float64).reshape(-1, 6)
    counts = np.bincount(table[:, 0].astype(np.int64), minlength=len(rankings))
    lengths = np.array([len(ranking.ratings) for ranking in rankings], dtype=np.int64)
    more = np.array([len(r.unranked) + r.others for r in rankings], dtype=np.int64)
    placed = table[:, 3:].astype(np.int32)
    return in_order(
        Hits(
            Topics(np.arange(len(rankings), dtype=np.int32)),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            table[:, 1].astype(np.int32),
            table[:, 2].copy(),
            placed[:, 0].copy(),
            placed[:, 1].copy(),
            placed[:, 2].copy(),
            lengths,
            lengths + more,
            np.zeros(len(rankings), dtype=np.int64),
            4.0,
            1.0,
            5.0,
        )
    )


def topic_of(ranking: Ranking) -> TopicHits:
    """The hits of one ranking."""
    return hits_of([ranking]).topic(0, POPULARITY)


def _bounds(ranking: Ranking) -> list[tuple[int, int]]:
    sizes = ranking.ties or (1,) * len(ranking.ratings)
    starts = np.cumsum([1, *sizes])[:-1].tolist()
    return [
        (start, start + size - 1)
        for start, size in zip(starts, sizes, strict=True)
        for _ in range(size)
    ]


_RATINGS = st.sampled_from([5.0, 4.0, 1.0, 3.0, 2.0, 4.5])
_LISTED: st.SearchStrategy[float | None] = st.none() | _RATINGS


@st.composite
def rankings(draw: st.DrawFn, *, longest: int = 14, ties: bool = False) -> Ranking:
    """One topic: empty, nothing relevant, all relevant, shorter than the cut-off, or any."""
    listed = draw(st.lists(_LISTED, max_size=longest))
    unranked = draw(st.lists(_RATINGS, max_size=3))
    items = draw(st.permutations(range(20)))
    groups: list[int] = []
    while ties and sum(groups) < len(listed):
        groups.append(draw(st.integers(1, len(listed) - sum(groups))))
    others = draw(st.integers(0, 3))
    return Ranking(tuple(listed), tuple(unranked), others, tuple(groups), tuple(items))


Judged = dict[str, dict[str, float]]
"""User → item → rating or score."""


def read_qrels(path: Path) -> Judged:
    """The judgments of a TREC file."""
    return _read(path, item=2, value=3)


def read_run(path: Path) -> Judged:
    """The scores of a TREC file."""
    return _read(path, item=2, value=4)


def _read(path: Path, *, item: int, value: int) -> Judged:
    table: Judged = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            cells = line.split()
            table.setdefault(cells[0], {})[cells[item]] = float(cells[value])
    return table


def trec_order(scores: dict[str, float]) -> list[str]:
    """Items as trec_eval orders them: by score as a float32, then by id, both descending."""
    return sorted(scores, key=lambda item: (np.float32(scores[item]), item), reverse=True)


def trec_hits(qrels: Judged, run: Judged, *, condensed: bool = False) -> tuple[list[str], Hits]:
    """All judged users, and their hits; users who are not in the run have empty lists."""
    users = sorted(qrels)
    made = []
    for user in users:
        judged, order = qrels[user], trec_order(run.get(user, {}))
        listed = [item for item in order if item in judged or not condensed]
        missing = [judged[item] for item in sorted(judged.keys() - set(order))]
        made.append(Ranking(tuple(judged.get(i) for i in listed), tuple(missing), items=_many))
    return users, hits_of(made)


_many = tuple(range(100_000))


def relabelled(hits: Hits, order: Iterable[int]) -> Hits:
    """The same topics in another order, their users under other codes."""
    chosen = list(order)
    rows = np.concatenate(
        [np.arange(hits.offsets[t], hits.offsets[t + 1]) for t in chosen] or [np.empty(0, int)]
    ).astype(np.int64)
    counts = np.diff(hits.offsets)[chosen]
    return replace(
        hits,
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        items=hits.items[rows],
        ratings=hits.ratings[rows],
        ranks=hits.ranks[rows],
        first=hits.first[rows],
        last=hits.last[rows],
        lengths=hits.lengths[chosen],
        targets=hits.targets[chosen],
        unscored=hits.unscored[chosen],
    )


def run_of(*predictions: Sequence[float]) -> Run:
    """A run of lists with these predictions, one list per user."""
    flat = [value for one in predictions for value in one]
    alike = [[len(list(same)) for _, same in groupby(one)] for one in predictions]
    return Run(
        "A",
        Topics(np.arange(len(predictions), dtype=np.int32)),
        np.cumsum([0, *map(len, predictions)]),
        np.arange(len(flat), dtype=np.int32),
        np.array(flat, dtype=np.float64),
        np.array([sum(n for n in sizes if n > 1) for sizes in alike], dtype=np.int64),
    )


def list_facts(hits: Hits, depth: int, run: Run | None = None) -> ListFacts:
    """What the lists of one part are like in their top d."""
    return facts_from_counts(hits.topics, hits.lengths, depth, [count_lists(hits, depth, run)])
