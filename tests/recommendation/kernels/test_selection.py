"""The n-th lowest value: what NumPy's partition finds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.recommendation.kernels.selection import nth_lowest


@given(
    values=st.lists(st.floats(0, 5) | st.sampled_from([0.0, 1.0, np.inf]), min_size=1, max_size=40),
    data=st.data(),
)
def test_it_is_the_value_that_sorting_puts_at_its_place(
    values: list[float], data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, len(values) - 1))
    assert nth_lowest(np.array(values), n) == sorted(values)[n]
