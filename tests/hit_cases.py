"""Hits to test metrics with: every metric that ships, and rankings read from TREC files."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

import cranfield.scoring.gains
import cranfield.scoring.metrics  # noqa: F401
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.coverage import ListFacts, count_lists, facts_from_counts
from cranfield.scoring.metric import Metric
from cranfield.testing.rankings import (
    POPULARITY,
    Ranking,
    all_orders,
    hits_of,
    rankings,
    relabelled,
    tie_orders,
    topic_of,
)

__all__ = [
    "METRICS",
    "POPULARITY",
    "Judged",
    "Ranking",
    "all_orders",
    "hits_of",
    "rankings",
    "read_qrels",
    "read_run",
    "relabelled",
    "run_of",
    "tie_orders",
    "topic_of",
    "trec_hits",
    "trec_order",
]

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
    "nDCG(gain=relevant-rating)",
    "nDCG(gain=chapelle-scaled)",
    "nDCG(gain=table(gains={1: 0, 2: 0, 3: 1, 4: 1, 4.5: 2, 5: 3}))",
    "nDCG(as=recbole)",
    "nDCG(as=implicit)",
    "nDCG(as=elliot)",
    "nDCG(as=rectools)",
    "nDCG(as=lenskit)",
    "Bpref",
    "Bpref(as=bellogin2017)",
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
    "StratifiedRecall(gamma=inf)",
    "Fallout",
    "Fallout(relevance=3.0)",
    "HalfLife",
    "HalfLife(alpha=2, gain=relevant-rating, relevance=3)",
    "HalfLife(alpha=1.5, gain=above-neutral(neutral=1), popularity=inverse)",
    "ERR(top=user)",
    "ERR(top=user, gain=chapelle-scaled)",
    "nDCG(ideal=full)",
    "nDCG(ideal=full, gain=exponential)",
    "nDCG(ideal=full, as=recbole)",
    "IndAP",
    "SubAP(p=0.3)",
    "Unrated",
]
WHOLE = ["Rprec", "AUC", "KendallTau", "TauAP", "RBO(p=0.9)", "RBO(p=0.5)"]
LABELLED = [
    "P(unjudged=minimal)",
    "P(unjudged=minimal, relevance=1)",
    "RBP(p=0.8, gain=exponential, unjudged=minimal)",
    "Recall(unjudged=relevant)",
    "Recall(unjudged=residual)",
    "F1(unjudged=relevant)",
    "AP(unjudged=relevant)",
    "AP(unjudged=minimal, relevance=1)",
    "AP(unjudged=residual)",
    "RR(unjudged=relevant)",
    "Success(unjudged=relevant)",
    "DCG(unjudged=minimal)",
    "nDCG(unjudged=relevant, gain=relevant-rating)",
    "nDCG(unjudged=minimal)",
    "nDCG(unjudged=residual)",
    "ERR(unjudged=minimal)",
    "ERR(unjudged=relevant, top=user)",
]
"""Metrics that count unjudged items, each with a cut-off or without."""
CUTOFFS = (1, 3, 10)

SPELLINGS = [
    *(f"{name}@{n}" for name in CUT for n in CUTOFFS),
    *CUT,
    *WHOLE,
    *(f"{name}@3" if place % 3 else name for place, name in enumerate(LABELLED)),
    "CondensedDepth@1",
    "CondensedDepth@3",
    "BoundOf1R@1",
    "BoundOf1R@3",
]
"""Every metric that ships, with its parameters varied."""

OF_LISTS = [
    *("UserEPC@3", "UserEPC(discount=logarithmic, relevant=true)", "UserEFD@3", "UserILD@3"),
    *("UserEFD(relevant=true)@1", "UserPopularity@3", "UserPopularity", "UserILD"),
    *("RMSE@3", "RMSE", "MAE@3", "MAE", "Serendipity@3", "Serendipity"),
    *("APLT@3", "APLT(head=0.5)", "ACLT@3", "ACLT(head=0.3)", "AWRF@3", "AWRF(target=ratings)"),
    *("AWRF(by=label(kind), distance=absolute)@4", "MeanPrediction@2", "MeanPrediction"),
    *("AWRF(by=label(kind), discount=geometric(p=0.8))", "Miscalibration(by=label(kind))@5"),
    "Miscalibration(by=label(kind), discount=logarithmic, alpha=0.1)",
    "Miscalibration(by=popularity(head=0.2, tail=0.2), divergence=jensen-shannon)@5",
]
"""Metrics that look at all items of a list."""

METRICS: list[Metric] = [parse("metric", spelling) for spelling in SPELLINGS]

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
