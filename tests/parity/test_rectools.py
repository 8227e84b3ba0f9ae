"""Parity with RecTools, whose relevant items are those of a table of interactions."""

from __future__ import annotations

import pytest

from hit_cases import trec_order
from peer_cases import own_scores, peer_case, with_relevant

pytest.importorskip("rectools", reason="RecTools is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

PAIRS = {
    ("Precision", "5"): "P@5",
    ("Recall", "10"): "Recall@10",
    ("HitRate", "5"): "Success@5",
    ("MRR", "10"): "RR@10",
    ("MAP", "10"): "AP@10",
    ("NDCG", "10"): "nDCG(as=rectools)@10",
}


@pytest.mark.parametrize(("theirs", "ours"), PAIRS.items())
def test_every_user_agrees(theirs: tuple[str, str], ours: str) -> None:
    import pandas as pd
    from rectools import metrics

    qrels, run = peer_case()
    listed = [(u, i, k) for u in run for k, i in enumerate(trec_order(run[u]), start=1)]
    liked = [(u, i) for u in with_relevant() for i, r in qrels[u].items() if r >= 4]
    metric = getattr(metrics, theirs[0])(k=int(theirs[1]))
    scores = metric.calc_per_user(
        pd.DataFrame(listed, columns=["user_id", "item_id", "rank"]),
        pd.DataFrame(liked, columns=["user_id", "item_id"]),
    )
    own = own_scores(ours)
    for user in with_relevant():
        assert own[user] == pytest.approx(scores[user], abs=1e-9), user
