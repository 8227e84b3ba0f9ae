"""The oracle tells the truth of simulated ratings."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.errors import OptionError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.simulation.truth import truth_of
from cranfield.collection.sources.power_law import PowerLawRatings
from cranfield.collection.sources.simulated import Simulated
from cranfield.recommendation.recommenders.oracle import Oracle
from learnable import everyone, with_strangers

SOURCE = Simulated(size="tiny")


def test_predictions_are_the_true_relevance() -> None:
    train = SOURCE.read()
    predictions = Oracle(source=SOURCE).fit(train, Seeds()).predict(everyone(train))
    np.testing.assert_array_equal(predictions, truth_of(SOURCE).relevance(everyone(train)))


def test_ids_are_followed_when_the_training_ratings_have_fewer() -> None:
    whole = SOURCE.read()
    part = whole.take((whole.users > 4) & (whole.items != 3)).compact()
    predictions = Oracle(source=SOURCE).fit(part, Seeds()).predict(everyone(part))
    truth = truth_of(SOURCE)
    for row, user in enumerate(part.user_ids.values):
        code = truth.user_ids.encode([user])
        expected = truth.relevance(code, truth.item_ids.encode(part.item_ids.values))
        np.testing.assert_array_equal(predictions[row], expected[0])


def test_ids_that_the_source_lacks_are_not_computable() -> None:
    train = with_strangers(SOURCE.read())
    predictions = Oracle(source=SOURCE).fit(train, Seeds()).predict(everyone(train))
    assert np.isnan(predictions[-1]).all()
    assert np.isnan(predictions[:, -1]).all()
    assert np.isfinite(predictions[:-1, :-1]).all()


def test_real_ratings_have_no_known_truth() -> None:
    with pytest.raises(OptionError, match="the truth behind these ratings is not known"):
        Oracle(source=PowerLawRatings()).fit(SOURCE.read(), Seeds())


@pytest.mark.parametrize(
    "text", ["oracle(source=simulated(size=tiny))", 'oracle(source="simulated(size=tiny)")']
)
def test_the_source_is_spelled_with_or_without_quotes(text: str) -> None:
    chosen = parse("recommender", text)
    assert chosen == Oracle(source=SOURCE)
    assert parse("recommender", str(chosen)) == chosen
