"""Compiled thinning at its edges; see tests/validity/test_thinning.py for the law."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.recommendation.ranking.hits import Hits
from cranfield.validity.meta.kernels.thinning import fast_thin
from cranfield.validity.meta.thinning import Pairs
from thinning_cases import hits_of_systems


@pytest.fixture
def hits() -> Hits:
    return hits_of_systems(1)["s0"]


@pytest.fixture
def pairs(hits: Hits) -> Pairs:
    return Pairs.from_hits(hits)


def test_nothing_left_leaves_every_topic_without_a_row(hits: Hits, pairs: Pairs) -> None:
    places = pairs.leaving("ratings", Seeds(1)).places
    left = fast_thin(hits, pairs.find(hits), places < 0)
    assert len(left.items) == 0
    assert left.offsets.tolist() == [0] * len(hits.offsets)
    assert np.array_equal(left.lengths, hits.lengths)


def test_all_left_leaves_all_as_it_is_and_what_was_given_too(hits: Hits, pairs: Pairs) -> None:
    places, numbers = pairs.leaving("ratings", Seeds(1)).places, pairs.find(hits)
    before = {name: getattr(hits, name).copy() for name in ("offsets", "items", "ratings", "ranks")}
    left = fast_thin(hits, numbers, places < len(pairs))
    fast_thin(hits, numbers, places < 3)
    for name, was in before.items():
        assert np.array_equal(getattr(left, name), was)
        assert np.array_equal(getattr(hits, name), was)


@pytest.mark.parametrize("left", [1, 7, 50])
def test_as_many_rows_are_left_as_pairs(left: int, hits: Hits, pairs: Pairs) -> None:
    places = pairs.leaving("ratings", Seeds(2)).places
    found = fast_thin(hits, pairs.find(hits), places < left)
    assert len(found.items) == left
    assert found.offsets[-1] == left
    kept = set(zip(pairs.users[places < left].tolist(), pairs.items[places < left].tolist(),
                   strict=True))  # fmt: skip
    users = np.repeat(found.topics.users, np.diff(found.offsets))
    assert set(zip(users.tolist(), found.items.tolist(), strict=True)) == kept
