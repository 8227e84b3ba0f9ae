"""Models of propensities, each against a plain form of its formula."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import digamma

from cranfield.base.errors import BadValue, CranfieldError, MissingColumn, MissingFacts, MissingFile
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.propensity import estimate
from cranfield.collection.ratings import Ratings
from cranfield.workbench import inventory

inventory.load("propensity", "source")


def random_train(seed: int = 0, users: int = 12, items: int = 9) -> Ratings:
    """Some pairs at random, of users and items that differ in how often they occur."""
    rng = np.random.default_rng(seed)
    chance = np.outer(rng.uniform(0.2, 1, users), rng.uniform(0.1, 0.9, items))
    pairs = np.argwhere(rng.random((users, items)) < chance)
    return Ratings.from_triples(pairs[:, 0], pairs[:, 1], rng.integers(1, 6, len(pairs)))


def of_all(model: str, train: Ratings, seed: int = 0) -> np.ndarray:
    """The propensities of all pairs: users × items."""
    made = estimate(parse("propensity", model), train, seed)
    users, items = (each.ravel().astype(np.int32) for each in np.indices(shape_of(train)))
    return made.of_pairs(users, items, np.ones(len(users))).reshape(shape_of(train))


def shape_of(train: Ratings) -> tuple[int, int]:
    return train.n_users, train.n_items


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0, 2.0])
def test_popularity_is_a_power_of_counts(gamma: float) -> None:
    train = random_train()
    counts = np.bincount(train.items, minlength=train.n_items)
    wanted = ((counts + 1) / (counts.max() + 1)) ** gamma
    np.testing.assert_allclose(of_all(f"popularity(gamma={gamma})", train)[3], wanted)


def test_a_fitted_power_follows_from_the_power_law_of_counts() -> None:
    train = random_train()
    counts = np.bincount(train.items, minlength=train.n_items)
    exponent = 1 + len(counts) / np.log(counts / 0.5).sum()
    wanted = ((counts + 1) / (counts.max() + 1)) ** ((exponent + 1) / 2)
    np.testing.assert_allclose(of_all("popularity(gamma=fitted)", train)[0], wanted)


@pytest.mark.parametrize("ridge", [0.0, 1.0, 5.0])
def test_logistic_maximises_the_likelihood_of_all_pairs(ridge: float) -> None:
    train = random_train(2)
    active, popular = (
        np.log1p(np.bincount(codes, minlength=size))
        for codes, size in ((train.users, train.n_users), (train.items, train.n_items))
    )
    rated = np.zeros(shape_of(train))
    rated[train.users, train.items] = 1

    def loss(b: np.ndarray) -> float:
        logit = b[0] + b[1] * active[:, None] + b[2] * popular[None]
        likelihood = (rated * logit - np.logaddexp(0, logit)).sum()
        return float(ridge * (b[1:] ** 2).sum() / 2 - likelihood)

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    logit = best[0] + best[1] * active[:, None] + best[2] * popular[None]
    found = of_all(f"logistic(ridge={ridge})", train)
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-logit)), rtol=1e-4)


def test_logistic_agrees_with_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    train = random_train(4)
    users, items = (each.ravel() for each in np.indices(shape_of(train)))
    features = np.log1p(np.stack([train.user_counts[users], train.item_counts[items]], axis=1))
    rated = np.zeros(shape_of(train))
    rated[train.users, train.items] = 1
    model = linear.LogisticRegression(C=1.0, tol=1e-10, max_iter=1000)
    wanted = model.fit(features, rated.ravel()).predict_proba(features)[:, 1]
    np.testing.assert_allclose(of_all("logistic", train).ravel(), wanted, rtol=1e-4)


def plain_poisson(train: Ratings, factors: int, a: float, rounds: int, seeds: Seeds) -> np.ndarray:
    """Coordinate ascent, pair by pair."""
    stream = seeds.stream("start")
    y = np.zeros(shape_of(train))
    y[train.users, train.items] = 1
    shape = [a + 0.1 * stream.random((size, factors)) for size in shape_of(train)]
    rate = [np.full(factors, a + 1.0) for _ in range(2)]
    for _ in range(rounds):
        for side in (0, 1):
            logs = [digamma(shape[s]) - np.log(rate[s]) for s in (0, 1)]
            shares = np.exp(logs[0][:, None] + logs[1][None])
            shares /= shares.sum(axis=2, keepdims=True)
            shape[side] = a + (y[:, :, None] * shares).sum(axis=1 - side)
            rate[side] = a + (shape[1 - side] / rate[1 - side]).sum(axis=0)
    users, items = (shape[s] / rate[s] for s in (0, 1))
    return np.asarray(1 - np.exp(-users @ items.T))


def test_poisson_factorisation_is_coordinate_ascent() -> None:
    train, text = random_train(3), "poisson-factorisation(factors=3, a=0.4, iterations=7)"
    seeds = Seeds(5).child("propensity", text)
    wanted = plain_poisson(train, 3, 0.4, 7, seeds)
    np.testing.assert_allclose(of_all(text, train, 5), wanted, rtol=1e-10)


def test_poisson_factorisation_tells_blocks_apart() -> None:
    pairs = [(u, i) for u in range(10) for i in range(10) if (u < 5) == (i < 5)]
    train = Ratings.from_triples([user for user, _ in pairs], [item for _, item in pairs])
    found = of_all("poisson-factorisation(factors=2, iterations=100)", train)
    assert found[:5, :5].min() > 3 * found[:5, 5:].max()


def write(path: Path, columns: Mapping[str, Sequence[Any]]) -> str:
    pl.DataFrame(columns).write_csv(path)
    return str(path)


def test_naive_bayes_is_the_ratio_of_shares(tmp_path: Path) -> None:
    train = Ratings.from_triples([1, 1, 2, 2], [1, 2, 1, 3], [5, 5, 5, 1])
    sample = write(tmp_path / "random.csv", {
        "user": [1, 1, 2, 2], "item": [3, 4, 5, 6], "rating": [5, 1, 1, 1],
    })  # fmt: skip
    made = estimate(parse("propensity", f"naive-bayes(random={sample})"), train)
    ratings = np.array([5.0, 1.0, 3.0])
    found = made.of_pairs(np.zeros(3, np.int32), np.zeros(3, np.int32), ratings)
    density = 4 / (2 * 3)
    np.testing.assert_allclose(
        found, [min(3 / 4 * density / (1 / 4), 1), 1 / 4 * density / (3 / 4), np.nan]
    )


def test_a_file_has_a_propensity_for_each_item_or_pair(tmp_path: Path) -> None:
    train = Ratings.from_triples(["a", "b"], [7, 8])
    by_item = write(tmp_path / "items.csv", {"item": [8, 7, 9], "propensity": [0.25, 1, 0.5]})
    np.testing.assert_allclose(of_all(f"file({by_item})", train), [[1, 0.25], [1, 0.25]])
    by_pair = write(tmp_path / "pairs.tsv", {
        "user": ["b", "a", "z"], "item": [7, 8, 7], "p": [0.5, 0.1, 1.0],
    })  # fmt: skip
    found = of_all(f"file(path={by_pair}, column=p)", train)
    np.testing.assert_allclose(found, [[np.nan, 0.1], [0.5, np.nan]])


@pytest.mark.parametrize(
    ("columns", "error", "words"),
    [
        ({"item": [7], "propensity": [0.0]}, BadValue, "above 0 and at most 1"),
        ({"item": [7], "propensity": [1.01]}, BadValue, "above 0 and at most 1"),
        ({"item": [7], "propensity": [None]}, BadValue, "propensity"),
        ({"item": [7], "propensity": ["much"]}, BadValue, "propensity"),
        ({"item": [7, 7], "propensity": [0.1, 0.2]}, BadValue, "an item once"),
        ({"user": ["a", "a"], "item": [7, 7], "propensity": [0.1, 0.2]}, BadValue, "once"),
        ({"item": [7], "p": [0.1]}, MissingColumn, '"propensity"'),
        ({"thing": [7], "propensity": [0.1]}, MissingColumn, "item_id"),
    ],
)
def test_a_file_of_other_things_is_refused(
    columns: dict[str, list[Any]], error: type[CranfieldError], words: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "odd.csv", columns)
    with pytest.raises(error) as refused:
        of_all(f"file({path})", Ratings.from_triples(["a", "b"], [7, 8]))
    assert words in str(refused.value)
    assert "odd.csv" in str(refused.value)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(MissingFile):
        of_all("file(nowhere.csv)", random_train())


def test_models_of_training_refuse_to_do_without() -> None:
    nothing = random_train().take(np.zeros(0, dtype=np.int64))
    for model in ("popularity", "logistic", "poisson-factorisation"):
        with pytest.raises(MissingFacts, match="training ratings"):
            of_all(model, nothing)


def test_known_propensities_add_up_to_the_ratings_of_each_user() -> None:
    train = parse("source", "simulated(size=tiny)").read()
    found = of_all('known(source="simulated(size=tiny)")', train)
    np.testing.assert_allclose(found.sum(axis=1), train.user_counts, rtol=1e-9)


@pytest.mark.parametrize("more", ["skew=1, mnar=2", "skew=0, mnar=0"])
def test_known_propensities_are_how_often_pairs_are_observed(more: str) -> None:
    """The truth stays, what is observed is drawn again."""
    made = parse("source", f"simulated(users=60, items=80, ratings=900, {more})")
    observation, draws = made.observation(), 200
    shown = np.zeros((60, 80))
    for seed in range(draws):
        again = replace(observation, seeds=Seeds(seed).child("again")).ratings()
        shown[again.users, again.items] += 1
    users, items = (each.ravel() for each in np.indices(shown.shape))
    chance = observation.propensity(users, items).reshape(shown.shape)
    error, expected = shown / draws - chance, chance * (1 - chance) / draws
    assert np.sqrt((error**2).mean()) < 1.1 * np.sqrt(expected.mean())
    assert abs(error).max() < 5 * np.sqrt(expected.max())


def test_a_test_share_makes_it_the_chance_of_pairs_outside_training() -> None:
    train = parse("source", "simulated(size=tiny)").read()
    whole = of_all('known(source="simulated(size=tiny)")', train)
    found = of_all('known(source="simulated(size=tiny)", test_share=0.2)', train)
    np.testing.assert_allclose(found, 0.2 * whole / (1 - 0.8 * whole))


def test_a_source_without_a_known_truth_is_refused() -> None:
    with pytest.raises(CranfieldError, match="is not known"):
        of_all('known(source="power-law(users=9, items=9, ratings=30)")', random_train())


def test_ids_that_the_source_does_not_have_have_no_propensity() -> None:
    found = of_all('known(source="simulated(size=tiny)")', random_train())
    assert np.isnan(found).all()


def test_estimates_are_made_once_and_not_held_longer_than_their_training() -> None:
    train = random_train()
    for model in ("popularity", 'known(source="simulated(size=tiny)")'):
        made = parse("propensity", model)
        assert estimate(made, train) is estimate(made, train)
    gone = weakref.ref(train)
    del train
    gc.collect()
    assert gone() is None
