"""RankingChoice: how predictions become rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.recommendation.unscored import Unscored

Ties = Literal["item-id", "random", "optimistic", "pessimistic", "trec_eval", "expected"]
"""How items of equal prediction are ordered: by ascending item id; at random; the highest
rated first or last (the unjudged count as lowest); by descending item id as text, after
rounding predictions to single precision, as trec_eval does; or by item id, with metrics
taking their expected value over all orders."""


@dataclass(frozen=True, kw_only=True)
class RankingChoice:
    """How predictions become rankings: ties, items without a prediction, list depth.

    ``depth`` limits the run; hits keep ranks below it, unless the lists are cut.
    """

    ties: Ties = "item-id"
    unscored: Unscored = "drop"
    depth: int = 100
    seed: int = 0


def single(predictions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Predictions in single precision; beyond its range they are its highest or lowest."""
    most = float(np.finfo(np.float32).max)
    return np.clip(predictions, -most, most).astype(np.float32).astype(np.float64)
