"""What groups of items a list is made of: the long tail, and what users would expect."""

from __future__ import annotations

from math import inf
from typing import ClassVar, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats
from cranfield.scoring.discount import DISCOUNT, Discount, Logarithmic, NoDiscount
from cranfield.scoring.item_groups import (
    BY,
    ItemGroups,
    Popularity,
    shares,
    sums_of_items,
    sums_of_lists,
    sums_of_profiles,
)
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.per_list import ListRows, PerList
from cranfield.scoring.run_metric import DEPTH, Aspect, means_of_lists, of_items, top

HEAD = "The share of training ratings that popular items have; all others are long tail."
_SMOOTHED = 0.01


@option("metric", "APLT", aliases=("average-percentage-of-long-tail-items",))
@dataclass(frozen=True, kw_only=True)
class APLT(PerList):
    r"""Share of the top n that is long tail.

        APLT@n = |L_u^n ∩ Γ| / |L_u^n|

    Γ are the items outside the head, as item groups by popularity have it; an item that the
    collection lacks is among them. Undefined for an empty list. Between 0 and 1, higher is
    less biased to the popular. Abdollahpouri, Burke & Mobasher 2017; the same in Elliot;
    WarpRec divides by n.
    """

    aspect: ClassVar[Aspect | None] = "exposure"

    head: float = parameter(0.8, HEAD, above=0, below=1)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The share of each list."""
        weights = top(rows.run, self.cutoff).astype(np.float64)
        return means_of_lists(rows.run, _in_tail(rows, self.head), weights)


@option("metric", "ACLT", aliases=("average-coverage-of-long-tail-items",))
@dataclass(frozen=True, kw_only=True)
class ACLT(PerList):
    r"""Number of long-tail items in the top n.

        ACLT@n = |L_u^n ∩ Γ|

    Γ is that of APLT. Undefined for an empty list. From 0 up, higher is less biased to the
    popular. Abdollahpouri, Burke & Mobasher 2019; the same in Elliot and WarpRec.
    """

    highest: ClassVar[float] = inf
    aspect: ClassVar[Aspect | None] = "exposure"

    head: float = parameter(0.8, HEAD, above=0, below=1)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The number in each list."""
        run = rows.run
        counted = _in_tail(rows, self.head) * top(run, self.cutoff)
        owners = np.repeat(np.arange(len(run)), run.lengths)
        counts = np.bincount(owners, counted, minlength=len(run))
        return np.where(run.lengths > 0, counts, np.nan)


def _in_tail(rows: ListRows, head: float) -> Floats:
    """For each row, whether its item is long tail."""
    tail = Popularity(head=head).of_items(rows.items).weights[:, 1]
    return of_items(rows.run, tail, 1.0)


@option("metric", "AWRF", aliases=("attention-weighted-rank-fairness",))
@dataclass(frozen=True, kw_only=True)
class AWRF(PerList):
    r"""How close the attention that groups of items get is to the share that they should get.

        AWRF@n = 1 − Δ(q, p),  q_g = Σ_{k≤n} d(k)·w_kg ÷ Σ_{k≤n} d(k)·Σ_g w_kg

    w_kg is how much of the item at rank k belongs to group g, d the attention of a rank; p is
    the share of each group among all items or, with target=ratings, among training ratings.
    Δ is the Jensen–Shannon divergence in bits, or half the sum of absolute differences, which
    for two groups is their difference (Raj & Ekstrand 2022). Undefined where no item of
    the list is in a group. Between 0 and 1, higher is fairer. Sapiezynski et al. 2019; in
    this form TREC Fair Ranking 2021.
    """

    needs_catalogue: ClassVar[bool] = True
    aspect: ClassVar[Aspect | None] = "exposure"

    by: ItemGroups = parameter(Popularity(), BY)
    target: Literal["items", "ratings"] = parameter(
        "items", "What the shares of groups should be: those of all items, or of training ratings."
    )
    distance: Literal["jensen-shannon", "absolute"] = parameter(
        "jensen-shannon", "How shares are compared."
    )
    discount: Discount = parameter(Logarithmic(), DISCOUNT)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """One less the distance of each list."""
        weights, size = self.by.of_items(rows.items).weights, len(rows.items)
        by_ratings = self.target == "ratings"
        wanted = rows.items.popularity.astype(np.float64) if by_ratings else np.ones(size)
        target = shares(sums_of_items(wanted, weights)[None])
        given = shares(_attention(rows, self.discount, self.cutoff, weights))
        if self.distance == "absolute":
            return np.asarray(1 - np.abs(given - target).sum(axis=1) / 2)
        return 1 - jensen_shannon(target, given)


