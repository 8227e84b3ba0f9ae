"""Serendipity: relevant items that popularity would not have put there."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.collection.items import Counts, Floats
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.per_list import ListRows, PerList
from cranfield.scoring.run_metric import DEPTH, means_of_lists, of_items, top


@option("metric", "Serendipity", aliases=("unexpected-relevance",))
@dataclass(frozen=True, kw_only=True)
class Serendipity(PerList):
    r"""How much more the list likes its relevant items than their popularity would.

        Serendipity@n = 1/|L_u^n| · Σ_{k≤n} rel(i_k) · max(0, c(k) − c(q(i_k)))

    c(k) = (N + 1 − k)/N is the chance that a list gives the item at rank k of N items, and
    q(i) the rank of item i by training ratings, equal ones sharing the best; an item without
    any has the chance 0. rel is 1 for relevant items, else 0. Undefined for an empty list, 0
    without a relevant item. Between 0 and 1, higher is more serendipitous. Murakami, Mori &
    Orihara 2008, with popularity as the primitive method and chances by rank.
    """

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean excess of chance of each list, of its relevant items."""
        size = max(len(rows.items), 1)
        own = (size + 1 - rows.run.ranks) / size
        expected = of_items(rows.run, _chances(rows.items.popularity), 0.0)
        excess = np.maximum(own - expected, 0.0) * rows.relevant
        return means_of_lists(rows.run, excess, top(rows.run, self.cutoff).astype(np.float64))


def _chances(popularity: Counts) -> Floats:
    """The chance of each item in a list by popularity; 0 without a rating.

    >>> _chances(np.array([5, 0, 9, 5])).tolist()
    [0.75, 0.0, 1.0, 0.75]
    """
    ordered = np.sort(popularity)
    no_more = np.searchsorted(ordered, popularity, side="right")  # N minus those above
    return np.where(popularity > 0, no_more / max(len(popularity), 1), 0.0)
