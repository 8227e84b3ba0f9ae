"""Parity with ranx, whose relevance threshold is applied to the judgments beforehand."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from peer_cases import binary, own_scores, peer_case, whole, with_relevant

with warnings.catch_warnings():  # importing it warns
    warnings.simplefilter("ignore")
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")

# compiling ranx takes a minute or more
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

BINARY = {
    "precision@5": "P@5",
    "recall@10": "Recall@10",
    "f1@10": "F1@10",
    "map@10": "AP@10",
    "mrr": "RR",
    "hit_rate@5": "Success@5",
    "r-precision": "Rprec",
    "rbp.80": "RBP(p=0.8)",
    "ndcg@10": "nDCG(gain=binary)@10",
}
GRADED = {"ndcg@10": "nDCG@10", "ndcg_burges@10": "nDCG(gain=exponential)@10"}


def ranx_scores(metric: str, *, graded: bool) -> dict[str, float]:
    qrels, run = peer_case()
    users = with_relevant()
    made = whole(qrels) if graded else binary(qrels)
    kept = {u: {i: r for i, r in made[u].items() if r > 0} for u in users}
    scored = ranx.Run({u: run[u] for u in users})
    ranx.evaluate(ranx.Qrels(kept), scored, metric, make_comparable=True)
    return dict(scored.scores[metric])


@pytest.mark.parametrize(("theirs", "ours"), BINARY.items())
def test_every_user_agrees_on_binary_relevance(theirs: str, ours: str) -> None:
    scores, own = ranx_scores(theirs, graded=False), own_scores(ours)
    for user in with_relevant():
        assert own[user] == pytest.approx(scores[user], abs=1e-9), user


@pytest.mark.parametrize(("theirs", "ours"), GRADED.items())
def test_every_user_agrees_on_graded_gains(theirs: str, ours: str) -> None:
    scores, own = ranx_scores(theirs, graded=True), own_scores(ours)
    for user in with_relevant():
        assert own[user] == pytest.approx(scores[user], abs=1e-9), user


def test_bpref_there_is_not_ours_because_it_needs_judged_nonrelevant_items() -> None:
    """ranx takes every item without a positive judgment out, and divides by what is left."""
    theirs = np.array([ranx_scores("bpref", graded=False)[user] for user in with_relevant()])
    ours = np.array([own_scores("Bpref")[user] for user in with_relevant()])
    assert not np.allclose(theirs, ours, atol=1e-3, equal_nan=True)
    assert not np.isnan(ours).any()


def test_its_runs_and_qrels_are_read_as_they_are(tmp_path: Path) -> None:
    qrels, run = peer_case()
    theirs, graded = (
        ranx.Run(run, name="A"),
        {
            user: {item: int(rating) for item, rating in judged.items()}
            for user, judged in qrels.items()
        },
    )
    theirs.save(str(tmp_path / "run.json"))
    theirs.save(str(tmp_path / "run.parquet"))
    metrics = ["nDCG@10", "RR"]
    expected = cf.score(graded, {"A": run}, metrics, relevance=4)
    forms = [theirs, tmp_path / "run.json", tmp_path / "run.parquet"]
    for form in forms:
        made = cf.score(ranx.Qrels(graded), {"A": form}, metrics, relevance=4)
        assert np.array_equal(made.values, expected.values, equal_nan=True)
    assert expected.of("A", "RR")[0] == own_scores("RR")["u0"]
