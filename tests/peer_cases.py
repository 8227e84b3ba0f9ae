"""One run and its judgments, as other tools take them."""

from __future__ import annotations

from functools import cache

import numpy as np

from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from hit_cases import Judged, trec_hits

USERS, ITEMS = 60, 80


@cache
def peer_case() -> tuple[Judged, Judged]:
    """Judgments and a run: scores without ties, lists of 1 to 40 items, some nothing relevant."""
    rng = np.random.default_rng(20)
    qrels: Judged = {}
    run: Judged = {}
    for user in range(USERS):
        judged = rng.choice(ITEMS, rng.integers(1, 25), replace=False)
        listed = rng.choice(ITEMS, rng.integers(1, 41), replace=False)
        scores = rng.permutation(len(listed)) + 1.0
        qrels[f"u{user}"] = {f"i{item}": float(rng.integers(1, 6)) for item in judged}
        run[f"u{user}"] = {f"i{i}": float(s) for i, s in zip(listed, scores, strict=True)}
    return qrels, run


def own_scores(name: str) -> dict[str, float]:
    """Our score of each user of the case."""
    users, hits = trec_hits(*peer_case())
    return dict(zip(users, measure(hits, [parse("metric", name)])[0].tolist(), strict=True))


def with_relevant(threshold: float = 4) -> list[str]:
    """Users with a relevant item."""
    return [user for user, judged in peer_case()[0].items() if max(judged.values()) >= threshold]


def whole(qrels: Judged) -> dict[str, dict[str, int]]:
    """Judgments with whole numbers, which most tools insist on."""
    return {u: {i: int(r) for i, r in judged.items()} for u, judged in qrels.items()}


def binary(qrels: Judged, threshold: float = 4) -> dict[str, dict[str, int]]:
    """Judgments as 1 and 0."""
    return {u: {i: int(r >= threshold) for i, r in j.items()} for u, j in qrels.items()}
