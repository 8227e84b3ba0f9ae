"""Products of factors are within their margins, and what they leave out is never first."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.layout import layout_of
from cranfield.recommendation.ranking import products as products_module
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.kernels.shortlist import (
    count_reaching,
    first_reaching,
    highest_bar,
    inner_product,
    multiply_items,
)
from cranfield.recommendation.ranking.products import BoundedProducts, bounded_products
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommender import Factors
from cranfield.recommendation.recommenders.factors import FactorPredictor
from ranking_cases import Hidden, columns, heads, wide
from suites import tries

Floats = npt.NDArray[np.float64]

KINDS = ("normal", "tied", "zero", "negative", "nearly tied", "long and short", "huge and tiny")
TARGETS = ("all-items", "all-items(only_head=0.5)", "test-items", "one-relevant", "condensed")


def factors_of(kind: str, rng: np.random.Generator, rows: int, width: int) -> Floats:
    """Factors of users or items that are awkward in one way."""
    normal = rng.normal(size=(rows, width))
    if kind == "tied":
        return np.ones((rows, width))
    if kind == "zero":
        return np.where(rng.random((rows, 1)) < 0.5, normal, 0.0)
    if kind == "negative":
        return -np.abs(normal)
    if kind == "nearly tied":
        return np.asarray(normal[:1] * (1 + 1e-8 * rng.integers(-3, 3, (rows, 1))))
    if kind == "long and short":
        return np.asarray(normal * 10.0 ** rng.integers(-3, 4, (rows, 1)))
    if kind == "huge and tiny":
        return np.asarray(normal * 10.0 ** rng.integers(-45, 13, (rows, width)))
    return normal


@st.composite
def models(draw: st.DrawFn) -> tuple[Ratings, Ratings, FactorPredictor]:
    """Ratings with users and items that have no training, and factors of all of them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    users, items = draw(st.sampled_from([1, 3, 9])), draw(st.sampled_from([2, 20, 150, 400]))
    observed = rng.random((users, items)) < draw(st.sampled_from([0.05, 0.5]))
    observed[0, :2] = True
    rows, codes = np.nonzero(observed)
    ratings = Ratings.from_triples(rows, codes, rng.integers(1, 6, len(rows)).astype(float))
    test = rng.random(len(ratings)) < 0.5
    test[:2] = [True, False]
    train, width = ratings.take(~test), draw(st.sampled_from([1, 3, 17]))
    kinds = draw(st.sampled_from(KINDS)), draw(st.sampled_from(KINDS))
    sizes = train.n_users, train.n_items
    x, y = (factors_of(k, rng, n, width) for k, n in zip(kinds, sizes, strict=True))
    scales = draw(st.sampled_from([(1.0, 1.0), (1e-40, 1e-40), (1e25, 1e-45), (1e-30, 1e16)]))
    return train, ratings.take(test), FactorPredictor.of(train, scales[0] * x, scales[1] * y)


def targets_of(train: Ratings, test: Ratings) -> list[Targets]:
    judgments = judge(test, 3, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    known = TestCollection(train, judgments)
    return [parse_targets(text).choose(users, known, seed=3) for text in TARGETS]


@settings(deadline=None, max_examples=tries(600))
@given(
    model=models(),
    reach=st.sampled_from([1, 4, 30, 500]),
    depth=st.sampled_from([1, 10]),
    ties=st.sampled_from(["item-id", "trec_eval", "random"]),
    unscored=st.sampled_from(["drop", "popularity"]),
    block=st.sampled_from([3, 64, 1024]),
)
def test_rankings_are_those_of_all_products(model, reach, depth, ties, unscored, block):  # type: ignore[no-untyped-def]
    train, test, predictor = model
    targets = targets_of(train, test)
    choice = RankingChoice(ties=ties, unscored=unscored, depth=depth, seed=2)
    whole = rank(Hidden(predictor), targets, choice)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products_module, "_COLUMNS", block)
        patch.setattr(products_module, "_MOST_GROUPS", 2 if block == 3 else 1024)
        found = rank(predictor, targets, choice, reach=reach)
    for one, two in zip(whole, found, strict=True):
        assert columns(one.hits.within(reach)) == columns(two.hits)
        assert heads(one) == heads(two)


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("block", [64, 500])
def test_neither_threads_nor_blocks_change_a_bit(
    threads: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, test, factors = wide(users=20, items=1200)
    predictor = FactorPredictor.of(train, factors.users, factors.items.T)
    targets, choice = targets_of(train, test)[:2], RankingChoice(depth=20)
    whole = rank(Hidden(predictor), targets, choice)
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    monkeypatch.setattr(products_module, "_COLUMNS", block)
    monkeypatch.setattr(products_module, "_MOST_GROUPS", 7)
    for one, two in zip(whole, rank(predictor, targets, choice, reach=20), strict=True):
        assert columns(one.hits.within(20)) == columns(two.hits)
        assert heads(one) == heads(two)


def exact(x: Floats, y: Floats) -> Fraction:
    """``x·y`` without any rounding."""
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, y, strict=True)), Fraction(0))


