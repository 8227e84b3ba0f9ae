"""The random split of each user's ratings."""

from __future__ import annotations

from functools import partial

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import held_out, random_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import draw_repeatedly, repeats_parameter


@option("split", "per-user")
@dataclass(frozen=True, kw_only=True)
class PerUser(Splitter):
    """The same share of each user's ratings goes to test, drawn at random.

    A user with n ratings keeps (1−σ)·n in training, rounded to the nearest whole number
    with halves up: at σ = 0.2, users with one or two ratings have none in test, those
    with three have one. canamares2020 §3, A2; valcarce2018 §5.
    """

    test_share: float = parameter(
        0.2, "Share σ of each user's ratings that goes to test, above 0, below 1.", above=0, below=1
    )
    repeats: int = repeats_parameter()

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test are the first so many of each user in random order."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        words = seeds.words("per-user", size=len(ratings))
        order = random_order(ratings.users, ratings.n_users, words)
        return Division(ratings, (order.first(held_out(self.test_share, order.sizes)),))
