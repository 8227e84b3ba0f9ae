"""Scores: what each system scored on each topic by each metric."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics


@dataclass(frozen=True, eq=False)
class Scores:
    """What each system scored on each topic by each metric.

    ``values[s, m, t]`` is the score of system s by metric m on topic t; NaN means
    undefined, and only an aggregation may resolve it. ``covered[s, t]`` tells whether the
    system proposed anything for the topic. All systems share the topics.
    """

    topics: Topics
    user_ids: Ids
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: npt.NDArray[np.float64]
    covered: npt.NDArray[np.bool_]
