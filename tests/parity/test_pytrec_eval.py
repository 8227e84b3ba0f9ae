"""Parity with pytrec_eval, which is trec_eval in Python."""

from __future__ import annotations

import pytest

from peer_cases import own_scores, peer_case, whole, with_relevant

pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")

PAIRS = {
    "P_5": "P@5",
    "P_100": "P@100",
    "recall_10": "Recall@10",
    "map": "AP",
    "map_cut_10": "AP@10",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
    "bpref": "Bpref",
    "infAP": "infAP(trec_eval)",
    "Rprec": "Rprec",
    "success_5": "Success@5",
    "set_F": "F1",
    "set_P": "P",
}


@pytest.mark.parametrize(("theirs", "ours"), PAIRS.items())
def test_every_user_agrees(theirs: str, ours: str) -> None:
    qrels, run = peer_case()
    evaluator = pytrec_eval.RelevanceEvaluator(
        whole(qrels),
        {theirs.replace("_", ".", 1) if theirs[-1].isdecimal() else theirs}
        if not theirs.startswith(("map_cut", "ndcg_cut"))
        else {theirs.rpartition("_")[0] + "." + theirs.rpartition("_")[2]},
        relevance_level=4,
    )
    scores, own = evaluator.evaluate(run), own_scores(ours)
    for user in with_relevant():
        assert own[user] == pytest.approx(scores[user][theirs], abs=1e-9), user


def test_a_user_without_relevant_items_is_zero_there_and_undefined_here() -> None:
    qrels, run = {"u": {"a": 1}}, {"u": {"a": 1.0}}
    scores = pytrec_eval.RelevanceEvaluator(qrels, {"map"}, relevance_level=4).evaluate(run)
    assert scores["u"]["map"] == 0.0
    assert all(v != v for u, v in own_scores("AP").items() if u not in with_relevant())
