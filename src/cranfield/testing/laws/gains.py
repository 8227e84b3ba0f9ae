"""Laws of gains: never negative, never falling, rating by rating."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from cranfield.scoring.gain import RatingScale
from cranfield.testing.law import law, or_refusal, require, require_equal

_STARS = st.lists(st.sampled_from([5.0, 1.0, 4.0, 3.0, 2.0]), max_size=6)
_OTHERS = st.lists(st.sampled_from([0.0, 0.5, 2.5, -9.5, 5000.0]) | st.floats(-10, 10), max_size=6)
_SCALES = (
    RatingScale(1, 5, 4),
    RatingScale(0.5, 5, 3.5),
    RatingScale(-10, 10, 5),
    RatingScale(1, 1, 1),
    RatingScale(1, 5000, 1),
)


@st.composite
def _rated(draw: st.DrawFn) -> tuple[list[float], RatingScale]:
    """Ratings and the scale that they are on: five stars, half stars, play counts, one grade."""
    scale = draw(st.sampled_from(_SCALES))
    values = draw(_STARS | _OTHERS)
    return [float(np.clip(value, scale.lowest, scale.highest)) for value in values], scale


def _gains(gain: Any, values: list[float], scale: RatingScale) -> Any:
    """The gains of ratings, or the message by which they are refused."""
    return or_refusal(lambda: gain.of_rating(np.array(values, dtype=np.float64), scale))


@law("gain", rated=_rated(), examples=200)
def gains_are_not_negative_and_never_fall(
    gain: Any, rated: tuple[list[float], RatingScale]
) -> None:
    """A higher rating never has a lower gain, none is below 0, and all are finite; ratings
    that have no gain are refused in words.
    """
    values, scale = sorted(rated[0]), rated[1]
    found = _gains(gain, values, scale)
    if not isinstance(found, str):
        require(np.shape(found) == (len(values),), f"{len(values)} ratings, gains {found}")
        require(np.isfinite(found).all(), f"the gains {found} are not finite")
        require((np.asarray(found) >= 0).all(), f"the gains {found} fall below 0")
        require((np.diff(found) >= 0).all(), f"gains fall as ratings rise: {values}, {found}")


@law("gain", rated=_rated())
def each_rating_has_a_gain_of_its_own(gain: Any, rated: tuple[list[float], RatingScale]) -> None:
    """The gain of a rating depends on the rating and the scale, not on other ratings."""
    values, scale = rated
    together = _gains(gain, values, scale)
    if not isinstance(together, str):
        alone = [gain.of_rating(np.array([value]), scale)[0] for value in values]
        require_equal(together, alone, "gains of all ratings and of each alone")


@law(
    "gain", when=lambda gain: not gain.reads_relevance, rated=_rated(), threshold=st.floats(-10, 10)
)
def a_threshold_that_is_not_read_changes_no_gain(
    gain: Any, rated: tuple[list[float], RatingScale], threshold: float
) -> None:
    """Where ``reads_relevance`` is false, gains are the same whatever is relevant."""
    values, scale = rated
    found = _gains(gain, values, replace(scale, relevance=threshold))
    require_equal(found, _gains(gain, values, scale), f"gains with a threshold of {threshold}")


@law("gain", rated=_rated())
def ratings_are_left_as_they_are(gain: Any, rated: tuple[list[float], RatingScale]) -> None:
    """A gain changes nothing in the ratings that it is given."""
    values = np.array(rated[0], dtype=np.float64)
    or_refusal(lambda: gain.of_rating(values, rated[1]))
    require_equal(values, rated[0], "ratings were changed")
