"""Metrics "as=implicit" are those that implicit evaluates its models by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

from cranfield.base.options import parse
from cranfield.scoring.measure import measure
from hit_cases import Ranking, hits_of

USERS, ITEMS = 40, 20


class Lists:
    """A model of implicit whose recommendations are given."""

    def __init__(self, lists: np.ndarray) -> None:
        self.lists = lists

    def recommend(self, users: Any, _: Any, N: int, **__: Any) -> tuple[np.ndarray, None]:
        return self.lists[users][:, :N].astype(np.int32), None


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured:RuntimeWarning")
@pytest.mark.parametrize("cutoff", [1, 3, 10, ITEMS])
def test_means_over_users_agree(cutoff: int) -> None:
    evaluation = pytest.importorskip("implicit.evaluation")
    rng = np.random.default_rng(cutoff)
    lists = np.array([rng.permutation(ITEMS) for _ in range(USERS)])
    liked = rng.random((USERS, ITEMS)) < rng.random((USERS, 1)) / 2  # some users like nothing
    theirs = evaluation.ranking_metrics_at_k(
        Lists(lists),
        scipy.sparse.csr_matrix((USERS, ITEMS)),
        scipy.sparse.csr_matrix(liked.astype(float)),
        K=cutoff,
        show_progress=False,
        num_threads=1,
    )
    hits = hits_of(
        [Ranking(tuple(5.0 if liked[u, i] else None for i in lists[u])) for u in range(USERS)]
    )
    names = [f"{name}(as=implicit)@{cutoff}" for name in ("AP", "nDCG", "P")]
    scores = measure(hits, [parse("metric", name) for name in (*names, "AUC")])
    known = liked.any(axis=1)
    assert np.isnan(scores[:3, ~known]).all()
    assert scores[0, known].mean() == pytest.approx(theirs["map"])
    assert scores[1, known].mean() == pytest.approx(theirs["ndcg"])
    # implicit adds up hits and what could be hit over all users before it divides
    most = np.minimum(cutoff, liked.sum(axis=1))
    assert (scores[2] * most)[known].sum() / most.sum() == pytest.approx(theirs["precision"])
    if cutoff == ITEMS:
        assert np.nanmean(scores[3]) == pytest.approx(theirs["auc"])
