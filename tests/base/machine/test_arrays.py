from __future__ import annotations

import gc

import numpy as np
import pytest

from cranfield.base.machine import arrays as module
from cranfield.base.machine.arrays import empty_array


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests gave back has no say here."""
    monkeypatch.setattr(module, "_free", [])


@pytest.mark.parametrize("size", [0, 1, 1000, 3_000_000])
@pytest.mark.parametrize("dtype", [np.int32, np.float64, np.bool_])
def test_room_is_an_array_like_any_other(size: int, dtype: type) -> None:
    made = empty_array(size, dtype)
    assert made.shape == (size,)
    assert made.dtype == dtype
    made[:] = 1
    assert made.sum() == size


def test_two_rooms_do_not_share_memory() -> None:
    one, other = empty_array(1 << 22, np.int8), empty_array(1 << 22, np.int8)
    one[:], other[:] = 1, 2
    assert one.min() == one.max() == 1
    kept = one[5:].copy()
    del one
    assert (kept == 1).all()


def test_pages_are_used_again_once_no_view_of_an_array_is_left() -> None:
    made = empty_array(3_000_000, np.int8)
    place, view = made.ctypes.data, made[5:]
    del made
    gc.collect()
    assert empty_array(3_000_000, np.int8).ctypes.data != place
    view[:] = 1
    del view
    gc.collect()
    again = [empty_array(3_000_000, np.int8) for _ in range(3)]
    assert place in [each.ctypes.data for each in again]


def test_only_so_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 5_000_000)
    arrays = [empty_array(2_000_000, np.int8) for _ in range(4)]
    assert arrays
    del arrays
    gc.collect()
    assert [len(pages) for pages in module._free] == [2_000_000] * 2
