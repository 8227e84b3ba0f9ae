"""Positive ratings beside all ratings: by hand, from tables, and as the papers print them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.collection.datasets import find_data_set
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_ratings
from cranfield.collection.statistics.statistics import describe
from suites import tries

MOVIELENS = find_data_set("ml-1m")
needs_data = pytest.mark.skipif(
    MOVIELENS is None or not MOVIELENS.find(), reason="MovieLens 1M is not here"
)


@pytest.fixture
def small() -> Ratings:
    """Three users, three items: a rated x, y and z; b rated x and y; c rated x."""
    return Ratings.from_triples(
        ["a", "a", "a", "b", "b", "c"], ["x", "y", "z", "x", "y", "x"], [5, 4, 1, 3, 5, 5]
    )


def test_positive_ratings_of_a_small_case(small: Ratings) -> None:
    """Liked: x by a and c, y by a and b, z by nobody."""
    found = describe(small, relevance=4)
    assert found.positive_per_item is not None
    assert found.positive_per_user is not None
    assert found.positive_per_item.counts.tolist() == [2, 2]
    assert found.positive_per_user.counts.tolist() == [1, 1, 2]
    assert found.positive_per_item.concentration.y.tolist() == [0.5, 1]
    assert (found.one_positive, found.top_liked) == (0, 2 / 3)
    assert found.user_correlation == pytest.approx(pearsonr([3, 2, 1], [2, 1, 1])[0])
    assert found.item_correlation == pytest.approx(pearsonr([3, 2, 1], [2, 2, 0])[0])
    fives = describe(small, relevance=5)
    assert (fives.one_positive, fives.top_liked) == (0.5, 2 / 3)  # x by a and c, y by b
    rows = dict(found.rows())
    assert rows["positive per item"] == "2 to 2, median 2, mean 2.0"
    assert rows["one positive rating"] == "0.0 % of the items that have any"
    assert rows["most liked item"] == "liked by 66.7 % of the users"
    assert rows["correlation"] == "of all and positive ratings: 0.866 over users, 0.866 over items"


def test_where_nothing_is_liked_nothing_is_said_of_it(small: Ratings) -> None:
    found = describe(small, relevance=6)
    assert found.positive_per_item is found.positive_per_user is None
    assert found.one_positive is found.top_liked is found.user_correlation is None
    assert not any("positive p" in name or "liked" in name for name, _ in found.rows())
    assert found.to_dict()["positive_per_item"] is None


def test_a_correlation_needs_counts_that_differ() -> None:
    same = describe(Ratings.from_triples([1, 1, 2, 2], [1, 2, 1, 2], [5, 1, 5, 5]), relevance=4)
    assert same.user_correlation is same.item_correlation is None
    assert "correlation" not in dict(same.rows())


def test_judgments_of_trec_are_described_as_ratings_are(tmp_path: Path) -> None:
    """Documents are items: d1 is relevant to both queries, d2 to one, d3 to none."""
    path = tmp_path / "judged.qrels"
    path.write_text("q1 0 d1 1\nq1 0 d2 2\nq1 0 d3 0\nq2 0 d1 1\nq2 0 d3 0\n")
    found = describe(read_ratings(str(path)), relevance=1)
    assert (found.users, found.items) == (2, 3)
    assert found.positive_per_item is not None
    assert found.positive_per_item.counts.tolist() == [1, 2]
    assert (found.one_positive, found.top_liked) == (0.5, 1.0)


@settings(deadline=None, max_examples=tries(50))
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 6), st.integers(0, 6)), st.integers(1, 5), min_size=1, max_size=30
    )
)
def test_positive_ratings_are_those_of_a_table(pairs: dict[tuple[int, int], int]) -> None:
    """The same figures from Polars' group-by and SciPy's r."""
    users, items = zip(*pairs, strict=True)
    found = describe(Ratings.from_triples(users, items, list(pairs.values())), relevance=4)
    table = pl.DataFrame({"u": users, "i": items, "r": list(pairs.values())})
    liked = table.filter(pl.col("r") >= 4)
    counts = liked.group_by("i").len()["len"].to_list()
    if not counts:
        assert found.top_liked is None
        return
    assert found.one_positive == pytest.approx(counts.count(1) / len(counts))
    assert found.top_liked == pytest.approx(max(counts) / table["u"].n_unique())
    both = table.group_by("u").agg(pl.len(), pl.col("r").filter(pl.col("r") >= 4).len().alias("p"))
    constant = both["len"].n_unique() == 1 or both["p"].n_unique() == 1
    wanted = None if constant else pytest.approx(pearsonr(both["len"], both["p"])[0])
    assert found.user_correlation == wanted


@needs_data
def test_positive_ratings_of_movielens_1m_are_those_of_the_papers() -> None:
    """canamares2020 prints r = 0.962 for users; it is the correlation over items."""
    ratings = read_ratings("ml-1m")
    found = describe(ratings, relevance=4)
    assert found.item_correlation == pytest.approx(0.962, abs=0.0005)
    assert found.user_correlation == pytest.approx(0.911, abs=0.0005)
    # bellogin2017 §5.2: the most liked item "is liked by … 32.7 % … of users".
    assert describe(ratings, relevance=5).top_liked == pytest.approx(0.327, abs=0.003)
