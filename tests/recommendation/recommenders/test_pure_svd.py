"""PureSVD against NumPy's decomposition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import svds

from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders import pure_svd
from cranfield.recommendation.recommenders.pure_svd import PureSVD
from learnable import everyone, grouped


@pytest.mark.parametrize("shape", [(60, 40), (20, 35)])
@pytest.mark.parametrize("factors", [1, 3, 10])
def test_predictions_project_the_ratings_on_the_first_singular_vectors(
    shape: tuple[int, int], factors: int
) -> None:
    train = grouped(*shape)[0].compact()
    ratings = train.matrix().toarray()
    right = np.linalg.svd(ratings)[2][:factors]
    predictions = PureSVD(factors=factors).fit(train, Seeds()).predict(everyone(train))
    np.testing.assert_allclose(predictions, ratings @ right.T @ right, atol=1e-9)


@pytest.mark.parametrize("factors", [39, 40, 100])
def test_all_factors_give_the_ratings_back(factors: int) -> None:
    train, _ = grouped(60, 40)
    ratings = train.matrix().toarray()
    left, sizes, right = np.linalg.svd(ratings, full_matrices=False)
    sizes[factors:] = 0
    predictions = PureSVD(factors=factors).fit(train, Seeds()).predict(everyone(train))
    np.testing.assert_allclose(predictions, left * sizes @ right, atol=1e-9)


def test_the_seed_only_moves_the_last_bits() -> None:
    train, _ = grouped()
    one, two = (PureSVD(factors=5).fit(train, Seeds(s)).predict(everyone(train)) for s in (1, 2))
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_ratings_that_are_all_zero_predict_zero() -> None:
    users, items = np.divmod(np.arange(20), 5)
    train = Ratings.from_triples(users, items, np.zeros(20))
    for factors in (2, 99):
        predictions = PureSVD(factors=factors).fit(train, Seeds()).predict(everyone(train))
        np.testing.assert_allclose(predictions, 0.0, atol=1e-12)


def alike(groups: int, copies: int, items: int) -> Ratings:
    """Users of whom many rate the same, so that the rank is the number of groups at most."""
    given = np.random.default_rng(groups).integers(1, 6, (groups, items)).astype(float)
    given[:, 1::2] *= np.random.default_rng(copies).random((groups, len(range(1, items, 2)))) < 0.5
    users, rated = np.nonzero(np.repeat(given, copies, axis=0))
    return Ratings.from_triples(users, rated, np.repeat(given, copies, axis=0)[users, rated])


@pytest.mark.parametrize("factors", [2, 3, 8, 30])
@pytest.mark.parametrize(("groups", "copies"), [(3, 20), (10, 1), (1, 50)])
def test_more_factors_than_rank_are_the_same_whenever_it_is_fitted(
    factors: int, groups: int, copies: int
) -> None:
    """The same bits, though the iteration would draw other vectors each time."""
    train = alike(groups, copies, 40)
    first, *others = (
        PureSVD(factors=factors).fit(train, Seeds(1)).predict(everyone(train)) for _ in range(4)
    )
    assert all(each.tobytes() == first.tobytes() for each in others)
    if factors >= groups:
        np.testing.assert_allclose(first, train.matrix().toarray(), atol=1e-9)


def test_users_and_items_without_ratings_add_no_factors() -> None:
    whole = alike(40, 1, 30)
    few, users = whole.take(whole.users < 6), np.arange(6, dtype=np.int32)
    fits = [PureSVD(factors=20).fit(few, Seeds(1)).predict(users).tobytes() for _ in range(4)]
    assert len(set(fits)) == 1


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_multiply_to_the_same_bits_as_scipy(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, _ = grouped(60, 40)
    matrix = train.matrix()
    start = Seeds().stream("start").normal(size=min(matrix.shape))
    with one_blas_thread():
        plain = svds(matrix, k=5, v0=start)[2].T
    monkeypatch.setattr(pure_svd, "_LEAST", 7)
    monkeypatch.setattr(pure_svd, "thread_count", lambda: threads)
    assert len(pure_svd._parts(matrix)) == threads
    fitted = PureSVD(factors=5).fit(train, Seeds())
    np.testing.assert_array_equal(fitted.items, plain.T)
