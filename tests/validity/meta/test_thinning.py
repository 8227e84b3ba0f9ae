from __future__ import annotations

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.seeds import Seeds, broadcast_uniforms
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measurement.measure import measure
from cranfield.validity.meta.kernels.thinning import fast_thin
from cranfield.validity.meta.thinning import (
    FIVE,
    ItemShares,
    Leaving,
    Pairs,
    Scenario,
    _at_once,
    _places,
    thin,
)
from suites import tries
from thinning_cases import METRICS, POPULARITY, hits_of_systems, locate_all, ratings_of, runs_of

SCENARIOS: tuple[Scenario, ...] = get_args(Scenario)
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


@settings(deadline=None, max_examples=tries(30))
@given(seed=st.integers(0, 100), left=st.integers(1, 200))
def test_the_kernel_thins_as_the_definition_does(seed: int, left: int) -> None:
    hits = hits_of_systems(2, seed)["s1"]
    pairs = Pairs.from_hits(hits)
    leaving, numbers = pairs.leaving("ratings", Seeds(seed)), pairs.find(hits)
    remaining = leaving.places < left
    fast, plain = fast_thin(hits, numbers, remaining), thin(hits, remaining[numbers])
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


def test_the_five_scenarios_of_the_paper_are_all_but_the_stratified_one() -> None:
    assert set(SCENARIOS) - set(FIVE) == {"ratings-by-user"}


@settings(deadline=None, max_examples=tries(30))
@given(seed=st.integers(0, 100), size=st.floats(0.01, 1))
def test_each_user_loses_the_same_share_and_keeps_one_rating(seed: int, size: float) -> None:
    pairs = Pairs.from_hits(hits_of_systems(1, seed)["s0"])
    kept = pairs.leaving("ratings-by-user", Seeds(seed)).remaining(size)
    for user in set(pairs.users.tolist()):
        own = pairs.users == user
        assert kept[own].sum() == max(1, int(size * own.sum() + 0.5))


def test_the_ratings_that_a_user_keeps_do_not_depend_on_other_users() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    some = pairs.users > 4
    fewer = Pairs(pairs.users[some], pairs.items[some])
    whole = pairs.leaving("ratings-by-user", Seeds(2)).remaining(0.3)
    assert np.array_equal(whole[some], fewer.leaving("ratings-by-user", Seeds(2)).remaining(0.3))


def staying_items(counts: list[int], codes: list[int], size: float) -> set[int]:
    """The slow way: items with fewest ratings first, equal ones by id, as many as are left."""
    order = sorted(codes, key=lambda item: (counts[item], item))
    return set(order[: max(1, int(size * len(codes) + 0.5))])


@pytest.mark.parametrize("of", ["test-items", "all-items"])
@pytest.mark.parametrize("by", ["test", "train"])
@pytest.mark.parametrize("size", [1.0, 0.8, 0.35, 0.01])
def test_popular_items_leave_first_by_any_ratings_and_of_any_items(
    of: str, by: str, size: float
) -> None:
    everything = Pairs.from_hits(hits_of_systems(1)["s0"])
    judged = everything.items % 3 > 0  # a third of the 30 items has no test rating
    pairs = Pairs(everything.users[judged], everything.items[judged])
    train = np.random.default_rng(5).integers(0, 9, 40)  # ten items more, and many ties
    counts = train if by == "train" else np.bincount(pairs.items, minlength=40)
    codes = range(40) if of == "all-items" else sorted(set(pairs.items.tolist()))
    shares = ItemShares(
        n_items=40 if of == "all-items" else None, popularity=train if by == "train" else None
    )
    kept = pairs.leaving("popular-items", Seeds(1), items=shares).remaining(size)
    staying = staying_items(counts.tolist(), list(codes), size)
    assert kept.tolist() == [item in staying for item in pairs.items.tolist()]


def test_items_at_random_are_of_all_items_if_so_decided() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    wide = pairs.leaving("items", Seeds(1), items=ItemShares(n_items=300))
    narrow = pairs.leaving("items", Seeds(1))
    assert (wide.units, narrow.units) == (300, 30)
    # the same draws: those of 30 items have the same order, with others in between
    assert np.array_equal(
        np.argsort(wide.places, kind="stable"), np.argsort(narrow.places, kind="stable")
    )
    left = [len(set(pairs.items[wide.remaining(size)])) for size in (1.0, 0.5)]
    assert left[0] == 30
    assert 5 < left[1] < 25


@pytest.mark.parametrize("scenario", ["ratings", "items", "users", "ratings-by-user"])
def test_sizes_drawn_anew_are_no_parts_of_each_other(scenario: Scenario) -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    half, quarter = (
        pairs.leaving(scenario, Seeds(1), 3, size=size).remaining(size) for size in (0.5, 0.25)
    )
    assert (quarter & ~half).any()
    nested = [pairs.leaving(scenario, Seeds(1), 3).remaining(size) for size in (0.5, 0.25)]
    if scenario != "items" and scenario != "users":  # whose ratings differ in number
        assert [each.sum() for each in nested] == [half.sum(), quarter.sum()]
    again = pairs.leaving(scenario, Seeds(1), 3, size=0.5).remaining(0.5)
    assert np.array_equal(half, again)


def test_what_is_not_drawn_is_the_same_drawn_anew() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    determined: tuple[Scenario, ...] = ("popular-items", "large-users")
    for scenario in determined:
        anew = pairs.leaving(scenario, Seeds(1), size=0.5).remaining(0.5)
        assert np.array_equal(anew, pairs.leaving(scenario, Seeds(1)).remaining(0.5))


@given(
    draws=st.lists(st.sampled_from([0.1, 0.2, 0.25, 0.5, 0.75]), min_size=1, max_size=30),
    size=st.floats(0.01, 1),
)
def test_what_leaves_at_once_for_a_size_is_what_leaves_in_order(
    draws: list[float], size: float
) -> None:
    """Equal draws leave by number, as they do when all are sorted."""
    values = np.array(draws)
    in_order = Leaving(_places(values), len(values))
    assert np.array_equal(_at_once(values, size).remaining(size), in_order.remaining(size))


def test_ratings_drawn_for_one_size_are_those_of_the_whole_order() -> None:
    pairs = Pairs.from_hits(hits_of_systems(1)["s0"])
    for size in (1.0, 0.5, 0.03, 0.001):
        key = Seeds(1).key("thinning", "ratings", sample=3, left=round(size * 10**12))
        order = Leaving(_places(broadcast_uniforms(key, pairs.users, pairs.items)), len(pairs))
        drawn = pairs.leaving("ratings", Seeds(1), 3, size=size)
        assert np.array_equal(drawn.remaining(size), order.remaining(size))
