from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import EmptyInput
from cranfield.collection.ratings import Ratings
from cranfield.collection.statistics.spread import Spread
from cranfield.collection.statistics.statistics import describe
from suites import tries

DATA = os.environ.get("CRANFIELD_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="CRANFIELD_DATA does not name real data")

PUBLISHED = [
    ("movielens-1m", 6_040, 3_706, 1_000_209, 4.468, 0.529, 0.634),
    ("movielens-100k", 943, 1_682, 100_000, 6.305, 0.472, 0.629),
    ("movielens-latest-small", 671, 9_066, 100_004, 1.644, 0.580, 0.719),
    ("hetrec2011-lastfm", 1_892, 17_632, 92_834, 0.278, 0.019, 0.730),
    ("jester-1", 24_983, 100, 1_810_455, 72.467, 0.171, 0.194),
    ("bookcrossing", 105_283, 340_556, 1_149_780, 0.003, 0.842, 0.606),
    ("amazon-digital-music", 1_835, 41_488, 75_932, 0.100, 0.352, 0.416),
]


def real(name: str) -> Ratings:
    return Ratings.from_frame(pl.read_parquet(Path(str(DATA)) / name / "ratings.parquet"))


@pytest.fixture
def small() -> Ratings:
    """Three users, three items: a rated x, y and z; b rated x and y; c rated x."""
    return Ratings.from_triples(
        ["a", "a", "a", "b", "b", "c"],
        ["x", "y", "z", "x", "y", "x"],
        [5, 4, 1, 3, 5, 5],
        [10, 40, 20, 30, 50, 60],
    )


@needs_data
@pytest.mark.parametrize(
    ("name", "users", "items", "ratings", "percent", "over_users", "over_items"), PUBLISHED
)
def test_real_data_have_their_published_figures(
    name: str,
    users: int,
    items: int,
    ratings: int,
    percent: float,
    over_users: float,
    over_items: float,
) -> None:
    found = describe(real(name))
    assert (found.users, found.items, found.ratings) == (users, items, ratings)
    assert round(100 * found.density, 3) == percent
    assert round(found.per_user.gini, 3) == over_users
    assert round(found.per_item.gini, 3) == over_items


@needs_data
def test_explicit_bookcrossing_has_its_published_figures() -> None:
    whole = real("bookcrossing")
    found = describe(whole.take(whole.values > 0))
    assert (found.users, found.items, found.ratings) == (77_805, 185_973, 433_671)
    assert round(found.per_user.gini, 3) == 0.733
    assert round(found.per_item.gini, 3) == 0.507


@needs_data
def test_movielens_1m_has_the_skew_and_the_medians_of_the_papers() -> None:
    found = describe(real("movielens-1m"))
    assert found.alpha == pytest.approx(1.4, abs=0.05)  # bellogin2017 §5.2: "~ 1.4"
    assert found.relevance == 4
    # canamares2020 on its Fig. 1: about 50 % of users and 45 % of items have ≤ 100 ratings.
    for spread, share in ((found.per_user, 0.50), (found.per_item, 0.45)):
        curve = spread.at_most
        assert curve.y[np.searchsorted(curve.x, 100, side="right") - 1] == pytest.approx(
            share, abs=0.02
        )
    # bellogin2017 Fig. 7: the most popular items are liked by more of their raters.
    assert found.positive_ratio.y[:10].mean() > found.positive_ratio.y[-10:].mean() + 0.2


def falling_linearly() -> Ratings:
    """Ten items with 100, 99, … 91 ratings: nearly uniform, and no power of the rank."""
    users = np.concatenate([np.arange(100 - item) for item in range(10)])
    items = np.repeat(np.arange(10), 100 - np.arange(10))
    return Ratings.from_triples(users, items)


def test_counts_that_no_power_law_fits_have_no_skew() -> None:
    """The bound of the search, 10, is no exponent."""
    found = describe(falling_linearly(), relevance=1)
    assert found.power_law is not None
    assert found.power_law.alpha == pytest.approx(10)
    assert found.alpha is None
    assert (found.to_dict()["alpha"], found.to_dict()["power_law"]) == (None, None)
    assert ("popularity skew α", "no power law fits") in found.rows()


@needs_data
@pytest.mark.parametrize("name", ["cm100k", "jester-1"])
def test_data_sets_that_are_nearly_uniform_have_no_skew(name: str) -> None:
    assert describe(real(name)).alpha is None


def test_sizes_density_and_gini_of_a_small_case(small: Ratings) -> None:
    found = describe(small)
    assert (found.users, found.items, found.ratings) == (3, 3, 6)
    assert found.density == 6 / 9
    # Counts 1, 2, 3: ((2·1−4)·1 + (2·2−4)·2 + (2·3−4)·3) / (3·6)
    assert found.per_user.gini == pytest.approx((-2 * 1 + 0 * 2 + 2 * 3) / (3 * 6))
    assert found.per_item.gini == found.per_user.gini


def test_ids_without_ratings_do_not_count(small: Ratings) -> None:
    part = describe(small.take(small.users == 1))
    assert (part.users, part.items, part.density) == (1, 2, 1.0)


def test_the_histogram_counts_each_value_where_values_are_few(small: Ratings) -> None:
    histogram = describe(small).histogram
    assert histogram.to_dict() == {"values": [1.0, 3.0, 4.0, 5.0], "counts": [1, 1, 1, 3]}


@pytest.mark.parametrize("few_at_first", [False, True])
def test_the_histogram_has_twenty_bars_where_values_are_many(few_at_first: bool) -> None:
    values = np.linspace(-10, 10, 12_000)
    if few_at_first:
        values[:10_500] = 1.0
    ratings = Ratings.from_triples(np.arange(12_000), np.zeros(12_000, dtype=int), values)
    histogram = describe(ratings).histogram
    assert histogram.values is None
    assert histogram.edges is not None
    assert len(histogram.edges) == 21
    assert histogram.counts.sum() == 12_000


def test_the_cumulative_curves_of_a_small_case(small: Ratings) -> None:
    spread = describe(small).per_user
    assert spread.at_most.x.tolist() == [1, 2, 3]
    assert spread.at_most.y == pytest.approx(np.array([1 / 3, 2 / 3, 1]))
    assert spread.concentration.y == pytest.approx(np.array([3 / 6, 5 / 6, 1]))


def test_the_positive_ratio_follows_popularity(small: Ratings) -> None:
    curve = describe(small, relevance=4).positive_ratio
    assert curve.x.tolist() == [1, 2, 3]
    assert curve.y == pytest.approx(np.array([2 / 3, 2 / 2, 0 / 1]))  # x, y, z


def test_the_positive_ratio_is_averaged_over_items_in_a_hundred_segments() -> None:
    items = np.arange(250)
    ratings = Ratings.from_triples(np.zeros(250, dtype=int), items, np.where(items % 2, 5, 1))
    curve = describe(ratings).positive_ratio
    assert len(curve.y) == 100
    sizes = np.diff(np.append(0, curve.x))
    assert set(sizes.tolist()) <= {2, 3}
    assert float(curve.y @ sizes) == pytest.approx(125)


@pytest.mark.parametrize(
    ("lowest", "highest", "relevance"), [(1, 5, 4), (1, 10, 7.75), (-10, 10, 5), (1, 1, 1)]
)
def test_three_quarters_up_the_scale_is_positive_unless_told(
    lowest: float, highest: float, relevance: float
) -> None:
    ratings = Ratings.from_triples([1, 2], [1, 1], [lowest, highest])
    assert describe(ratings).relevance == relevance
    assert describe(ratings, relevance=2).relevance == 2


def test_times_are_given_where_known(small: Ratings) -> None:
    assert describe(small).period == (10, 60)
    assert describe(Ratings.from_triples([1], [1], [1])).period is None


def test_times_are_shown_as_dates_where_they_can_be() -> None:
    at = Ratings.from_triples([1, 1], [1, 2], [1, 1], [956_703_932, 1_046_454_590])
    assert ("time", "2000-04-25 to 2003-02-28") in describe(at).rows()
    years = Ratings.from_triples([1, 1], [1, 2], [1, 1], [1999, 2003])
    assert ("time", "1,999 to 2,003") in describe(years).rows()


def test_nothing_cannot_be_described(small: Ratings) -> None:
    with pytest.raises(EmptyInput, match="no ratings"):
        describe(small.take(small.users == 99))


def test_rows_are_pairs_of_text(small: Ratings) -> None:
    rows = dict(describe(small).rows())
    assert rows["users"] == "3"
    assert rows["density"] == "66.667 %"
    assert rows["rating scale"] == "1 to 5, mean 3.83"
    assert rows["ratings per user"] == "1 to 3, median 2, mean 2.0"
    assert "popularity skew α" not in rows


def plain(value: Any) -> bool:
    """Whether a value is made of what JSON knows, without NaN and infinity."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(entry) for key, entry in value.items())
    if isinstance(value, list):
        return all(plain(entry) for entry in value)
    return (
        value is None
        or type(value) in (int, str)
        or (type(value) is float and math.isfinite(value))
    )


@settings(deadline=None, max_examples=tries(50))
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 8), st.integers(0, 8)),
        st.floats(-1e6, 1e6),
        min_size=1,
        max_size=40,
    )
)
def test_any_data_give_plain_json_with_the_promised_keys(
    pairs: dict[tuple[int, int], float],
) -> None:
    users, items = zip(*pairs, strict=True)
    table = describe(Ratings.from_triples(users, items, list(pairs.values()))).to_dict()
    assert {"users", "items", "ratings", "density", "gini_users", "gini_items"} <= set(table)
    assert plain(table)
    assert json.loads(json.dumps(table, allow_nan=False)) == table
    assert 0 <= table["gini_items"] < 1
    assert table["per_item"]["concentration"]["y"][-1] == pytest.approx(1)


def test_long_curves_are_thinned_in_json_and_keep_their_ends() -> None:
    curve = Spread(np.arange(1, 5001)).at_most
    shown = curve.to_dict()
    assert len(shown["x"]) == 100
    assert (shown["x"][0], shown["x"][-1]) == (1, 5000)
