"""The filter by time."""

from __future__ import annotations

from math import inf
from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.group_order import required_times, seconds
from cranfield.collection.ratings import Ratings


@option("filter", "time-range")
@dataclass(frozen=True, kw_only=True)
class TimeRange(Filter):
    """Keep the ratings from since (included) up to until (not included).

    A number is read on the scale of the timestamps; a date means its first second, UTC,
    on timestamps in seconds since 1970. Of a log, it keeps the events of the period.
    """

    of_events: ClassVar[bool] = True

    since: int | float | str | None = parameter(
        None,
        "Start of the period, included: a number, or a date such as 2001-12-31; none means no "
        "limit.",
    )
    until: int | float | str | None = parameter(
        None, "End of the period, not included: a number or a date; none means no limit."
    )

    def __post_init__(self) -> None:
        if self.since is None and self.until is None:
            raise OptionError("time-range needs since, until or both.")
        if self._since >= self._until:
            raise OptionError(
                f"time-range: since = {self.since} is not before until = {self.until}."
            )

    @property
    def _since(self) -> float:
        return -inf if self.since is None else seconds("time-range", "since", self.since)

    @property
    def _until(self) -> float:
        return inf if self.until is None else seconds("time-range", "until", self.until)

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the ratings within the range."""
        times = required_times(ratings, "time-range")
        return (times >= self._since) & (times < self._until)
