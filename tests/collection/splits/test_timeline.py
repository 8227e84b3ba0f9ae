"""The timeline: cuts between equal times, and lengths of time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.collection.splits.timeline import cut_near, length


@given(times=st.lists(st.integers(0, 9), min_size=1, max_size=20), data=st.data())
def test_no_other_cut_is_nearer_and_of_two_the_later_is_taken(
    times: list[int], data: st.DataObject
) -> None:
    ordered = sorted(times)
    place = data.draw(st.integers(0, len(ordered)))
    possible = [at for at in range(1, len(ordered)) if ordered[at] != ordered[at - 1]]
    expected = None
    for at in possible:  # later ones replace earlier ones that are no nearer
        if expected is None or abs(at - place) <= abs(expected - place):
            expected = at
    assert cut_near(np.array(ordered), place) == expected


@pytest.mark.parametrize(
    ("given_", "seconds"),
    [(5, 5), (2.5, 2.5), ("30d", 30 * 86400), ("12h", 43200), ("2w", 14 * 86400), ("90 s", 90),
     ("1.5m", 90)],
)  # fmt: skip
def test_lengths_are_numbers_or_have_a_unit(given_: float | str, seconds: float) -> None:
    assert length("rolling", "horizon", given_) == seconds


@pytest.mark.parametrize("wrong", [0, -1, "30", "30 days", "d", "-2d", "0h", float("inf"), ""])
def test_other_lengths_are_refused(wrong: float | str) -> None:
    with pytest.raises(BadParameter, match="such as 30d or 12h"):
        length("rolling", "horizon", wrong)
