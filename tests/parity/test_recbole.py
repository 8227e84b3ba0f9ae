"""Metrics "as=recbole" are those of RecBole, which takes hits of lists that are long enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hit_cases import trec_order
from peer_cases import own_scores, peer_case, with_relevant

metrics: Any = pytest.importorskip("recbole.evaluator.metrics", reason="RecBole is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

DEPTH = 10
OF_HITS = {"MRR": "RR@{n}", "Precision": "P@{n}"}
OF_HITS_AND_RELEVANT = {
    "MAP": "AP(as=recbole)@{n}",
    "NDCG": "nDCG(as=recbole)@{n}",
    "Recall": "Recall@{n}",
}


@pytest.mark.parametrize(("theirs", "ours"), (OF_HITS | OF_HITS_AND_RELEVANT).items())
def test_every_user_agrees_at_every_cutoff(
    theirs: str, ours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "float", float, raising=False)  # a name that NumPy has dropped
    qrels, run = peer_case()
    users = [user for user in with_relevant() if len(run[user]) >= DEPTH]
    liked = {u: {item for item, rating in qrels[u].items() if rating >= 4} for u in users}
    hits = np.array([[i in liked[u] for i in trec_order(run[u])[:DEPTH]] for u in users])
    relevant = np.array([len(liked[user]) for user in users])
    metric = getattr(metrics, theirs)({"topk": [DEPTH], "metric_decimal_place": 10})
    asked = (hits, relevant) if theirs in OF_HITS_AND_RELEVANT else (hits,)
    scores = metric.metric_info(*asked)
    for cutoff in (1, 3, DEPTH):
        own = own_scores(ours.format(n=cutoff))
        mine = [own[user] for user in users]
        assert mine == pytest.approx(scores[:, cutoff - 1].tolist(), abs=1e-9), cutoff
