"""Hitting time: truncated walks from items back to users, nearby or on the whole graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_LANES = 16
"""Users whose walks over the whole graph are computed side by side."""


@kernel
def reach(
    user: int, users: CSR, items: CSR, most: int, near_users: Flags, near_items: Flags
) -> None:
    """Flag what a breadth-first search from a user meets, until it has most items.

    Nodes are met in the order of their codes at each step; every user of a met item is
    near, and no further items are met once there are enough.
    """
    n_users, n_items = len(users.offsets) - 1, len(items.offsets) - 1
    near_users[:] = False
    near_items[:] = False
    near_users[user] = True
    queue = np.empty(n_users + n_items, np.int64)
    queue[0] = user
    head, tail, met = 0, 1, 0
    while head < tail:
        node = queue[head]
        head += 1
        if node < n_users:
            for at in range(users.offsets[node], users.offsets[node + 1]):
                item = users.places[at]
                if met < most and not near_items[item]:
                    near_items[item] = True
                    met += 1
                    queue[tail] = n_users + item
                    tail += 1
        else:
            item = node - n_users
            for at in range(items.offsets[item], items.offsets[item + 1]):
                other = items.places[at]
                if not near_users[other]:
                    near_users[other] = True
                    queue[tail] = other
                    tail += 1


@kernel
def walk(side: CSR, near: Flags, beyond: Flags, times: Floats, out: Floats) -> None:
    """One step: ``out = 1 + Σ p·times`` over the near places of each near row."""
    for row in range(len(side.offsets) - 1):
        if near[row]:
            total, weight = 0.0, 0.0
            for at in range(side.offsets[row], side.offsets[row + 1]):
                place, value = side.places[at], side.values[at]
                if beyond[place]:
                    total += value * times[place]
                    weight += value
            out[row] = 1.0 + total / weight


@kernel
def times_nearby(
    rows: npt.NDArray[np.int32], users: CSR, items: CSR, most: int, steps: int, out: Floats
) -> None:
    """The time from every item to each user, cut off after so many steps; NaN beyond reach.

    Users and items take turns in a bipartite graph, so a step of the items needs the
    step of the users before it, and that one the step of the items before that.
    """
    n_users, n_items = len(users.offsets) - 1, len(items.offsets) - 1
    near_users, near_items = np.empty(n_users, np.bool_), np.empty(n_items, np.bool_)
    from_users, from_items = np.empty(n_users), np.empty(n_items)
    for b in range(len(rows)):
        user = rows[b]
        out[b, :] = np.nan
        if users.offsets[user] == users.offsets[user + 1]:
            continue
        reach(user, users, items, most, near_users, near_items)
        from_users[:] = 0.0
        from_items[:] = 0.0
        for step in range(steps, 0, -1):
            if step % 2 == 1:
                walk(items, near_items, near_users, from_users, from_items)
            else:
                walk(users, near_users, near_items, from_items, from_users)
                from_users[user] = 0.0
        for item in range(n_items):
            if near_items[item]:
                out[b, item] = from_items[item]


@kernel
def walk_all(moves: CSR, times: Floats, out: Floats) -> None:
    """One step of several walks: ``out = 1 + Σ p·times``, one walk per column."""
    for row in range(len(moves.offsets) - 1):
        target = out[row]
        target[:] = 1.0
        for at in range(moves.offsets[row], moves.offsets[row + 1]):
            source, share = times[moves.places[at]], moves.values[at]
            for lane in range(_LANES):
                target[lane] += share * source[lane]


@kernel
def times_everywhere(
    rows: npt.NDArray[np.int32], users: CSR, items: CSR, steps: int, out: Floats
) -> None:
    """The time from every item to each user on the whole graph, cut off after so many steps.

    The values of both sides are the probabilities of moving along an entry.
    """
    from_users = np.empty((len(users.offsets) - 1, _LANES))
    from_items = np.empty((len(items.offsets) - 1, _LANES))
    for first in range(0, len(rows), _LANES):
        lanes = min(_LANES, len(rows) - first)
        from_users[:, :] = 0.0
        from_items[:, :] = 0.0
        for step in range(steps, 0, -1):
            if step % 2 == 1:
                walk_all(items, from_users, from_items)
            else:
                walk_all(users, from_items, from_users)
                for lane in range(lanes):
                    from_users[rows[first + lane], lane] = 0.0
        for lane in range(lanes):
            for item in range(len(from_items)):
                out[first + lane, item] = from_items[item, lane]
