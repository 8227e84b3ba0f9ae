"""Relevance models of users, from the smoothed models of their neighbours.

Smoothed models are seen_vi + share_v·background_i: the sums over neighbours then need
only what neighbours rated. Every user is worked on alone, in a fixed order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Offsets = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Rows = tuple[Offsets, Codes, Floats]

_TOGETHER = 8
"""Own items worked on at once, which the processor does side by side; a product of so many
factors stays far below the largest float, since none passes p(i|v)/(share_v·background_i)."""


@kernel
def first_model(
    users: Codes, neighbours: Rows, seen: Rows, share: Floats, background: Floats, out: Floats
) -> None:
    """RM1: Σ_v w_v·p(i|v), w_v ∝ Π_{j∈I_u} p(j|v), scaled so that the weights sum to 1.

    The profile of user u is row u of ``seen``, as that of each neighbour is.
    """
    offsets, codes, values = seen
    starts, others, _ = neighbours
    mine = np.zeros(len(background), dtype=np.bool_)
    for b in range(len(users)):
        user = users[b]
        first, last = starts[user], starts[user + 1]
        if first == last:
            out[b, :] = np.nan
            continue
        own = codes[offsets[user] : offsets[user + 1]]
        mine[own] = True
        weights = np.empty(last - first)
        for at in range(first, last):
            v = others[at]
            weights[at - first] = len(own) * np.log(share[v])
            for place in range(offsets[v], offsets[v + 1]):
                if mine[codes[place]]:
                    ratio = values[place] / (share[v] * background[codes[place]])
                    weights[at - first] += np.log1p(ratio)
        mine[own] = False
        weights = np.exp(weights - weights.max())
        weights /= weights.sum()
        left = 0.0
        for at in range(first, last):
            left += weights[at - first] * share[others[at]]
        for i in range(len(background)):
            out[b, i] = left * background[i] if background[i] > 0.0 else np.nan
        for at in range(first, last):
            for place in range(offsets[others[at]], offsets[others[at] + 1]):
                out[b, codes[place]] += weights[at - first] * values[place]


@kernel
def second_model(
    users: Codes, neighbours: Rows, seen: Rows, share: Floats, background: Floats, out: Floats
) -> None:
    """RM2 without its prior: Σ_{j∈I_u} log(Σ_{v∈V_u} p(i|v)·p(j|v) / (|V_u|·background_i)).

    With lift_vi = seen_vi/background_i, each term is the logarithm of a product:

        unseen_j·factor_ij,  unseen_j = Σ_v share_v·p(j|v)/|V_u|
        factor_ij = 1 + Σ_v lift_vi·p(j|v)/(|V_u|·unseen_j)

    so that an item that no neighbour rated needs no work of its own.
    """
    offsets, codes, _ = seen
    starts, others, _ = neighbours
    places = np.full(len(background), -1, dtype=np.int32)
    for b in range(len(users)):
        near = others[starts[users[b]] : starts[users[b] + 1]]
        if len(near) == 0:
            out[b, :] = np.nan
            continue
        own = codes[offsets[users[b]] : offsets[users[b] + 1]]
        reached = _reached(near, seen, places)
        lifts = _lifts(near, seen, background, places)
        unseen, weights = _own_models(own, near, seen, share, background)
        nobody = np.log(unseen).sum()
        for i in range(len(background)):
            out[b, i] = nobody if background[i] > 0.0 else np.nan
        logs = _log_factors(unseen, weights, share[near], lifts, background[own], len(reached))
        for at in range(len(reached)):
            out[b, reached[at]] += logs[at]
            places[reached[at]] = -1


@kernel
def _reached(near: Codes, seen: Rows, places: Codes) -> Codes:
    """The items that neighbours rated; ``places`` comes to say where each stands among them."""
    offsets, codes, _ = seen
    reached = np.empty(len(places), dtype=np.int32)
    count = 0
    for v in near:
        for code in codes[offsets[v] : offsets[v + 1]]:
            if places[code] < 0:
                places[code] = count
                reached[count] = code
                count += 1
    return reached[:count]


@kernel
def _lifts(near: Codes, seen: Rows, background: Floats, places: Codes) -> Rows:
    """The neighbours' lifts as rows of their own, side by side and coded by place."""
    offsets, codes, values = seen
    starts = np.zeros(len(near) + 1, dtype=np.int64)
    for at in range(len(near)):
        starts[at + 1] = starts[at] + offsets[near[at] + 1] - offsets[near[at]]
    columns = np.empty(starts[-1], dtype=np.int32)
    lifts = np.empty(starts[-1])
    for at in range(len(near)):
        shift = starts[at] - offsets[near[at]]
        for place in range(offsets[near[at]], offsets[near[at] + 1]):
            columns[shift + place] = places[codes[place]]
            lifts[shift + place] = values[place] / background[codes[place]]
    return starts, columns, lifts


@kernel
def _own_models(
    own: Codes, near: Codes, seen: Rows, share: Floats, background: Floats
) -> tuple[Floats, Floats]:
    """unseen_j of each item of the user's own, and seen_vj/|V_u| of each neighbour there."""
    offsets, codes, values = seen
    unseen = np.zeros(len(own))
    blocks = (len(own) + _TOGETHER - 1) // _TOGETHER
    weights = np.zeros((len(near), blocks * _TOGETHER))
    for at in range(len(near)):
        v = near[at]
        place = offsets[v]
        for slot in range(len(own)):
            while place < offsets[v + 1] and codes[place] < own[slot]:
                place += 1
            if place < offsets[v + 1] and codes[place] == own[slot]:
                weights[at, slot] = values[place] / len(near)
            model = weights[at, slot] + share[v] * background[own[slot]] / len(near)
            unseen[slot] += share[v] * model
    return unseen, weights


@kernel
def _log_factors(
    unseen: Floats, weights: Floats, share: Floats, lifts: Rows, behind: Floats, size: int
) -> Floats:
    """Log Π_j factor_ij of each item reached; what all j have in common is summed once."""
    starts, columns, values = lifts
    common = np.zeros(size)
    for at in range(len(share)):
        for place in range(starts[at], starts[at + 1]):
            common[columns[place]] += share[at] * values[place] / len(share)
    logs = np.zeros(size)
    sums = np.zeros((size, _TOGETHER))
    for first in range(0, len(unseen), _TOGETHER):
        _add_lifts(weights[:, first : first + _TOGETHER], lifts, sums)
        scales, shares = np.zeros(_TOGETHER), np.zeros(_TOGETHER)
        for slot in range(first, min(first + _TOGETHER, len(unseen))):
            scales[slot - first] = 1.0 / unseen[slot]
            shares[slot - first] = behind[slot]
        for at in range(size):
            product = 1.0
            for slot in range(_TOGETHER):
                product *= 1.0 + (sums[at, slot] + shares[slot] * common[at]) * scales[slot]
                sums[at, slot] = 0.0
            logs[at] += np.log(product)
    return logs


@kernel
def _add_lifts(weights: Floats, lifts: Rows, sums: Floats) -> None:
    """Add the neighbours' lifts of each item, by their weights at a few own items at once."""
    starts, columns, values = lifts
    for at in range(len(weights)):
        if np.any(weights[at] > 0.0):
            for place in range(starts[at], starts[at + 1]):
                column, lift = columns[place], values[place]
                for slot in range(_TOGETHER):
                    sums[column, slot] += weights[at, slot] * lift
