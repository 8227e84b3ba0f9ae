"""Pairs as readers see them: the higher system first, pairs of baselines last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cranfield.base.decisions import fold
from cranfield.significance.pair import Pair
from cranfield.view.numbers import UNKNOWN

_BASELINES = {"popularity": 1, "pop": 1, "mostpopular": 1, "mostpop": 1, "averagerating": 1}
_RANDOM = {"random": 2, "chance": 2}
Kinds = Mapping[str, str]
"""Which recommender a system is, where that is known."""


def in_order(pairs: Iterable[Pair], kinds: Kinds | None = None) -> list[Pair]:
    """The pairs of each metric as given, but those with a baseline after the others.

    Baselines are systems that rank alike for everyone, by their recommender or by their
    name; a random one comes last of all.
    """
    known = kinds or {}
    found = list(pairs)
    places = {metric: at for at, metric in enumerate(dict.fromkeys(pair.metric for pair in found))}
    return sorted(found, key=lambda pair: (places[pair.metric], *_interest(pair, known)))


def _interest(pair: Pair, kinds: Kinds) -> tuple[int, int]:
    ranks = [
        (_BASELINES | _RANDOM).get(fold(kinds.get(name, name)), 0)
        for name in (pair.first, pair.second)
    ]
    return max(ranks), sum(ranks)


def users_text(pair: Pair, between: str) -> str:
    """For how many users the first system is better, equal and worse; a dash if not known."""
    counts = pair.wins, pair.ties, pair.losses
    known = all(each is not None for each in counts)
    return between.join(f"{each:,}" for each in counts) if known else UNKNOWN


def higher_first(pair: Pair) -> Pair:
    """The same pair, turned if its second system scores more."""
    return pair.turned() if pair.difference < 0 else pair
