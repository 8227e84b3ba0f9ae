from __future__ import annotations

import numpy as np

import cranfield.recommendation.recommenders.random  # noqa: F401
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from neighbourhood_cases import predictions, training

TABLE = np.ones((60, 50)).tolist()


def test_the_same_seed_gives_the_same_predictions_and_another_seed_others() -> None:
    train, users = training(TABLE), np.arange(60, dtype=np.int32)
    random = parse("recommender", "random")
    first = random.fit(train, Seeds(1)).predict(users)
    assert (first == random.fit(train, Seeds(1)).predict(users)).all()
    assert (first != random.fit(train, Seeds(2)).predict(users)).all()


def test_predictions_are_spread_evenly_without_ties() -> None:
    found = predictions("Random", training(TABLE))
    assert len(np.unique(found)) == found.size
    shares = np.histogram(found, bins=10, range=(0, 1))[0] / found.size
    # 3000 draws: a share of 0.1 has a standard error of about 0.0055.
    assert np.abs(shares - 0.1).max() < 4 * 0.0055
    assert np.abs(np.asarray(np.corrcoef(found))[np.triu_indices(60, 1)]).mean() < 0.2
