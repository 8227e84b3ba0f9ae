"""Ratings without any taste: item popularity by a power law, all else by chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import Table
from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes, numbered_ids
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds, uniforms
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source, read_ratings
from cranfield.collection.statistics.power_law import (
    Counts,
    fit_power_law,
    power_law_counts,
    refuse_impossible_sizes,
    size_parameter,
)


@dataclass(frozen=True)
class Shape:
    """What simulated ratings take over from a reference, apart from the skew.

    ``histogram`` gives each rating value its weight; ``c1`` and ``c2`` are those of the
    shifted power law for this number of items and ratings.
    """

    users: int
    items: int
    ratings: int
    histogram: Mapping[float, float]
    c1: float
    c2: float

    def resized(self, users: int | None, items: int | None, ratings: int | None) -> Shape:
        """The same shape at another size: c2 grows with the items, c1 with their mean count.

        Without a number of ratings the density stays.
        """
        users, items = users or self.users, items or self.items
        density = self.ratings / (self.users * self.items)
        ratings = ratings or round(density * users * items)
        grown = items / self.items
        c1 = self.c1 * (ratings / self.ratings) / grown
        return replace(self, users=users, items=items, ratings=ratings, c1=c1, c2=self.c2 * grown)


MOVIELENS_LIKE = Shape(
    users=600,
    items=400,
    ratings=10_000,
    histogram=Table({1.0: 0.056, 2.0: 0.108, 3.0: 0.261, 4.0: 0.349, 5.0: 0.226}),
    c1=0.0,
    c2=0.0706 * 400,
)
"""A small data set with the fitted c1 and c2 and the rating shares of MovieLens 1M."""


def shape_of(ratings: Ratings) -> Shape:
    """The shape of a reference data set: its sizes, histogram, and fitted c1 and c2."""
    values, counts = np.unique(ratings.values, return_counts=True)
    fitted = fit_power_law(ratings.item_counts)
    return Shape(
        users=int(np.count_nonzero(ratings.user_counts)),
        items=int(np.count_nonzero(ratings.item_counts)),
        ratings=len(ratings),
        histogram=Table(zip(values.tolist(), counts.tolist(), strict=True)),
        c1=fitted.c1 if fitted and fitted.beta else 0.0,
        c2=fitted.c2 if fitted else 0.0,
    )


@option("source", "power-law")
@dataclass(frozen=True, kw_only=True)
class PowerLawRatings(Source):
    r"""Ratings without taste: item popularity by a shifted power law, all else by chance.

        |R(i_k)| = c1 + β (c2 + k)^(−α),  k the popularity rank

    c1 and c2 are fitted to the reference and β makes the numbers of users, items and
    ratings come out exactly (`power_law_counts`). The users who rated an item are drawn from
    all users without replacement. A user left without a rating takes over one from a user
    with several. Rating values are drawn by the histogram.
    bellogin2017 §5.2 and Fig. 5.

    >>> PowerLawRatings(alpha=0.0).read()
    Ratings(600 users, 400 items, 10,000 ratings)
    """

    alpha: float = parameter(
        1.4, "The skew of item popularity; 0 is uniform.", at_least=0, at_most=10
    )
    users: int | None = size_parameter("Number of users; by default that of the reference.")
    items: int | None = size_parameter("Number of items; by default that of the reference.")
    ratings: int | None = size_parameter(
        "Number of ratings; by default, it follows from the density of the reference."
    )
    histogram: Mapping[float, float] | None = parameter(
        None, "Weights by rating value; by default those of the reference.", at_least=0
    )
    reference: str | None = parameter(
        None, "A data set or file to resemble; by default 600 × 400, shaped like MovieLens 1M."
    )
    seed: int = parameter(0, "Another seed draws other users and values.", at_least=0)

    def read(self) -> Ratings:
        """The simulated ratings."""
        reference = (
            shape_of(read_ratings(self.reference).aggregate()) if self.reference else MOVIELENS_LIKE
        )
        shape = reference.resized(self.users, self.items, self.ratings)
        if self.histogram is not None:
            shape = replace(shape, histogram=self.histogram)
        return simulate_power_law(shape, alpha=self.alpha, seed=self.seed)


def simulate_power_law(shape: Shape, *, alpha: float, seed: int = 0) -> Ratings:
    """Ratings of a shape whose item popularity has the skew α."""
    seeds = Seeds(seed).child("source", "power-law")
    sizes = {"users": shape.users, "items": shape.items, "ratings": shape.ratings}
    refuse_impossible_sizes("power-law", **sizes)
    by_rank = power_law_counts(**sizes, alpha=alpha, c1=shape.c1, c2=shape.c2)
    # Ids must not tell how popular an item is, or ties by id would favour popular items.
    counts = by_rank[np.argsort(seeds.words("items", size=shape.items), kind="stable")]
    items = np.repeat(np.arange(shape.items, dtype=np.int32), counts)
    users = _with_everyone(_raters(counts, shape.users, seeds), shape.users, seeds)
    rows = np.lexsort((items, users))
    return Ratings(
        numbered_ids("u", shape.users),
        numbered_ids("i", shape.items),
        users[rows],
        items[rows],
        _values(shape.histogram, shape.ratings, seeds),
    )


def _raters(counts: Counts, users: int, seeds: Seeds) -> Codes:
    """For each item in turn, so many different users, every set of them equally likely.

    For items rated by more than half of the users, those who did not rate are drawn.
    """
    inverted = 2 * counts > users
    drawn = _distinct(np.where(inverted, users - counts, counts), users, seeds)
    owners = drawn // users
    starts = np.searchsorted(owners, np.arange(len(counts) + 1))
    codes = (drawn % users).astype(np.int32)
    everyone = np.arange(users, dtype=np.int32)
    parts = [
        np.delete(everyone, codes[start:stop]) if inverted[item] else codes[start:stop]
        for item, (start, stop) in enumerate(pairwise(starts))
    ]
    return np.concatenate(parts)


def _distinct(counts: Counts, users: int, seeds: Seeds) -> Counts:
    """Pairs item × users + user, ascending: for each item so many different users.

    Draws that repeat a user are drawn again until none does; no user is favoured.
    """
    pairs, lacking, rounds = np.empty(0, dtype=np.int64), counts, 0
    while lacking.any():
        items = np.repeat(np.arange(len(counts)), lacking)
        drawn = uniforms(seeds.key("raters", round=rounds), np.arange(len(items)))
        fresh = np.sort(items * users + (drawn * users).astype(np.int64))
        fresh = fresh[_is_new(fresh, pairs)]
        # Stable sorting merges two ascending runs in one pass.
        pairs = np.sort(np.concatenate([pairs, fresh]), kind="stable")
        lacking = lacking - np.bincount(fresh // users, minlength=len(counts))
        rounds += 1
    return pairs


def _is_new(fresh: Counts, pairs: Counts) -> npt.NDArray[np.bool_]:
    """Which of some ascending pairs are the first of their kind and not among others."""
    new = np.append(True, fresh[1:] != fresh[:-1])
    if len(pairs):
        places = np.minimum(np.searchsorted(pairs, fresh), len(pairs) - 1)
        new &= pairs[places] != fresh
    return new


def _with_everyone(raters: Codes, users: int, seeds: Seeds) -> Codes:
    """The raters with nobody left out: who has no rating gets one of those with several."""
    absent = np.flatnonzero(np.bincount(raters, minlength=users) == 0)
    if not len(absent):
        return raters
    order = np.argsort(seeds.words("everyone", size=len(raters)), kind="stable")
    _, kept = np.unique(raters[order], return_index=True)
    spare = np.delete(order, kept)[: len(absent)]
    complete = raters.copy()
    complete[spare] = absent
    return complete


def _values(histogram: Mapping[float, float], size: int, seeds: Seeds) -> npt.NDArray[np.float64]:
    """Rating values drawn by their weights."""
    values = np.array(sorted(histogram), dtype=np.float64)
    weights = np.array([histogram[value] for value in sorted(histogram)], dtype=np.float64)
    if not (np.isfinite(values).all() and np.isfinite(weights).all() and weights.sum() > 0):
        wanted = "a table of finite values with weights, such as {1: 0.2, 5: 0.8}"
        raise BadParameter("power-law", "histogram", dict(histogram), wanted)
    ends = np.cumsum(weights) / weights.sum()
    drawn = uniforms(seeds.key("values"), np.arange(size))
    return np.asarray(values[np.searchsorted(ends, drawn * ends[-1], side="right")])
