"""Laws of filters: a part of the ratings stays, whatever their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.testing.law import law, or_refusal, require, require_equal, threads
from cranfield.testing.strategies import SEEDS, in_two_orders, random_ratings, ratings, renamed

_LARGE = random_ratings(60, 40, 0.3, seed=5)


def _kept(chosen: Any, data: Ratings, seed: int) -> Any:
    """Which ratings stay, or the message by which the data are refused."""
    return or_refusal(lambda: chosen.keep(data, Seeds(seed)))


@law("filter", data=ratings(), seed=SEEDS)
def every_rating_stays_or_goes(chosen: Any, data: Ratings, seed: int) -> None:
    """A filter decides for each rating whether it stays, or refuses the data in words."""
    kept = _kept(chosen, data, seed)
    if not isinstance(kept, str):
        require(kept.dtype == np.bool_, f"the mask is of type {kept.dtype}")
        require(kept.shape == (len(data),), f"{len(data)} ratings, a mask of {kept.shape}")


@law("filter")
def ordinary_ratings_are_filtered(chosen: Any) -> None:
    """Of about 700 ratings with times, 1 to 5 stars, a filter leaves at least one."""
    kept = chosen.keep(_LARGE, Seeds(1))
    require(kept.any(), f"none of {len(_LARGE)} ratings is left")


@law("filter", orders=in_two_orders(ratings()), seed=SEEDS)
def the_order_of_rows_changes_nothing(
    chosen: Any, orders: tuple[Ratings, Ratings], seed: int
) -> None:
    """The same ratings stay in whatever order the rows were read."""
    one, other = (_kept(chosen, data, seed) for data in orders)
    require_equal(other, one, "what stays of rows in another order")


@law("filter")
def the_same_seed_keeps_the_same_ratings(chosen: Any) -> None:
    """What stays follows from the ratings, the option and the seed alone; threads or a
    second call do not matter.
    """
    with threads(1):
        first = _kept(chosen, _LARGE, 7)
    for count in (1, 3):
        with threads(count):
            again = _kept(chosen, _LARGE, 7)
        require_equal(again, first, f"what stays when asked again with {count} threads")


@law("filter", data=ratings(), seed=SEEDS)
def other_ids_in_the_same_order_change_nothing(chosen: Any, data: Ratings, seed: int) -> None:
    """Ids have no meaning: users and items with other names keep the same ratings."""
    kept, wanted = (_kept(chosen, each, seed) for each in (renamed(data), data))
    if isinstance(kept, str) or isinstance(wanted, str):
        require(isinstance(kept, str) and isinstance(wanted, str), f"{wanted}, but {kept}")
    else:
        require_equal(kept, wanted, "what stays under other ids")
