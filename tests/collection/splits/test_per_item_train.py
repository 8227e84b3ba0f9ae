"""ℓ training ratings per item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.splits.per_item_train import PerItemTrain
from strategies import SEEDS, ratings
from suites import tries


@given(data=ratings(), seed=SEEDS, count=st.integers(1, 3))
@settings(deadline=None, max_examples=tries(60))
def test_every_item_has_exactly_the_wanted_training_ratings(
    data: Ratings, seed: int, count: int
) -> None:
    data = data.take((data.item_counts >= count)[data.items])
    if not len(data):
        return
    (test,) = PerItemTrain(count=count).split(data, Seeds(seed)).tests
    trained = np.bincount(data.items[~test], minlength=data.n_items)
    assert trained.tolist() == np.where(data.item_counts > 0, count, 0).tolist()


def test_rare_items_are_refused_with_the_filter_that_helps() -> None:
    data = Ratings.from_triples([1, 2, 1, 2, 3], ["x", "x", "y", "y", "y"])
    with pytest.raises(InfeasibleSplit) as error:
        PerItemTrain(count=3).split(data, Seeds(1))
    assert str(error.value) == (
        "per-item-train split: 1 item has fewer than 3 ratings, first x with 2. "
        "Apply the filter min-ratings(per=item, at_least=3) before, or lower count."
    )


def test_the_number_must_be_given() -> None:
    with pytest.raises(OptionError, match="per-item-train needs count"):
        parse("split", "per-item-train")
