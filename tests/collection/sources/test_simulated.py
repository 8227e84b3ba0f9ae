from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter, CranfieldError
from cranfield.base.options import parse
from cranfield.collection.simulation.observation import Observation
from cranfield.collection.simulation.truth import SimulatedTruth, Simulation, simulate
from cranfield.collection.sources.simulated import Simulated
from cranfield.collection.statistics.power_law import fit_power_law
from cranfield.collection.statistics.statistics import describe
from suites import tries


@pytest.fixture(scope="module")
def medium() -> Simulation:
    return simulate(Simulated())


def test_the_spelling_is_read_back() -> None:
    option = parse("source", "simulated(size=small, seed=3, mnar=0)")
    assert option == Simulated(size="small", seed=3, mnar=0.0)
    assert str(option) == "simulated(size=small, seed=3, mnar=0)"


@pytest.mark.parametrize(
    ("size", "users", "items", "ratings"),
    [("tiny", 40, 50, 400), ("small", 200, 300, 5_000), ("medium", 943, 1_682, 100_000)],
)
def test_sizes_are_exact(size: str, users: int, items: int, ratings: int) -> None:
    found = describe(parse("source", f"simulated(size={size})").read())
    assert (found.users, found.items, found.ratings) == (users, items, ratings)


def test_sizes_can_be_given_and_keep_the_density() -> None:
    found = Simulated(size="small", users=400, items=150).read()
    assert (found.n_users, found.n_items) == (400, 150)
    assert len(found) == round(5_000 / (200 * 300) * 400 * 150)


def test_ids_are_padded_text() -> None:
    ratings = Simulated(size="tiny").read()
    assert ratings.user_ids[0] == "u0001"
    assert ratings.item_ids[49] == "i0050"


def test_observed_ratings_are_the_true_ones(medium: Simulation) -> None:
    ratings, truth = medium.ratings, medium.truth
    assert ratings.user_ids == truth.user_ids
    assert ratings.item_ids == truth.item_ids
    true = truth.rating(np.arange(ratings.n_users))
    assert (true[ratings.users, ratings.items] == ratings.values).all()


def test_ratings_keep_the_order_of_the_noun(medium: Simulation) -> None:
    pairs = medium.ratings.users.astype(np.int64) * 1_682 + medium.ratings.items
    assert (np.diff(pairs) > 0).all()


def test_the_same_option_gives_the_same_ratings_and_another_seed_others() -> None:
    first, again = Simulated(size="small"), Simulated(size="small")
    assert first.read().fingerprint == again.read().fingerprint
    assert first.read().fingerprint != Simulated(size="small", seed=1).read().fingerprint


@pytest.mark.parametrize("pairs_at_once", [1, 1000, 10**9])
@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_threads_and_chunks_change_nothing(
    monkeypatch: pytest.MonkeyPatch, pairs_at_once: int, threads: str
) -> None:
    expected = Simulated(size="tiny", items=300).read().fingerprint
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    whole = Observation.ratings
    monkeypatch.setattr(Observation, "ratings", lambda self: whole(self, pairs_at_once))
    assert Simulated(size="tiny", items=300).read().fingerprint == expected


def test_the_fingerprint_stays_from_version_to_version() -> None:
    assert Simulated(size="tiny").read().fingerprint == "e268ad882965b22191106f236edcbc48"


def test_nothing_but_the_observation_changes_with_mnar() -> None:
    blind, seeing = simulate(Simulated(size="tiny", mnar=0.0)), simulate(Simulated(size="tiny"))
    users = np.arange(40)
    assert (blind.truth.rating(users) == seeing.truth.rating(users)).all()
    assert (blind.ratings.user_counts == seeing.ratings.user_counts).all()
    assert blind.ratings.fingerprint != seeing.ratings.fingerprint


def surplus(simulation: Simulation) -> tuple[float, float]:
    """How much more relevant observed pairs are than all pairs of their items.

    The mean over ratings of relevance(u, i) − mean relevance of item i over users, after
    user bias is taken out likewise, and its standard error.
    """
    ratings = simulation.ratings
    relevance = simulation.truth.relevance(np.arange(ratings.n_users))
    residual = relevance - relevance.mean(0) - relevance.mean(1, keepdims=True) + relevance.mean()
    seen = residual[ratings.users, ratings.items]
    return float(seen.mean()), float(seen.std() / np.sqrt(len(seen)))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_without_mnar_what_is_observed_is_as_relevant_as_everything(seed: int) -> None:
    mean, error = surplus(simulate(Simulated(size="small", ratings=20_000, mnar=0.0, seed=seed)))
    assert abs(mean) < 4 * error


def test_with_mnar_what_is_observed_is_the_more_relevant_the_stronger_it_is() -> None:
    means = [
        surplus(simulate(Simulated(size="small", ratings=10_000, mnar=strength)))[0]
        for strength in (0.0, 1.0, 3.0, 6.0)
    ]
    assert means == sorted(means)
    assert means[1] > means[0] + 0.01
    assert means[3] > means[1] + 0.05


@pytest.mark.parametrize("skew", [0.0, 1.0, 2.0])
def test_the_skew_of_popularity_is_roughly_recovered_at_random(skew: float) -> None:
    ratings = Simulated(size="medium", skew=skew, mnar=0.0, activity=0.0).read()
    fitted = fit_power_law(ratings.item_counts)
    assert fitted is not None
    counts = np.sort(ratings.item_counts)[::-1]
    # The exponent from the ends of the curve, at the c2 that was simulated.
    head, tail = counts[:50].mean(), counts[-800:].mean()
    near, far = np.log(0.07 * 1_682 + 25), np.log(0.07 * 1_682 + 1_282)
    assert np.log(head / tail) / (far - near) == pytest.approx(skew, abs=0.35)