@option("metric", "Miscalibration", aliases=("calibration-error",))
@dataclass(frozen=True, kw_only=True)
class Miscalibration(PerList):
    r"""How far the groups of items in a list are from those in the user's training ratings.

        Miscalibration@n = Σ_g p_g·log2(p_g/q̃_g),  q̃ = (1 − α)·q + α·p
        p_g = Σ_{i ∈ R_train(u)} w_ig ÷ Σ_g …,  q_g = Σ_{k≤n} d(k)·w_kg ÷ Σ_g …

    w_ig is how much of item i belongs to group g. With divergence=jensen-shannon, it is
    ½·KL(p, m) + ½·KL(q̃, m), m = (p + q̃)/2, which needs no smoothing α. Undefined where no
    training item of the user, or no item of the list, is in a group. From 0 up, in bits,
    lower is better calibrated. Steck 2018; for popularity, with
    by=popularity(head=0.2, tail=0.2) and divergence=jensen-shannon, Abdollahpouri et al. 2021.
    """

    highest: ClassVar[float] = inf

    by: ItemGroups = parameter(text=BY)
    divergence: Literal["kullback-leibler", "jensen-shannon"] = parameter(
        "kullback-leibler", "How the two distributions are compared."
    )
    alpha: float | None = parameter(
        None, "The smoothing α; by default 0.01, or 0 for jensen-shannon.", at_least=0, below=1
    )
    discount: Discount = parameter(NoDiscount(), DISCOUNT)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def __post_init__(self) -> None:
        if self.alpha == 0 and self.divergence == "kullback-leibler":
            raise OptionError(
                "Miscalibration, alpha: kullback-leibler is infinite without smoothing. Give a "
                "number above 0, such as 0.01, or divergence=jensen-shannon."
            )

    def of_lists(self, rows: ListRows) -> Floats:
        """The divergence of each list."""
        weights, users = self.by.of_items(rows.items).weights, rows.run.topics.users
        profile = shares(sums_of_profiles(str(self), rows.items, users, weights))
        given = shares(_attention(rows, self.discount, self.cutoff, weights))
        smooth = self.divergence == "kullback-leibler"
        alpha = (_SMOOTHED if smooth else 0.0) if self.alpha is None else self.alpha
        mixed = (1 - alpha) * given + alpha * profile
        return kullback_leibler(profile, mixed) if smooth else jensen_shannon(profile, mixed)


def _attention(rows: ListRows, discount: Discount, cutoff: int | None, weights: Floats) -> Floats:
    """What each group gets of the attention of each list."""
    attention = discount.of_ranks(rows.run.ranks) * top(rows.run, cutoff)
    return sums_of_lists(rows.run, attention, weights)


def kullback_leibler(first: Floats, second: Floats) -> Floats:
    """Σ p·log2(p/q) of each row, in bits; NaN where a row is not known.

    >>> kullback_leibler(np.array([[1.0, 0.0]]), np.array([[0.25, 0.75]])).tolist()
    [2.0]
    """
    ratios = np.divide(first, second, out=np.ones(second.shape), where=first > 0)
    found = (first * np.log2(ratios)).sum(axis=1)
    return np.where(np.isnan(second).any(axis=1), np.nan, np.maximum(found, 0.0))


def jensen_shannon(first: Floats, second: Floats) -> Floats:
    """The mean divergence of two distributions from their mean, in bits: 0 to 1.

    >>> jensen_shannon(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])).tolist()
    [1.0]
    """
    middle = (first + second) / 2
    first = np.broadcast_to(first, middle.shape)
    return np.asarray((kullback_leibler(first, middle) + kullback_leibler(second, middle)) / 2)


@option("metric", "MeanPrediction", aliases=("mean-predicted-rating",))
@dataclass(frozen=True, kw_only=True)
class MeanPrediction(PerList):
    r"""Mean of the predictions in the top n of one list.

        1/|J| · Σ_{i ∈ J} r̂_ui,  J the items of L_u^n that have a prediction

    By groups of users, what UserMADrating of Elliot compares. Undefined without a prediction,
    and for recommenders whose predictions are not ratings; those of given lists are taken for
    ratings. Neither end is better. Zhu, Hu & Caverlee 2018.
    """

    lowest: ClassVar[float] = -inf
    highest: ClassVar[float] = inf

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean prediction of each list."""
        predictions = rows.run.predictions
        known = ~np.isnan(predictions) & top(rows.run, self.cutoff)
        return means_of_lists(rows.run, np.where(known, predictions, 0.0), known.astype(np.float64))
