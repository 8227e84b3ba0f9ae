"""SLIM: the non-negative elastic net of one item after another, by coordinate descent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR

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


class State(NamedTuple):
    """The weights of one regression and what they leave unexplained; changed in place."""

    weights: Floats
    residual: Floats


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
        order = np.argsort(-products[found], kind="mergesort")
        found = np.sort(found[order[: penalty.candidates]])
    return found


@kernel
def sweep(chosen: Codes, state: State, items: CSR, norms: Floats, penalty: Penalty) -> float:
    """Set each chosen weight to its best value given the others; the largest change."""
    weights, residual = state
    largest = 0.0
    for k in chosen:
        start, stop = items.offsets[k], items.offsets[k + 1]
        slope = weights[k] * norms[k]
        for at in range(start, stop):
            slope += items.values[at] * residual[items.places[at]]
        change = max(0.0, slope - penalty.l1) / (norms[k] + penalty.l2) - weights[k]
        if change != 0.0:
            weights[k] += change
            for at in range(start, stop):
                residual[items.places[at]] -= change * items.values[at]
            largest = max(largest, abs(change))
    return largest


@kernel
def joining(
    candidates: Codes, state: State, items: CSR, norms: Floats, penalty: Penalty, most: int
) -> Codes:
    """The candidates without a weight that would gain one, in ascending order.

    Of more than ``most``, those that would gain the most; the others may join later.
    """
    gains = np.zeros(len(candidates))
    for number, k in enumerate(candidates):
        if state.weights[k] == 0.0:
            slope = -penalty.l1
            for at in range(items.offsets[k], items.offsets[k + 1]):
                slope += items.values[at] * state.residual[items.places[at]]
            gains[number] = slope / (norms[k] + penalty.l2)
    found = np.flatnonzero(gains > penalty.tolerance)
    if len(found) > most:
        order = np.argsort(-gains[found], kind="mergesort")
        found = np.sort(found[order[:most]])
    return candidates[found]


@kernel
def descend(candidates: Codes, state: State, items: CSR, norms: Floats, penalty: Penalty) -> None:
    """Sweep over the weights in use until they rest, let others join, and so on.

    Few of the candidates end with a weight, so that most are only looked at now and then.
    """
    active, most = candidates[:0], _FIRST
    for _ in range(penalty.rounds):
        new = joining(candidates, state, items, norms, penalty, most)
        if len(new) == 0:
            return
        active = np.sort(np.concatenate((active, new)))
        for _ in range(penalty.rounds):
            if sweep(active, state, items, norms, penalty) <= penalty.tolerance:
                break
        active = active[state.weights[active] > 0.0]
        most *= 2


@kernel
def regress_item(
    item: int, items: CSR, users: CSR, norms: Floats, penalty: Penalty
) -> tuple[Codes, Floats]:
    """The items that explain one item, in ascending order, and their weights."""
    products = np.empty(len(norms))
    products_with(item, items, users, products)
    candidates = candidates_of(item, products, penalty)
    state = State(np.zeros(len(norms)), np.zeros(len(users.offsets) - 1))
    for at in range(items.offsets[item], items.offsets[item + 1]):
        state.residual[items.places[at]] = items.values[at]
    descend(candidates, state, items, norms, penalty)
    used = candidates[state.weights[candidates] > 0.0]
    return used, state.weights[used]
