"""Group rates: whether items of every group have the same chance to be recommended."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.run import Mask, Run
from cranfield.scoring.item_groups import BY, ItemGroups, Popularity, sums_of_items, training_of
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import (
    DEPTH,
    Aspect,
    RunFacts,
    RunMetric,
    is_relevant,
    judgments_of,
    top,
)


@option("run-metric", "RSP", aliases=("ranking-based-statistical-parity", "PopRSP"))
@dataclass(frozen=True, kw_only=True)
class RSP(RunMetric):
    r"""How far groups of items differ in their chance to be in the top n, relevant or not.

        RSP@n = std_g(P_g)/mean_g(P_g)
        P_g = Σ_u Σ_{i ∈ L_u^n} w_ig ÷ Σ_u Σ_{i ∈ I∖R_train(u)} w_ig

    w_ig is how much of item i belongs to group g: with groups by popularity 1 or 0. Groups
    without an item to recommend are left out; std divides by the number of groups. 0 if all
    have the same chance. Undefined with fewer than two groups, and if nothing of any is
    shown. Lower is fairer. Zhu, Wang & Caverlee 2020; the same in Elliot
    (RSP, PopRSP) and WarpRec, where items without a label are one more group.
    """

    highest: ClassVar[float] = inf
    aspect: ClassVar[Aspect | None] = "exposure"
    lower_is_fairer: ClassVar[bool] = True
    needs_catalogue: ClassVar[bool] = True

    by: ItemGroups = parameter(Popularity(), BY)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The relative spread of the chances of groups."""
        weights = self.by.of_items(facts.items).weights
        shown = _sum_rows(weights, run, top(run, self.cutoff))
        seen = _times(training_of(str(self), facts.items), run)
        available = len(run) * weights.sum(axis=0) - sums_of_items(seen, weights)
        return relative_spread(shown, available)


@option("run-metric", "REO", aliases=("ranking-based-equal-opportunity", "PopREO"))
@dataclass(frozen=True, kw_only=True)
class REO(RunMetric):
    r"""How far groups of items differ in their chance to be in the top n, given relevance.

        REO@n = std_g(P_g)/mean_g(P_g)
        P_g = Σ_u Σ_{i ∈ L_u^n ∩ R_u} w_ig ÷ Σ_u Σ_{i ∈ R_u} w_ig

    R_u are the relevant test items of a user, w_ig is how much of item i belongs to group g.
    Groups without a relevant item are left out (in Elliot, they make it undefined); std
    divides by the number of groups. 0 if all have the same chance. Undefined with fewer than
    two groups or without a hit. Lower is fairer. Zhu, Wang & Caverlee 2020;
    the same in Elliot (REO, PopREO) and WarpRec, where items without a label are one more
    group.
    """

    highest: ClassVar[float] = inf
    aspect: ClassVar[Aspect | None] = "exposure"
    lower_is_fairer: ClassVar[bool] = True

    by: ItemGroups = parameter(Popularity(), BY)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The relative spread of the recalls of groups."""
        judgments = judgments_of(str(self), facts)
        weights = self.by.of_items(facts.items).weights
        found = _sum_rows(weights, run, top(run, self.cutoff) & is_relevant(run, judgments))
        there = _times(judgments.ratings.take(judgments.relevant), run)
        return relative_spread(found, sums_of_items(there, weights))


def relative_spread(numbers: Floats, of: Floats) -> float:
    """The standard deviation of rates over their mean; groups of nothing have no rate.

    >>> relative_spread(np.array([1.0, 3.0, 0.0]), np.array([4.0, 4.0, 0.0]))
    0.5
    """
    there = of > 0
    rates = numbers[there] / of[there]
    mean = float(rates.mean()) if len(rates) > 1 else 0.0
    return float(rates.std() / mean) if mean > 0 else float("nan")


def _sum_rows(weights: Floats, run: Run, chosen: Mask) -> Floats:
    """What some rows of a run have in each group, in all."""
    times = np.bincount(run.items[chosen & run.known], minlength=len(weights))
    return sums_of_items(times.astype(np.float64), weights)


def _times(pairs: Ratings, run: Run) -> Floats:
    """For each item, how many lists are for a user who has it among these pairs."""
    lists = np.bincount(run.topics.users, minlength=pairs.n_users)
    counts = np.bincount(pairs.items, lists[pairs.users], minlength=pairs.n_items)
    return counts.astype(np.float64, copy=False)
