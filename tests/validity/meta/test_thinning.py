from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.seeds import Seeds
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measure import measure
from cranfield.validity.meta.kernels.thinning import fast_thin
from cranfield.validity.meta.thinning import Pairs, Scenario, thin
from thinning_cases import METRICS, POPULARITY, hits_of_systems, locate_all, ratings_of, runs_of

SCENARIOS: tuple[Scenario, ...] = ("ratings", "items", "popular-items", "users", "large-users")
scenarios = pytest.mark.parametrize("scenario", SCENARIOS)


def measured(hits: Hits) -> np.ndarray:
    return measure(hits, METRICS, popularity=POPULARITY)


@scenarios
def test_a_full_test_set_stays_as_it_is(scenario: Scenario) -> None:
    hits = hits_of_systems(1)["s0"]
    pairs = Pairs.from_hits(hits)
    kept = pairs.leaving(scenario, Seeds(1)).remaining(1.0)
    assert kept.all()
    left = thin(hits, kept[pairs.find(hits)])
    for name in ("offsets", "items", "ratings", "ranks", "first", "last", "lengths"):
        assert np.array_equal(getattr(left, name), getattr(hits, name))


@scenarios
def test_smaller_sizes_are_parts_of_larger_ones(scenario: Scenario) -> None:
    leaving = Pairs.from_hits(hits_of_systems(1)["s0"]).leaving(scenario, Seeds(1), sample=2)
    sizes = (1.0, 0.7, 0.4, 0.1)
    masks = [leaving.remaining(size) for size in sizes]
    for larger, smaller in pairwise(masks):
        assert smaller.sum() < larger.sum()
        assert not (smaller & ~larger).any()


@scenarios
@pytest.mark.parametrize("size", [0.8, 0.4, 0.1])
def test_thinned_hits_score_as_if_the_other_ratings_had_never_been(
    scenario: Scenario, size: float
) -> None:
    runs, test = runs_of(3), ratings_of()
    whole = locate_all(runs, test)
    pairs = Pairs.from_hits(whole["s0"])
    kept = pairs.leaving(scenario, Seeds(5), sample=1).remaining(size)
    fewer = test.take(kept)  # ratings, too, are by user and then by item
    assert np.array_equal(fewer.users, pairs.users[kept])
    fresh = locate_all(runs, fewer)
    for name, hits in whole.items():
        left = thin(hits, kept[pairs.find(hits)])
        judged = np.diff(left.offsets) > 0
        assert np.array_equal(left.topics.users[judged], fresh[name].topics.users)
        assert np.array_equal(measured(left)[:, judged], measured(fresh[name]), equal_nan=True)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 100), left=st.integers(1, 200))
def test_the_kernel_thins_as_the_definition_does(seed: int, left: int) -> None:
    hits = hits_of_systems(2, seed)["s1"]
    pairs = Pairs.from_hits(hits)
    leaving, numbers = pairs.leaving("ratings", Seeds(seed)), pairs.find(hits)
    fast = fast_thin(hits, numbers, leaving.places, left)
    plain = thin(hits, (leaving.places < left)[numbers])
    for name in ("offsets", "items", "ratings", "ranks"):
        assert np.array_equal(getattr(fast, name), getattr(plain, name))


def test_as_many_are_left_as_a_size_says() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    count, items = len(pairs), len(np.unique(pairs.items))
    users = len(np.unique(pairs.users))
    assert pairs.leaving("ratings", Seeds(1)).remaining(0.25).sum() == int(count * 0.25 + 0.5)
    for scenario, of_pair, units in (("items", pairs.items, items), ("users", pairs.users, users)):
        kept = pairs.leaving(scenario, Seeds(1)).remaining(0.25)  # type: ignore[arg-type]
        assert len(np.unique(of_pair[kept])) == int(units * 0.25 + 0.5)
        assert not set(of_pair[kept]) & set(of_pair[~kept])


def test_one_is_left_however_small_the_size() -> None:
    leaving = Pairs.from_hits(hits_of_systems(1)["s0"]).leaving("ratings", Seeds(1))
    assert leaving.remaining(1e-9).sum() == 1


@pytest.mark.parametrize("scenario", ["popular-items", "large-users"])
def test_what_has_most_ratings_leaves_first(scenario: Scenario) -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    of_pair = pairs.items if scenario == "popular-items" else pairs.users
    kept = pairs.leaving(scenario, Seeds(1)).remaining(0.5)
    counts = np.bincount(of_pair)
    assert counts[of_pair[kept]].max() <= counts[of_pair[~kept]].min()
    again = pairs.leaving(scenario, Seeds(2), sample=7).remaining(0.5)
    assert np.array_equal(kept, again)


def test_samples_and_seeds_differ_and_repeat() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    first = pairs.leaving("ratings", Seeds(1), 0).places
    assert np.array_equal(first, pairs.leaving("ratings", Seeds(1), 0).places)
    assert not np.array_equal(first, pairs.leaving("ratings", Seeds(1), 1).places)
    assert not np.array_equal(first, pairs.leaving("ratings", Seeds(2), 0).places)


def test_a_draw_depends_on_the_pair_and_not_on_what_else_is_judged() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    half = Pairs(pairs.users[::2], pairs.items[::2])
    whole = pairs.leaving("ratings", Seeds(1)).places[::2]
    assert np.array_equal(np.argsort(whole), np.argsort(half.leaving("ratings", Seeds(1)).places))


def test_systems_share_their_pairs_in_whatever_order_they_rank_them() -> None:
    hits = hits_of_systems(3)
    all_pairs = [Pairs.from_hits(each) for each in hits.values()]
    for pairs, each in zip(all_pairs, hits.values(), strict=True):
        assert np.array_equal(pairs.users, all_pairs[0].users)
        assert np.array_equal(pairs.items, all_pairs[0].items)
        assert np.array_equal(pairs.items[pairs.find(each)], each.items)


def test_topics_of_one_user_lose_the_same_ratings() -> None:
    hits = hits_of_systems(1, targets="one-relevant")["s0"]
    pairs = Pairs.from_hits(hits)
    kept = pairs.leaving("ratings", Seeds(1)).remaining(0.5)
    left = thin(hits, kept[pairs.find(hits)])
    users = left.topics.users[left.owners]
    found = {(int(user), int(item)) for user, item in zip(users, left.items, strict=True)}
    wanted = zip(pairs.users[kept].tolist(), pairs.items[kept].tolist(), strict=True)
    assert found == set(wanted)
