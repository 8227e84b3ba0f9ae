"""Expected exposure: whether items are seen as much as their relevance deserves."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.discount import DISCOUNT, Discount, Geometric
from cranfield.scoring.item_groups import ItemGroups, pairs_matrix, training_of
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import DEPTH, Aspect, RunFacts, RunMetric, judgments_of, top


@option("run-metric", "EEL", aliases=("expected-exposure-loss",))
@dataclass(frozen=True, kw_only=True)
class ExpectedExposureLoss(RunMetric):
    r"""Squared distance between the exposure of items and what they should have.

        EEL@n = 1/|U| · Σ_u Σ_i (ε_ui − ε*_ui)²,  ε_ui = d(rank of i) if i ∈ L_u^n, else 0
        ε*_ui = 1/m_u · Σ_{k≤m_u} d(k) for the m_u relevant items of u,
                1/(N_u − m_u) · Σ_{m_u<k≤n} d(k) for the others of N_u items

    Equally relevant items should get the same attention d: that of an order drawn at random
    among all orders with the relevant items on top. N_u are the items without a training
    rating of u. With average=exposure, ε and ε* are averaged over users before they are
    compared, so that one user's excess makes up for another's lack: Σ_i (ε̄_i − ε̄*_i)². With
    groups, exposures are summed within them first. Empty lists and users without a relevant
    item are left out; undefined if all are. From 0 up, lower is fairer. Diaz et al.
    2020; for groups Raj & Ekstrand 2022.
    """

    highest: ClassVar[float] = inf
    aspect: ClassVar[Aspect | None] = "exposure"
    lower_is_fairer: ClassVar[bool] = True
    needs_catalogue: ClassVar[bool] = True

    discount: Discount = parameter(Geometric(), DISCOUNT)
    average: Literal["loss", "exposure"] = parameter(
        "loss", "What is averaged over users: each user's loss, or exposure before the loss."
    )
    by: ItemGroups | None = parameter(
        None, "Groups of items whose exposures are summed first; without it, each item counts."
    )
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean loss, or the loss of mean exposures."""
        made = _exposure(self, run, facts)
        if not len(made.shared):
            return float("nan")
        if self.by is None:
            return made.mean_loss() if self.average == "loss" else made.loss_of_mean()
        excess = made.in_groups(self.by.of_items(facts.items).weights)
        if self.average == "loss":
            return float((excess**2).sum(axis=1).mean())
        return float((excess.mean(axis=0) ** 2).sum())


@dataclass(frozen=True, eq=False)
class _Exposure:
    """ε − ε* of lists × items: ``apart`` (sparse) less the ``shared`` exposure of each list."""

    apart: Any
    shared: Floats

    def mean_loss(self) -> float:
        """The mean over lists of the squared length of ε − ε*."""
        squares = np.asarray(self.apart.multiply(self.apart).sum(axis=1)).ravel()
        sums, items = np.asarray(self.apart.sum(axis=1)).ravel(), self.apart.shape[1]
        losses = squares - 2 * self.shared * sums + items * self.shared**2
        return float(np.maximum(losses, 0.0).mean())

    def loss_of_mean(self) -> float:
        """The squared length of the mean of ε − ε*."""
        means = np.asarray(self.apart.mean(axis=0)).ravel() - self.shared.mean()
        return float((means**2).sum())

    def in_groups(self, weights: Floats) -> Floats:
        """ε − ε* of each list, summed within groups of items."""
        spread = self.shared[:, None] * weights.sum(axis=0)
        return np.asarray(self.apart @ weights - spread)


def _exposure(metric: ExpectedExposureLoss, run: Run, facts: RunFacts) -> _Exposure:
    """What lists give to items less what these should have; of users with a relevant item."""
    judgments = judgments_of(str(metric), facts)
    train = training_of(str(metric), facts.items)
    given = _given(metric, run, train.n_items)
    relevant = pairs_matrix(judgments.ratings.take(judgments.relevant))
    seen = pairs_matrix(train)
    users = run.topics.users
    counts = np.diff(relevant.indptr)[users]
    used = (counts > 0) & (run.lengths > 0)
    users, counts = users[used], counts[used]
    items = train.n_items - np.diff(seen.indptr)[users]
    above, below = _targets(metric, counts, items, train.n_items)
    owed = relevant[users].multiply((above - below)[:, None])
    spared = seen[users].multiply(below[:, None])  # what was rated is not to be recommended
    return _Exposure((given[used] - owed + spared).tocsr(), below)


def _targets(
    metric: ExpectedExposureLoss, relevant: Any, items: Any, all_items: int
) -> tuple[Floats, Floats]:
    """What a relevant item and another should get of each list."""
    deepest = min(metric.cutoff or all_items, all_items)
    discounts = metric.discount.of_ranks(np.arange(1, deepest + 1))
    sums = np.concatenate([[0.0], np.cumsum(discounts)])
    first = sums[np.minimum(relevant, deepest)]
    rest = sums[np.minimum(items, deepest)] - first
    others = items - relevant
    return first / relevant, np.divide(rest, others, out=np.zeros(len(rest)), where=others > 0)


def _given(metric: ExpectedExposureLoss, run: Run, items: int) -> Any:
    """The attention that each list gives to each item of the collection."""
    from scipy.sparse import csr_matrix

    chosen = run.known & top(run, metric.cutoff)
    rows = np.repeat(np.arange(len(run)), run.lengths)[chosen]
    weights = metric.discount.of_ranks(run.ranks[chosen])
    return csr_matrix((weights, (rows, run.items[chosen])), shape=(len(run), items))
