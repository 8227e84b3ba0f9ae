"""RunMetric: what the lists of a system are like, all users together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts
from cranfield.base.options import contract
from cranfield.collection.items import Floats, ItemFacts
from cranfield.collection.judgments import Judgments
from cranfield.recommendation.runs.run import Mask, Run

Aspect = Literal["exposure", "coverage"]
"""How evenly items are shown, or how many of them are."""

DEPTH = "How many ranks of each list count; without it, whole lists."


@dataclass(frozen=True, eq=False)
class RunFacts:
    """What a run metric may know in addition to the run: items, and perhaps judgments."""

    items: ItemFacts
    judgments: Judgments | None = None


@contract("run-metric")
class RunMetric(Protocol):
    """Properties of a system's lists beyond accuracy (decision C2)."""

    lowest: ClassVar[float] = 0.0
    """No value is below this."""
    highest: ClassVar[float] = 1.0
    """No value is above this; infinite where there is no bound."""
    needs_vectors: ClassVar[bool] = False
    """Whether item vectors must be known."""
    needs_catalogue: ClassVar[bool] = False
    """Whether all items must be known, those that no list shows included."""
    needs_whole_lists: ClassVar[bool] = False
    """Whether ranks below the cut-off count too."""
    aspect: ClassVar[Aspect | None] = None
    """Of what it is a measure that systems are to be good at beyond accuracy."""
    lower_is_fairer: ClassVar[bool] = False
    """Whether a lower value is better, for a metric of an aspect."""

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The value of a run; NaN if it is undefined, as for empty lists."""
        ...


def top(run: Run, cutoff: int | None) -> Mask:
    """For each row of a run, whether it is in the top n."""
    return np.ones(len(run.items), dtype=bool) if cutoff is None else run.ranks <= cutoff


def of_items(run: Run, by_item: Floats, unknown: float) -> Floats:
    """For each row of a run, what holds of its item; items that are not the collection's
    have a value of their own.
    """
    values = np.full(len(run.items), unknown)
    values[run.known] = by_item[run.items[run.known]]
    return values


def means_of_lists(run: Run, values: Floats, weights: Floats) -> Floats:
    """The weighted mean of the rows of each list; NaN for an empty one."""
    owners = np.repeat(np.arange(len(run)), run.lengths)
    sums = np.bincount(owners, weights=values * weights, minlength=len(run))
    totals = np.bincount(owners, weights=weights, minlength=len(run))
    means = np.full(len(run), np.nan)
    np.divide(sums, totals, out=means, where=totals > 0)
    return means


def mean_defined(values: Floats) -> float:
    """The mean of the values of lists that have one; NaN if none has."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def is_judged(run: Run, judgments: Judgments) -> Mask:
    """For each row of a run, whether its user judged its item."""
    return np.isfinite(ratings_of(run, judgments))


def is_relevant(run: Run, judgments: Judgments) -> Mask:
    """For each row of a run, whether its item is relevant to its user."""
    ratings = ratings_of(run, judgments)
    return np.isfinite(ratings) & (ratings >= judgments.relevance)


def ratings_of(run: Run, judgments: Judgments) -> Floats:
    """For each row of a run, the rating of its user for its item; NaN without one."""
    test = judgments.ratings
    width, size = np.int64(test.n_items), len(test)
    found = np.full(len(run.items), np.nan)
    if not size:
        return found
    pairs = test.users.astype(np.int64) * width + test.items
    users = np.repeat(run.topics.users, run.lengths).astype(np.int64)
    wanted = np.where(run.known, users * width + run.items, -1)
    places = np.minimum(np.searchsorted(pairs, wanted), size - 1)
    hit = pairs[places] == wanted
    found[hit] = test.values[places[hit]]
    return found


def refuse_missing_facts(metrics: Iterable[Any], *, vectors: object) -> None:
    """Refuse metrics that need item vectors where there are none (``vectors`` is None)."""
    for metric in metrics:
        if metric.needs_vectors and vectors is None:
            raise MissingFacts(str(metric), "item vectors", "item_vectors (--item-vectors FILE)")


def judgments_of(asker: str, facts: RunFacts) -> Judgments:
    """The judgments, or an error that says who needs them."""
    if facts.judgments is None:
        raise MissingFacts(asker, "what is judged", "judgments")
    return facts.judgments
