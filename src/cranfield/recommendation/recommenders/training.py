"""What a recommender asks of the ratings that it learns from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.base.errors import EmptyInput
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import refuse_nonpositive


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
