"""The pigeonhole bootstrap: by brute force, without chance of items, and its level."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.scoring.measurement.item_terms import ItemTerms, item_terms
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import mean_difference, student_p
from cranfield.significance.kernels.drawing import fill_counts
from cranfield.significance.pigeonhole import (
    DrawnValues,
    WeightedTerms,
    drawn_values,
    pigeonhole_difference,
)
from hit_cases import Ranking, hits_of
from suites import only_compiled

LISTS = [
    Ranking((5.0, None, 4.0), unranked=(4.0,), items=(7, 3, 9)),
    Ranking((None, 5.0, 2.0), items=(3, 1)),
    Ranking((4.0,), unranked=(5.0,), items=(9, 7)),
]
USERS = np.array([0, 2, 2], dtype=np.int32)
SHARES = np.array([0.5, 0.2, 0.3])


def counts_of(kind: str, draws: int, size: int) -> Floats:
    """How often users or items are drawn, as the bootstrap of seed 4 draws them."""
    drawn = np.empty((draws, size))
    fill_counts(np.uint64(Seeds(4).key("pigeonhole", kind)), 0, drawn)
    return drawn


@pytest.mark.parametrize("spelling", ["P@2", "Recall@2", "DCG@3", "nDCG@3", "RBP(p=0.8)", "AP"])
@pytest.mark.parametrize("undefined", ["left-out", "zero"])
def test_every_draw_weighs_the_terms_of_users_and_items(spelling: str, undefined: str) -> None:
    terms = item_terms(hits_of(LISTS), parse("metric", spelling))
    system = WeightedTerms(terms, USERS, SHARES, undefined)  # type: ignore[arg-type]
    found = drawn_values(system, 200, Seeds(4))
    assert (found.users, found.items) == (2, 4)
    users, items = counts_of("users", 200, 2), counts_of("items", 200, 4)
    for draw in range(200):
        weights = np.zeros(10)
        weights[[1, 3, 7, 9]] = items[draw]
        scores = terms.scores(weights)
        drawn = SHARES * users[draw, [0, 1, 1]]
        if undefined == "left-out":
            drawn = np.where(np.isnan(scores), 0.0, drawn)
        expected = np.nan_to_num(scores) @ drawn / drawn.sum() if drawn.sum() else np.nan
        assert found.values[draw] == pytest.approx(expected, nan_ok=True)


def test_draws_do_not_depend_on_how_many_there_are() -> None:
    system = WeightedTerms(item_terms(hits_of(LISTS), parse("metric", "AP")), USERS, SHARES)
    few, many = (drawn_values(system, draws, Seeds(4)).values for draws in (10, 2500))
    assert few.tobytes() == many[:10].tobytes()


def test_the_error_is_the_spread_of_the_differences_of_shared_draws() -> None:
    first = DrawnValues(np.array([0.1, 0.4, np.nan, 0.4]), 9, 5)
    second = DrawnValues(np.array([0.1, 0.2, 0.3, 0.0]), 9, 5)
    found = pigeonhole_difference(0.15, first, second)  # differences 0, .2, .4
    assert (found.mean, found.users) == (0.15, 5)
    assert found.error == pytest.approx(0.2)


def systems(
    rng: np.random.Generator, users: int, items: int, *, effect: float
) -> tuple[WeightedTerms, WeightedTerms]:
    """Two systems that find 8 items a user by chance; items are easier for one or the other."""
    codes = np.concatenate([rng.choice(items, 8, replace=False) for _ in range(users)])
    codes, offsets = codes.astype(np.int32), np.arange(0, 8 * users + 1, 8, dtype=np.int64)
    everyone, shares = np.arange(users, dtype=np.int32), np.full(users, 1 / users)

    def one() -> WeightedTerms:
        found = rng.normal(0, effect, items)[codes] + rng.normal(0, 1, len(codes)) > 0
        terms = ItemTerms(offsets, codes, found.astype(np.float64), np.ones(len(codes)), True)
        return WeightedTerms(terms, everyone, shares)

    return one(), one()


def rejected(users: int, items: int, *, effect: float, times: int) -> tuple[float, float]:
    """How often users and items, and users alone, find a difference where there is none."""
    rng, both, alone = np.random.default_rng(6), 0, 0
    for number in range(times):
        pair = systems(rng, users, items, effect=effect)
        first, second = (each.terms.scores(np.ones(items)) for each in pair)
        by_users = mean_difference(first - second, np.full(users, 1 / users))
        drawn = [drawn_values(each, 300, Seeds(number)) for each in pair]
        both += student_p(pigeonhole_difference(by_users.mean, *drawn)) < 0.05
        alone += student_p(by_users) < 0.05
    return both / times, alone / times


@only_compiled
def test_the_level_holds_where_items_are_random_and_users_alone_reject_too_often() -> None:
    both, alone = rejected(60, 40, effect=0.7, times=200)
    assert both <= 0.05 + 3 * sqrt(0.05 * 0.95 / 200)
    assert alone > 0.15


@pytest.mark.slow
@pytest.mark.parametrize(("users", "items", "effect"), [(60, 40, 0.7), (150, 80, 0.4), (80, 30, 0)])
def test_the_level_holds_in_many_cases(users: int, items: int, effect: float) -> None:
    both, _ = rejected(users, items, effect=effect, times=600)
    assert both <= 0.05 + 3 * sqrt(0.05 * 0.95 / 600)


@only_compiled
def test_the_error_is_near_the_spread_of_differences_over_users_and_items() -> None:
    rng, differences, errors = np.random.default_rng(8), [], []
    for number in range(150):
        pair = systems(rng, 60, 40, effect=1.5)
        values = [float(each.terms.scores(np.ones(40)).mean()) for each in pair]
        differences.append(values[0] - values[1])
        drawn = [drawn_values(each, 200, Seeds(number)) for each in pair]
        errors.append(pigeonhole_difference(differences[-1], *drawn).error)
    ratio = np.mean(errors) / np.std(differences)
    assert 0.9 < ratio < 1.3  # a little too large, as the variance of pairs counts three times


def test_two_draws_are_enough_for_an_error() -> None:
    first, second = (DrawnValues(np.array(each), 9, 5) for each in ([0.1, 0.4], [0.1, 0.2]))
    assert pigeonhole_difference(0.1, first, second).error == pytest.approx(
        np.std([0, 0.2], ddof=1)
    )
