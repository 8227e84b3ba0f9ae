"""Rankings of which only the first ranks matter are the whole ones, looked at no further."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommender import (
    Predictions,
    Predictor,
    ProductPredictor,
    SharedPredictor,
)
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.popularity import SameForAll
from law_cases import SPELLINGS
from learnable import grouped
from ranking_cases import TIES, UNSCORED, Fixed, Hidden, cases, columns, heads, targets_of, wide
from suites import spread, tries


def require_same(
    predictor: Predictor,
    case: tuple[Ratings, Ratings, float, Predictions],
    choice: RankingChoice,
    reach: int,
) -> None:
    """The whole rankings of a hidden model, cut afterwards, are those that were cut at once."""
    targets = targets_of(*case[:3])
    whole = rank(Hidden(predictor), targets, choice)
    for given_reach in (None, reach):
        found = rank(predictor, targets, choice, reach=given_reach)
        for one, two in zip(whole, found, strict=True):
            wanted = one.hits if given_reach is None else one.hits.within(given_reach)
            assert columns(wanted) == columns(two.hits)
            assert heads(one) == heads(two)


CHOICES = st.builds(
    RankingChoice,
    ties=st.sampled_from(TIES),
    unscored=st.sampled_from(UNSCORED),
    depth=st.integers(1, 5),
    seed=st.just(5),
)


@settings(deadline=None, max_examples=tries(60))
@given(case=cases(), choice=CHOICES, reach=st.integers(1, 6))
def test_any_model(case, choice, reach):  # type: ignore[no-untyped-def]
    require_same(Fixed(case[3]), case, choice, reach)


@settings(deadline=None, max_examples=tries(60))
@given(case=cases(), choice=CHOICES, reach=st.integers(1, 6))
def test_one_order_for_all(case, choice, reach):  # type: ignore[no-untyped-def]
    require_same(SameForAll(case[3][0]), case, choice, reach)


@settings(deadline=None, max_examples=tries(60))
@given(
    case=cases(),
    choice=CHOICES,
    reach=st.integers(1, 6),
    scale=st.sampled_from([1e-40, 1e-3, 1.0, 1e25]),
    levels=st.sampled_from([2, 3, 10**6]),
)
def test_products_of_factors(case, choice, reach, scale, levels):  # type: ignore[no-untyped-def]
    train = case[0]
    rng = np.random.default_rng(7)
    x, y = (scale * rng.integers(-levels, levels, (n, 3)) for n in (train.n_users, train.n_items))
    require_same(FactorPredictor.of(train, x, y), case, choice, reach)


@pytest.mark.slow
@settings(deadline=None, max_examples=tries(3000))
@given(case=cases(), choice=CHOICES, reach=st.integers(1, 6), kind=st.integers(0, 2))
def test_thousands_of_cases(case, choice, reach, kind):  # type: ignore[no-untyped-def]
    train, _, _, table = case
    rng = np.random.default_rng(9)
    x, y = (rng.integers(-3, 3, (n, 3)) / 3 for n in (train.n_users, train.n_items))
    models = Fixed(table), SameForAll(table[0]), FactorPredictor.of(train, x, y)
    require_same(models[kind], case, choice, reach)


@pytest.mark.parametrize("spelled", spread(SPELLINGS["recommender"], every=3))
def test_every_recommender_is_ranked_the_same(spelled: str) -> None:
    train, test = grouped()
    fitted = parse("recommender", spelled).fit(train, Seeds(1))
    table = np.empty((0, 0))
    for choice in (
        RankingChoice(depth=4),
        RankingChoice(depth=4, ties="random", unscored="popularity"),
        RankingChoice(depth=4, ties="trec_eval"),
    ):
        require_same(fitted, (train, test, 4, table), choice, 3)


@pytest.mark.parametrize(
    ("spelled", "kind"),
    [
        *((name, SharedPredictor) for name in ("Popularity", "AverageRating", "MedianRating")),
        *((name, ProductPredictor) for name in ("WRMF", "BPRMF", "PureSVD", "SVD", "PLSA", "LDA")),
    ],
)
def test_what_can_be_ranked_faster_says_so(spelled: str, kind: type) -> None:
    train, _ = grouped()
    assert isinstance(parse("recommender", spelled).fit(train, Seeds(1)), kind)


@pytest.mark.parametrize(("reach", "rounded"), [(1, False), (20, True), (300, False)])
def test_many_items_with_a_few_that_are_nearly_tied(reach: int, rounded: bool) -> None:
    train, test, factors = wide(items=6000)
    items = factors.items.copy()
    items[:, ::7] = items[:, :1] * (1 + 1e-9 * np.arange(items[:, ::7].shape[1]))
    model = FactorPredictor.of(train, factors.users, items.T)
    choice = RankingChoice(depth=11, ties="trec_eval" if rounded else "item-id")
    require_same(model, (train, test, 4, np.empty((0, 0))), choice, reach)
