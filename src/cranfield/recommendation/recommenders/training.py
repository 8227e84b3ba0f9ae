"""What a recommender asks of the ratings that it learns from."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from cranfield.base.errors import EmptyInput
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import refuse_nonpositive

AutoFloat = Literal["auto"] | float
"""A number, or that the training ratings say which."""


def number_of(value: AutoFloat, otherwise: float) -> float:
    """The value of a parameter, or another where it is ``auto``."""
    return otherwise if isinstance(value, str) else value


def typical_rating(train: Ratings) -> float:
    """The median rating: 4 on most scales from 1 to 5, 1 where ratings are implicit."""
    return float(np.median(train.values))


def require_nonempty(train: Ratings, asker: str) -> Ratings:
    """The same ratings, of which there is at least one."""
    if not len(train):
        raise EmptyInput(f"training data of {asker}")
    return train


def positive(train: Ratings, asker: str, *, binarised: bool = False) -> Ratings:
    """The same ratings, all above 0; if binarised, each as 1, whatever it was."""
    require_nonempty(train, asker)
    if binarised:
        return replace(train, values=np.ones(len(train)))
    refuse_nonpositive(train, asker)
    return train
