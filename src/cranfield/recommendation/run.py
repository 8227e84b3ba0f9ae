"""Run: ranked lists of one system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.collection.topics import Topics


@dataclass(frozen=True, eq=False)
class Run:
    """Ranked lists of one system, one per topic, best first.

    Topic t owns rows ``offsets[t]:offsets[t + 1]`` of ``items`` and ``predictions``; no
    item twice in a list; predictions never rise down a list, and are NaN for items that
    were appended without one. ``tied`` counts the positions of each list whose item
    shares its prediction with a neighbour.
    """

    system: str
    topics: Topics
    offsets: npt.NDArray[np.int64]
    items: Codes
    predictions: npt.NDArray[np.float64]
    tied: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of items in each list."""
        return np.diff(self.offsets)

    @property
    def tied_share(self) -> float:
        """The share of positions, over all lists, that are tied."""
        return float(self.tied.sum() / max(len(self.items), 1))
