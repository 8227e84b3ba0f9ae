"""Metrics "as=implicit" are those that implicit evaluates its models by."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse

from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders.knn import ItemKNN
from cranfield.recommendation.runs.files import read_run
from cranfield.scoring.measurement.measure import measure
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


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured:RuntimeWarning")
def test_its_arrays_are_a_run() -> None:
    als = pytest.importorskip("implicit.als")
    rng = np.random.default_rng(3)
    rated = scipy.sparse.csr_matrix((rng.random((USERS, ITEMS)) < 0.8).astype(np.float32))
    model = als.AlternatingLeastSquares(factors=4, iterations=2, random_state=1, num_threads=1)
    model.fit(rated, show_progress=False)
    users = np.arange(USERS)[::-1]
    found = model.recommend(users, rated[users], N=10, filter_already_liked_items=True)
    names = np.array([f"i{number:02}" for number in range(ITEMS)])
    people = [f"u{number:02}" for number in users]
    ids: Any = {"user_ids": Ids(pl.Series(sorted(people))), "item_ids": Ids(pl.Series(names))}
    made = read_run((*found, people, names), **ids).run
    left = rated.toarray() == 0
    unrated = {user: set(names[left[row]]) for user, row in zip(people, users, strict=True)}
    for user, part in made.table(ids["user_ids"], ids["item_ids"]).group_by("user_id"):
        assert set(part["item_id"]) <= unrated[str(user[0])]
        assert len(part) == min(10, len(unrated[str(user[0])]))


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:Method expects CSR input")  # given by its own code
@pytest.mark.parametrize(("k", "binarised"), [(2, False), (5, False), (ITEMS - 1, True)])
def test_its_cosine_recommender_is_item_knn_inverted(k: int, binarised: bool) -> None:
    """Its K nearest of an item count the item itself, which adds to rated items alone.

    Ratings of 1 make equally near items, of which it keeps others; so all are kept there.
    """
    neighbours = pytest.importorskip("implicit.nearest_neighbours")
    rng = np.random.default_rng(k)
    rated = np.where(rng.random((USERS, ITEMS)) < 0.5, 1 + 4 * rng.random((USERS, ITEMS)), 0)
    matrix = scipy.sparse.csr_matrix((rated > 0).astype(float) if binarised else rated)
    model = neighbours.CosineRecommender(K=k + 1, num_threads=1)
    model.fit(matrix, show_progress=False)
    users, items = np.nonzero(rated)
    train = Ratings.from_triples(users, items, rated[users, items])
    chosen = ItemKNN(k=k, inverted=True, binarised=binarised)
    ours = chosen.fit(train, Seeds(1)).predict(np.arange(USERS, dtype=np.int32))
    theirs = (matrix @ model.similarity).toarray()  # which it ranks by
    left = rated == 0
    np.testing.assert_allclose(theirs[left], np.nan_to_num(ours)[left], rtol=1e-12)
