"""The random split with an exact share."""

from __future__ import annotations

from functools import partial

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import held_out, one_group, random_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import draw_repeatedly, repeats_parameter


@option("split", "random-exact")
@dataclass(frozen=True, kw_only=True)
class RandomExact(Splitter):
    """Exactly test_share of all ratings go to test, drawn at random.

    The ratings are permuted and cut at (1−σ)·|R|, rounded to the nearest whole number; a
    half stays in training. canamares2020 §3, A2.
    """

    test_share: float = parameter(
        0.2, "Share σ of the ratings that goes to test, above 0 and below 1.", above=0, below=1
    )
    repeats: int = repeats_parameter()

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test are the first so many in random order."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        words = seeds.words("random-exact", size=len(ratings))
        order = random_order(one_group(ratings), 1, words)
        return Division(ratings, (order.first(held_out(self.test_share, [len(ratings)])),))
