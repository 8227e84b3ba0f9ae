"""The random split: a coin is flipped for each rating."""

from __future__ import annotations

from functools import partial

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import draw_repeatedly, repeats_parameter


@option("split", "random")
@dataclass(frozen=True, kw_only=True)
class Random(Splitter):
    """Each rating goes to test with probability test_share, independently of the others.

    The share reached varies around the requested one: σ ± √(σ(1−σ)/|R|), one standard
    deviation. canamares2020 §3, A2.
    """

    test_share: float = parameter(
        0.2, "Probability σ of going to test, above 0 and below 1.", above=0, below=1
    )
    repeats: int = repeats_parameter()

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test where the rating's random word is below σ · 2⁶⁴."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        words = seeds.words("random", size=len(ratings))
        return Division(ratings, (words < np.uint64(int(self.test_share * 2.0**64)),))
