"""Lists, training and test ratings, and clusters, by arithmetic alone: the same in any tool."""

from __future__ import annotations

USERS, ITEMS = range(1, 31), range(101, 126)
RELEVANCE = 4.0


def _drawn(user: int, item: int) -> int:
    return (user * 37 + item * 17 + user * item * 7) % 101


Pairs = dict[int, dict[int, float]]
"""User → item → rating."""

TRAIN: Pairs = {
    u: {i: 1.0 + (u + i) % 5 for i in ITEMS if _drawn(u, i) < i - 93 or i == 121 + u % 4}
    for u in USERS
}
"""Items of a higher number have more ratings."""
TEST: Pairs = {
    u: {i: 1.0 + (3 * u + 5 * i) % 5 for i in ITEMS if i not in TRAIN[u] and _drawn(u, i) > 60}
    for u in USERS
}
SCORES: Pairs = {
    u: {i: ((u * 13 + i * 29 + u * i * 11) % 103) / 20 for i in ITEMS if i not in TRAIN[u]}
    for u in USERS
}
LISTS = {
    u: sorted(scores.items(), key=lambda each: -each[1])[: 3 + (u % 8)]
    for u, scores in SCORES.items()
}
"""From 3 to 10 items, best first."""
ITEM_CLUSTERS = {i: i % 3 for i in ITEMS}
USER_CLUSTERS = {u: u % 2 for u in USERS}
