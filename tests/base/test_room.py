from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.room import room


@pytest.mark.parametrize("size", [0, 1, 1000, 3_000_000])
@pytest.mark.parametrize("dtype", [np.int32, np.float64, np.bool_])
def test_room_is_an_array_like_any_other(size: int, dtype: type) -> None:
    made = room(size, dtype)
    assert made.shape == (size,)
    assert made.dtype == dtype
    made[:] = 1
    assert made.sum() == size


def test_two_rooms_do_not_share_memory() -> None:
    one, other = room(1 << 22, np.int8), room(1 << 22, np.int8)
    one[:], other[:] = 1, 2
    assert one.min() == one.max() == 1
    kept = one[5:].copy()
    del one
    assert (kept == 1).all()