def test_popularity_is_not_told_by_the_ids(medium: Simulation) -> None:
    counts = medium.ratings.item_counts
    # The correlation of independent numbers has a standard error of 1/√1682 = 0.024.
    assert abs(np.corrcoef(counts, np.arange(1_682))[0, 1]) < 0.1


def test_the_default_looks_like_movielens(medium: Simulation) -> None:
    found = describe(medium.ratings)
    assert found.density == pytest.approx(0.06305, abs=1e-4)
    assert found.per_user.gini == pytest.approx(0.472, abs=0.03)
    assert found.per_item.gini == pytest.approx(0.629, abs=0.03)
    shares = found.histogram.counts / found.ratings
    assert shares == pytest.approx(np.array([0.061, 0.114, 0.271, 0.342, 0.212]), abs=0.03)


def test_neighbours_beat_popularity_and_popularity_beats_chance(medium: Simulation) -> None:
    """Precision of the top 10 on a random fifth of the ratings, 4 and 5 being relevant."""
    chance = np.random.default_rng(0)
    held_out = chance.random(len(medium.ratings)) < 0.2
    train = medium.ratings.take(~held_out).matrix().toarray()
    relevant = medium.ratings.take(held_out).matrix().toarray() >= 4

    def precision(predictions: npt.NDArray[np.float64]) -> float:
        top = np.argsort(np.where(train > 0, np.inf, -predictions), axis=1)[:, :10]
        return float(np.take_along_axis(relevant, top, axis=1).mean())

    unit = train / np.linalg.norm(train, axis=1, keepdims=True)
    similarity = unit @ unit.T - np.eye(len(unit))
    nearest = np.sort(similarity, axis=1)[:, -100:-99]
    neighbours = precision(np.where(similarity >= nearest, similarity, 0) @ train)
    popularity = precision(np.broadcast_to((train > 0).sum(axis=0), train.shape))
    random = precision(chance.random(train.shape))
    # MovieLens 100K: 0.24, 0.14 and 0.01.
    assert neighbours > 1.2 * popularity
    assert popularity > 5 * random


def test_fame_ties_popularity_to_quality() -> None:
    def tie(fame: float) -> float:
        made = simulate(Simulated(size="small", mnar=0.0, fame=fame, ratings=20_000))
        counts = np.argsort(np.argsort(made.ratings.item_counts))
        assert isinstance(made.truth, SimulatedTruth)
        quality = np.argsort(np.argsort(made.truth.qualities))
        return float(np.corrcoef(counts, quality)[0, 1])

    assert abs(tie(0.0)) < 0.25
    assert tie(1.0) > 0.9


def test_users_join_over_time_and_rate_most_at_first(medium: Simulation) -> None:
    times = medium.ratings.timestamps
    assert times is not None
    starts = np.minimum.reduceat(times, medium.ratings.user_offsets[:-1])
    year = 365 * 86_400
    assert np.ptp(starts) > 2 * year
    middle = np.quantile(times - starts[medium.ratings.users], 0.5)
    assert middle < year / 3
    assert np.ptp(times) < 3 * year


@settings(deadline=None, max_examples=tries(25))
@given(st.integers(1, 30), st.integers(1, 30), st.floats(0, 1), st.integers(0, 9), st.floats(0, 3))
def test_every_user_and_item_has_a_rating_at_any_size(
    users: int, items: int, fullness: float, seed: int, skew: float
) -> None:
    least = max(users, items)
    ratings = round(least + fullness * (users * items - least))
    option = Simulated(users=users, items=items, ratings=ratings, seed=seed, skew=skew)
    made = simulate(option)
    assert len(made.ratings) == ratings
    assert made.ratings.user_counts.min() >= max(1, min(20, ratings // users // 4))
    assert made.ratings.item_counts.min() >= 1
    assert made.ratings.item_counts.max() <= users
    true = made.truth.rating(np.arange(users))
    assert (true[made.ratings.users, made.ratings.items] == made.ratings.values).all()
    pairs = made.ratings.users.astype(np.int64) * items + made.ratings.items
    assert (np.diff(pairs) > 0).all()


def test_the_least_number_of_ratings_per_user_is_kept() -> None:
    assert Simulated(size="small", least=20).read().user_counts.min() >= 20


def test_activity_zero_gives_everyone_the_same() -> None:
    assert np.ptp(Simulated(size="small", activity=0.0).read().user_counts) <= 1


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("simulated(users=10, items=10, ratings=101)", "100 pairs"),
        ("simulated(users=10, items=20, ratings=15)", "at least 20"),
        ("simulated(size=small, least=26)", "least: 26 is not possible: 25 is the most"),
        ("simulated(size=small, least=301)", "least: 301"),
        ("simulated(mnar=-1)", "mnar: -1"),
        ("simulated(size=huge)", "size: .*one of tiny, small, medium, large"),
    ],
)
def test_what_cannot_be_is_refused_in_words(spelling: str, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        parse("source", spelling).read()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"users": 99_999_999_999}, "users: 99999999999 is not a whole number"),
        ({"users": 3_000_000, "items": 3_000_000}, "would have 567,420,242,780 ratings. Give"),
        (
            {"users": 3_000_000, "items": 3_000_000, "ratings": 10_000_000},
            "drawn for each of 9,000,000,000,000 pairs. Give fewer",
        ),
    ],
)
def test_sizes_that_fill_memory_are_refused_at_once(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(CranfieldError, match=problem):
        Simulated(**given).read()
