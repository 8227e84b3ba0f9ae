"""The temporal split: one point in time for everyone."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import held_out, required_times, seconds
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.timeline import cut_near, same_time
from cranfield.collection.tables.columns import Times

DEFAULT_SHARE = 0.2


@option("split", "temporal")
@dataclass(frozen=True, kw_only=True)
class Temporal(Splitter):
    """Ratings before one point in time are training; those at or after it are test.

    The point is given, or chosen so that the test share is as near to the wanted one as
    whole points in time allow: equal times stay on one side, and of two points equally
    near the later one is taken. Reported as cut. canamares2020 §3, A2.
    """

    at: int | float | str | None = parameter(
        None, "The time of the cut: a number like the timestamps, or a date such as 2001-12-31."
    )
    test_share: float | None = parameter(
        None,
        "Instead of a time: share σ of the latest ratings that goes to test, above 0 and "
        f"below 1; {DEFAULT_SHARE} if neither is given.",
        above=0,
        below=1,
    )

    def __post_init__(self) -> None:
        if self.at is not None:
            seconds("temporal", "at", self.at)
            if self.test_share is not None:
                raise OptionError("temporal: give at or test_share, not both.")

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test is what came at or after the cut."""
        times = required_times(ratings, "temporal")
        cut = self._quantile(times) if self.at is None else self._given(times)
        return Division(ratings, (times >= cut,), {"cut": cut})

    def _given(self, times: Times) -> float:
        earliest, latest = int(times.min()), int(times.max())
        cut = seconds("temporal", "at", self.at or 0)
        if not earliest < cut <= latest:
            raise InfeasibleSplit(
                "temporal",
                f"at = {self.at} leaves no rating for {'test' if cut > latest else 'training'}; "
                f"the timestamps run from {earliest} to {latest}",
                "Choose a time above the first and up to the last of them",
            )
        return cut

    def _quantile(self, times: Times) -> float:
        """The time among those that occur whose cut comes nearest to the share."""
        ordered = np.sort(times)
        wanted = int(held_out(self.test_share or DEFAULT_SHARE, len(ordered)))
        start = cut_near(ordered, len(ordered) - wanted)
        if start is None:
            raise same_time("temporal", ordered)
        return int(ordered[start])
