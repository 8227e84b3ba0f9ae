"""SLIM: the non-negative elastic net of one item after another, by coordinate descent."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]


@njit(cache=True, nogil=True)
def products_with(
    item: int,
    item_offsets: Offsets,
    item_users: Codes,
    item_values: Floats,
    user_offsets: Offsets,
    user_items: Codes,
    user_values: Floats,
    out: Floats,
) -> None:
    """``out = Aᵀ a_j``: the inner product of every item's column with one item's."""
    out[:] = 0.0
    for at in range(item_offsets[item], item_offsets[item + 1]):
        user = item_users[at]
        for other in range(user_offsets[user], user_offsets[user + 1]):
            out[user_items[other]] += item_values[at] * user_values[other]


@njit(cache=True, nogil=True)
def sweep(
    chosen: Codes,
    weights: Floats,
    residual: Floats,
    item_offsets: Offsets,
    item_users: Codes,
    item_values: Floats,
    norms: Floats,
    l1: float,
    l2: float,
) -> float:
    """Set each chosen weight to its best value given the others; the largest change."""
    largest = 0.0
    for k in chosen:
        start, stop = item_offsets[k], item_offsets[k + 1]
        slope = weights[k] * norms[k]
        for at in range(start, stop):
            slope += item_values[at] * residual[item_users[at]]
        best = max(0.0, slope - l1) / (norms[k] + l2)
        change = best - weights[k]
        if change != 0.0:
            weights[k] = best
            for at in range(start, stop):
                residual[item_users[at]] -= change * item_values[at]
            largest = max(largest, abs(change))
    return largest


@njit(cache=True, nogil=True)
def descend(
    candidates: Codes,
    weights: Floats,
    residual: Floats,
    item_offsets: Offsets,
    item_users: Codes,
    item_values: Floats,
    norms: Floats,
    l1: float,
    l2: float,
    tolerance: float,
    rounds: int,
) -> None:
    """Sweep over all candidates, then over those in use until they rest, and so on."""
    for _ in range(rounds):
        changed = sweep(
            candidates, weights, residual, item_offsets, item_users, item_values, norms, l1, l2
        )
        if changed <= tolerance:
            return
        active = candidates[weights[candidates] > 0.0]
        for _ in range(rounds):
            changed = sweep(
                active, weights, residual, item_offsets, item_users, item_values, norms, l1, l2
            )
            if changed <= tolerance:
                break


@njit(cache=True, nogil=True)
def regress_items(
    start: int,
    stop: int,
    item_offsets: Offsets,
    item_users: Codes,
    item_values: Floats,
    user_offsets: Offsets,
    user_items: Codes,
    user_values: Floats,
    settings: Floats,
    most: int,
    rounds: int,
) -> tuple[Offsets, Codes, Floats]:
    """The weights of the items from start to stop: offsets, places and values.

    ``settings``: l1, l2 and the tolerance. Weights cannot be negative and neither can
    ratings, so a weight is zero unless its item's inner product with the regressed item
    exceeds l1: those items alone are candidates, and at most so many of them, the ones
    with the largest products.
    """
    l1, l2, tolerance = settings
    n_items, n_users = len(item_offsets) - 1, len(user_offsets) - 1
    norms = np.zeros(n_items)
    for k in range(n_items):
        for at in range(item_offsets[k], item_offsets[k + 1]):
            norms[k] += item_values[at] * item_values[at]
    products, residual, weights = np.zeros(n_items), np.zeros(n_users), np.zeros(n_items)
    offsets = np.zeros(stop - start + 1, np.int64)
    places, values = [np.zeros(0, np.int32)], [np.zeros(0)]
    for j in range(start, stop):
        products_with(
            j,
            item_offsets,
            item_users,
            item_values,
            user_offsets,
            user_items,
            user_values,
            products,
        )
        products[j] = 0.0
        candidates = np.flatnonzero(products > l1).astype(np.int32)
        if len(candidates) > most:
            order = np.argsort(-products[candidates], kind="mergesort")
            candidates = np.sort(candidates[order[:most]])
        residual[:] = 0.0
        for at in range(item_offsets[j], item_offsets[j + 1]):
            residual[item_users[at]] = item_values[at]
        descend(
            candidates,
            weights,
            residual,
            item_offsets,
            item_users,
            item_values,
            norms,
            l1,
            l2,
            tolerance,
            rounds,
        )
        used = candidates[weights[candidates] > 0.0]
        places.append(used)
        values.append(weights[used])
        offsets[j - start + 1] = offsets[j - start] + len(used)
        weights[used] = 0.0
    return offsets, _joined_codes(places, offsets[-1]), _joined_floats(values, offsets[-1])


@njit(cache=True, nogil=True)
def _joined_codes(parts: list[Codes], size: int) -> Codes:
    out = np.empty(size, np.int32)
    at = 0
    for part in parts:
        out[at : at + len(part)] = part
        at += len(part)
    return out


@njit(cache=True, nogil=True)
def _joined_floats(parts: list[Floats], size: int) -> Floats:
    out = np.empty(size)
    at = 0
    for part in parts:
        out[at : at + len(part)] = part
        at += len(part)
    return out