@settings(deadline=None, max_examples=tries(100))
@given(
    seed=st.integers(0, 2**32),
    kinds=st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS)),
    width=st.sampled_from([1, 2, 33, 200]),
    scales=st.sampled_from([(1.0, 1.0), (1e-30, 1e-30), (1e25, 1e-45), (1e-60, 1e60)]),
)
def test_margins_hold(seed, kinds, width, scales):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    x, y = (s * factors_of(k, rng, 4, width) for k, s in zip(kinds, scales, strict=True))
    known = np.ones(4, bool)
    made = bounded_products(Factors(x, np.ascontiguousarray(y.T), known, known))
    if made is None:
        return
    approximate = made.users @ made.columns
    longest = [np.sqrt(np.square(each).sum(axis=1)).max() for each in (x, y)]
    scale = Fraction(2) ** -sum(int(np.frexp(each)[1]) for each in longest)
    for user in range(4):
        for place, item in enumerate(made.codes):
            margin = Fraction(made.margins[user])
            product = Fraction(float(approximate[user, place]))
            assert abs(product - scale * exact(x[user], y[item])) <= margin / 2
            computed = inner_product(x[user], y[item])
            assert abs(product - scale * Fraction(computed)) <= margin / 2
            rounded = Fraction(float(np.float32(computed)))
            assert abs(product - scale * rounded) <= margin
            limit = Fraction(made.user_lengths[user]) * Fraction(made.lengths[place])
            assert product <= limit * (1 + Fraction(1, 2**20)) + margin


def test_lengths_decrease_and_exceed_one_nowhere() -> None:
    _, _, factors = wide()
    made = bounded_products(factors)
    assert made is not None
    assert (np.diff(made.lengths) <= 0).all()
    assert made.lengths[0] <= 1
    assert made.user_lengths.max() <= 1
    assert factors.known_items[made.codes].all()


@pytest.mark.parametrize("factor", [np.nan, np.inf, 1e200])
def test_factors_that_single_precision_cannot_hold_are_multiplied_in_full(factor: float) -> None:
    _, _, factors = wide()
    users = factors.users.copy()
    users[3, 2] = factor
    assert bounded_products(factors._replace(users=users)) is None
    assert bounded_products(factors._replace(users=0 * factors.users)) is None


def short_items() -> tuple[Targets, Factors]:
    """Factors of which the first hundred items are ten times as long as the others."""
    train, test, factors = wide(users=40)
    items = factors.items.copy()
    items[:, 100:] /= 10
    known = np.ones(items.shape[1], bool)
    return targets_of(train, test)[0], factors._replace(items=items, known_items=known)


def test_items_that_are_too_short_are_not_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    targets, factors = short_items()
    seen, blocks = [], BoundedProducts._blocks

    def counted(self, users, bars):  # type: ignore[no-untyped-def]
        for block, active, products in blocks(self, users, bars):
            seen.append(products.size)
            yield block, active, products

    monkeypatch.setattr(BoundedProducts, "_blocks", counted)
    predictor = FactorPredictor.of(targets.train, factors.users, factors.items.T)
    rank(predictor, [targets], RankingChoice(depth=5), reach=5)
    assert 0 < sum(seen) < 0.7 * len(targets.topics.users) * factors.items.shape[1]


def test_shortlists_are_little_longer_than_what_is_wanted() -> None:
    targets, factors = short_items()
    made, layout = bounded_products(factors), layout_of(targets)
    assert made is not None
    rows = made.rows(layout, slice(0, len(layout.groups) - 1), 30, rounded=False)
    assert rows.sizes.min() >= 30
    assert rows.sizes.max() <= 35


def test_too_many_equal_items_are_not_listed() -> None:
    targets, factors = short_items()
    made, layout = (
        bounded_products(factors._replace(items=0 * factors.items + 1)),
        layout_of(targets),
    )
    assert made is not None
    rows = made.rows(layout, slice(0, len(layout.groups) - 1), 30, rounded=False)
    assert (rows.sizes == -1).all()


VALUES = st.lists(
    st.sampled_from([-1e300, -2.0, 0.0, 1.0, 1.5, 1e300]) | st.floats(-9, 9), min_size=1
)


@given(values=VALUES, single=st.booleans(), data=st.data())
def test_so_many_values_reach_the_highest_bar(values, single, data):  # type: ignore[no-untyped-def]
    array = np.clip(values, -1e30, 1e30).astype(np.float32) if single else np.array(values)
    least = data.draw(st.integers(1, len(array)))
    bar = highest_bar(array, least)
    assert count_reaching(array, bar) == np.count_nonzero(array >= bar) >= least
    assert bar <= np.sort(array)[-least]


@given(length=st.integers(0, 200), at=st.sets(st.integers(0, 199)), nan=st.booleans())
def test_predictions_that_reach_a_bar_are_not_passed_over(length, at, nan):  # type: ignore[no-untyped-def]
    row = np.full(length, np.nan if nan else 0.5)
    places = sorted(place for place in at if place < length)
    row[places] = 1.0
    begin = first_reaching(row, 1.0)
    assert begin <= min(places, default=length)
    assert (begin == length) == (not places)


@given(count=st.integers(0, 11), width=st.integers(1, 20), seed=st.integers(0, 1000))
def test_products_four_at_a_time_are_those_one_by_one(count, width, seed):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    x, y, row = rng.normal(size=width), rng.normal(size=(12, width)), np.full(12, np.nan)
    items = rng.permutation(12)[:count].astype(np.int32)
    multiply_items(x, y, items, row)
    wanted = np.full(12, np.nan)
    wanted[items] = [inner_product(x, y[item]) for item in items]
    np.testing.assert_array_equal(row, wanted)
