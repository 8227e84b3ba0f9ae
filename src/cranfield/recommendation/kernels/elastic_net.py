"""SLIM: the non-negative elastic net of one item after another, by coordinate descent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR
from cranfield.recommendation.kernels.selection import merged, places_of_largest

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


_FIRST = 64
"""Weights that may join at first; twice as many each time after."""


class Penalty(NamedTuple):
    """The elastic net's penalties, and when to stop."""

    l1: float
    l2: float
    tolerance: float
    rounds: int
    candidates: int


class Columns(NamedTuple):
    """The rating matrix by items and by users, and all inner products of items, or none of them.

    With the ``gram`` matrix, slopes are sums over the weights in use; without it (no rows), over
    the ratings of an item.
    """

    items: CSR
    users: CSR
    norms: Floats
    gram: Floats


class State(NamedTuple):
    """The weights of one regression and what they leave unexplained; changed in place.

    ``products`` are those of the regressed item with every item.
    """

    weights: Floats
    residual: Floats
    products: Floats


@kernel
def products_with(item: int, items: CSR, users: CSR, out: Floats) -> None:
    """``out = Aᵀ a_j``: the inner product of every item's column with one item's."""
    out[:] = 0.0
    for at in range(items.offsets[item], items.offsets[item + 1]):
        user, value = items.places[at], items.values[at]
        for other in range(users.offsets[user], users.offsets[user + 1]):
            out[users.places[other]] += value * users.values[other]


@kernel
def squares(items: CSR) -> Floats:
    """``a_kᵀ a_k`` of every item."""
    out = np.zeros(len(items.offsets) - 1)
    for k in range(len(out)):
        for at in range(items.offsets[k], items.offsets[k + 1]):
            out[k] += items.values[at] * items.values[at]
    return out


@kernel
def candidates_of(item: int, products: Floats, penalty: Penalty) -> Codes:
    """The items that can have a weight, in ascending order.

    Neither weights nor ratings are negative, so a weight is zero unless its item's inner
    product with the regressed item exceeds l1. Of more than the allowed number, those
    with the largest products stay.
    """
    products[item] = 0.0
    found = np.flatnonzero(products > penalty.l1).astype(np.int32)
    if len(found) > penalty.candidates:
        found = found[places_of_largest(products[found], penalty.candidates)]
    return found


@kernel
def best_change(slope: float, weight: float, norm: float, penalty: Penalty) -> float:
    """What leads a weight to its best value, given the slope ``a_k·(a_j − A·w)`` at the others'."""
    return max(0.0, slope + weight * norm - penalty.l1) / (norm + penalty.l2) - weight


@kernel
def slope_at(k: int, items: CSR, residual: Floats) -> float:
    """The inner product of an item with the residuals."""
    slope = 0.0
    for at in range(items.offsets[k], items.offsets[k + 1]):
        slope += items.values[at] * residual[items.places[at]]
    return slope


@kernel
def slopes_at(candidates: Codes, active: Codes, state: State, columns: Columns) -> Floats:
    """The slope of every candidate, where no weights but those of active items are above 0."""
    gram = columns.gram
    slopes = np.empty(len(candidates))
    if len(gram) == 0:
        for number, k in enumerate(candidates):
            slopes[number] = slope_at(k, columns.items, state.residual)
        return slopes
    for number, k in enumerate(candidates):
        slopes[number] = state.products[k]
    for other in active:
        weight = state.weights[other]
        for number, k in enumerate(candidates):
            slopes[number] -= weight * gram[other, k]
    return slopes


@kernel
def sweep_ratings(active: Codes, state: State, columns: Columns, penalty: Penalty) -> float:
    """Set each active weight to its best value given the others; the largest change."""
    items, norms, weights, residual = columns.items, columns.norms, state.weights, state.residual
    largest = 0.0
    for k in active:
        slope = slope_at(k, items, residual)
        change = best_change(slope, weights[k], norms[k], penalty)
        if change != 0.0:
            weights[k] += change
            for at in range(items.offsets[k], items.offsets[k + 1]):
                residual[items.places[at]] -= change * items.values[at]
            largest = max(largest, abs(change))
    return largest


@kernel
def sweep_gram(
    active: Codes, slopes: Floats, gram: Floats, weights: Floats, penalty: Penalty
) -> float:
    """The same, where slopes and inner products of the active items stand side by side."""
    largest = 0.0
    for number, k in enumerate(active):
        change = best_change(slopes[number], weights[k], gram[number, number], penalty)
        if change != 0.0:
            weights[k] += change
            row = gram[number]
            for other in range(len(slopes)):
                slopes[other] -= change * row[other]
            largest = max(largest, abs(change))
    return largest


@kernel
def settle(active: Codes, state: State, columns: Columns, penalty: Penalty) -> None:
    """Sweep over the active weights until they rest."""
    dense = len(columns.gram) > 0
    size = len(active) if dense else 0
    gram = np.empty((size, size))
    for row in range(size):
        for column in range(size):
            gram[row, column] = columns.gram[active[row], active[column]]
    slopes = slopes_at(active[:size], active, state, columns)
    for _ in range(penalty.rounds):
        if dense:
            largest = sweep_gram(active, slopes, gram, state.weights, penalty)
        else:
            largest = sweep_ratings(active, state, columns, penalty)
        if largest <= penalty.tolerance:
            return


@kernel
def joining(
    candidates: Codes, active: Codes, state: State, columns: Columns, penalty: Penalty, most: int
) -> Codes:
    """The candidates without a weight that would gain one, in ascending order.

    Of more than ``most``, those that would gain the most; the others may join later.
    """
    gains = slopes_at(candidates, active, state, columns) - penalty.l1
    for number, k in enumerate(candidates):
        used = state.weights[k] > 0.0
        gains[number] = 0.0 if used else gains[number] / (columns.norms[k] + penalty.l2)
    found = np.flatnonzero(gains > penalty.tolerance)
    if len(found) > most:
        found = found[places_of_largest(gains[found], most)]
    return candidates[found]


@kernel
def descend(candidates: Codes, state: State, columns: Columns, penalty: Penalty) -> None:
    """Let the weights in use come to rest, let others join, and so on.

    Few of the candidates end with a weight, so that most are only looked at now and then.
    """
    active, most = candidates[:0], _FIRST
    for _ in range(penalty.rounds):
        new = joining(candidates, active, state, columns, penalty, most)
        if len(new) == 0:
            return
        active = merged(active, new)
        settle(active, state, columns, penalty)
        active = active[state.weights[active] > 0.0]
        most *= 2


@kernel
def regress_item(item: int, columns: Columns, penalty: Penalty) -> tuple[Codes, Floats]:
    """The items that explain one item, in ascending order, and their weights."""
    items, users = columns.items, columns.users
    products = np.empty(len(columns.norms))
    if len(columns.gram) > 0:
        for other in range(len(products)):
            products[other] = columns.gram[item, other]
        residual = np.empty(0)
    else:
        products_with(item, items, users, products)
        residual = np.zeros(len(users.offsets) - 1)
        for at in range(items.offsets[item], items.offsets[item + 1]):
            residual[items.places[at]] = items.values[at]
    candidates = candidates_of(item, products, penalty)
    state = State(np.zeros(len(products)), residual, products)
    descend(candidates, state, columns, penalty)
    used = candidates[state.weights[candidates] > 0.0]
    return used, state.weights[used]
