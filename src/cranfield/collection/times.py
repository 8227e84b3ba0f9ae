"""Times: points in time as users write them, numbers or dates."""

from __future__ import annotations

from datetime import UTC, datetime

from cranfield.base.errors import BadParameter, MissingTimestamps
from cranfield.collection.columns import Times
from cranfield.collection.ratings import Ratings

Moment = int | float | str
"""A number on the scale of the timestamps, or an ISO date, with a time of day or without."""


def seconds(option: str, name: str, moment: Moment) -> float:
    """A point in time as a number; dates count in seconds since 1970, UTC unless they say.

    >>> seconds("temporal", "at", "1970-01-02")
    86400.0
    """
    if not isinstance(moment, str):
        return moment
    try:
        date = datetime.fromisoformat(moment)
    except ValueError:
        wanted = "a number or a date such as 2001-12-31 or 2001-12-31T18:30"
        raise BadParameter(option, name, moment, wanted) from None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def required_times(ratings: Ratings, asker: str) -> Times:
    """The timestamps of ratings, which must have them."""
    if ratings.timestamps is None:
        raise MissingTimestamps(asker)
    return ratings.timestamps
