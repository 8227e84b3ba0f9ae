"""Hits with propensities, for metrics that weigh judged targets by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.options import parse
from cranfield.collection.propensity import ItemPropensities, Propensities, Weighing
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.testing.rankings import ITEMS
from cranfield.workbench import inventory

inventory.load("metric")

MODEL = "popularity"
"""The model that stands for propensities given by hand."""
WEIGHTED = [
    *("P", "DCG", "DCG(gain=binary)", "RBP(p=0.7)", "Recall", "AP"),
    *("P(relevance=3)", "DCG(gain=exponential)"),
]
SHARES = ["nDCG", "nDCG(ideal=full)", "nDCG(gain=binary)"]
FIRST = ["RR", "Success"]
"""Metrics of the first relevant item, which topics of one relevant item can weigh."""


def weighed(spelling: str, estimator: str, cutoff: int | None = None) -> str:
    """A metric with propensities, as it is spelled."""
    name, _, rest = spelling.partition("(")
    inner = f"{rest[:-1]}, " if rest else ""
    cut = "" if cutoff is None else f"@{cutoff}"
    return f"{name}({inner}propensity={MODEL}, estimator={estimator}){cut}"


class KnownCounts(ItemPropensities):
    """Propensities of items, where every user would like seven items."""

    def relevant_counts(self, relevance: float) -> npt.NDArray[np.int64]:
        return np.full(10_000, 7)


@cache
def _parsed(spelling: str) -> Any:
    return parse("metric", spelling)


def with_propensities(
    hits: Hits, by_item: npt.ArrayLike, metrics: Sequence[str] = (), *, counts: bool = False
) -> Hits:
    """The hits, items having these propensities; with the strata of metrics that have some."""
    found = np.broadcast_to(np.asarray(by_item, dtype=np.float64), ITEMS)
    made: Propensities = KnownCounts(found) if counts else ItemPropensities(found)
    known = replace(hits, weighing=Weighing({parse("propensity", MODEL): made}))
    if known.topics.items is not None or not metrics:
        return known
    stratified = [_parsed(each) for each in metrics if "stratified" in each]
    strata = WeightedHits(known, measure).all_strata(stratified)
    assert known.weighing is not None
    return replace(known, weighing=replace(known.weighing, strata=strata))


def one_relevant(hits: Hits, relevance: float = 4.0) -> Hits:
    """Each topic as one about its first relevant item, which alone is judged."""
    relevant = hits.ratings >= relevance
    rows = np.zeros(len(relevant), dtype=bool)
    owners = hits.owners
    firsts = np.unique(owners[relevant], return_index=True)[1]
    rows[np.flatnonzero(relevant)[firsts]] = True
    kept = hits.only(rows)
    chosen = np.full(len(hits), -1, dtype=np.int32)
    chosen[owners[rows]] = hits.items[rows]
    return replace(kept, topics=replace(hits.topics, items=chosen))
