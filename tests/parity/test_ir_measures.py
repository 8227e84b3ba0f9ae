"""Parity with ir_measures, by its own provider or trec_eval's."""

from __future__ import annotations

import pytest

from peer_cases import own_scores, peer_case, whole, with_relevant

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")

PAIRS = {
    "P(rel=4)@5": "P@5",
    "R(rel=4)@10": "Recall@10",
    "AP(rel=4)@10": "AP@10",
    "RR(rel=4)": "RR",
    "RR(rel=4)@3": "RR@3",
    "nDCG@10": "nDCG@10",
    "Success(rel=4)@5": "Success@5",
    "Rprec(rel=4)": "Rprec",
    "Bpref(rel=4)": "Bpref",
    "infAP(rel=4)": "infAP(trec_eval)",
}


@pytest.mark.parametrize(("theirs", "ours"), PAIRS.items())
def test_every_user_agrees(theirs: str, ours: str) -> None:
    qrels, run = peer_case()
    pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    measure = ir_measures.parse_measure(theirs)
    scores = {m.query_id: m.value for m in ir_measures.iter_calc([measure], whole(qrels), run)}
    own = own_scores(ours)
    for user in with_relevant():
        assert own[user] == pytest.approx(scores[user], abs=1e-9), user


def test_judged_there_is_divided_by_n_where_unrated_here_is_by_what_is_listed() -> None:
    qrels, run = peer_case()
    measure = ir_measures.parse_measure("Judged@10")
    found = ir_measures.judged.iter_calc([measure], whole(qrels), run)
    scores, own = {m.query_id: m.value for m in found}, own_scores("Unrated@10")
    for user, listed in run.items():
        judged = (1 - own[user]) * min(10, len(listed))
        by_listed, by_n = judged / min(10, len(listed)), judged / 10
        assert scores[user] == pytest.approx(by_listed) or scores[user] == pytest.approx(by_n)
