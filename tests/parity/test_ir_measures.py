"""Parity with ir_measures, by its own provider or trec_eval's."""

from __future__ import annotations

import pytest

from peer_cases import own_scores, peer_case, whole, with_relevant

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")

PAIRS = {
    "P@5": ir_measures.P(rel=4) @ 5,
    "Recall@10": ir_measures.R(rel=4) @ 10,
    "AP@10": ir_measures.AP(rel=4) @ 10,
    "RR": ir_measures.RR(rel=4),
    "RR@3": ir_measures.RR(rel=4) @ 3,
    "nDCG@10": ir_measures.nDCG @ 10,
    "Success@5": ir_measures.Success(rel=4) @ 5,
    "Rprec": ir_measures.Rprec(rel=4),
    "Bpref": ir_measures.Bpref(rel=4),
    "infAP(trec_eval)": ir_measures.infAP(rel=4),
}
"""Made by calls: its parser of texts uses what Python 3.14 has no more."""


@pytest.mark.parametrize("ours", PAIRS)
def test_every_user_agrees(ours: str) -> None:
    qrels, run = peer_case()
    pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    found = ir_measures.iter_calc([PAIRS[ours]], whole(qrels), run)
    scores = {m.query_id: m.value for m in found}
    own = own_scores(ours)
    for user in with_relevant():
        assert own[user] == pytest.approx(scores[user], abs=1e-9), user


def test_judged_there_is_divided_by_n_where_unrated_here_is_by_what_is_listed() -> None:
    qrels, run = peer_case()
    found = ir_measures.judged.iter_calc([ir_measures.Judged @ 10], whole(qrels), run)
    scores, own = {m.query_id: m.value for m in found}, own_scores("Unrated@10")
    for user, listed in run.items():
        judged = (1 - own[user]) * min(10, len(listed))
        by_listed, by_n = judged / min(10, len(listed)), judged / 10
        assert scores[user] == pytest.approx(by_listed) or scores[user] == pytest.approx(by_n)
