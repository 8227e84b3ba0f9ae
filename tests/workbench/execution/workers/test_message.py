"""Messages come as they were sent, and arrays are shared rather than copied."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cranfield.collection.ratings import Ratings
from cranfield.workbench.execution.workers.message import (
    Message,
    pack,
    read_message,
    unpack,
    write_message,
)

ARRAYS = arrays(st.sampled_from([np.int8, np.int32, np.float64]), array_shapes(min_side=0))


@settings(deadline=None)
@given(found=st.lists(ARRAYS, max_size=4), text=st.text(max_size=5))
def test_what_is_written_is_read(
    found: list[np.ndarray], text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("message") / "message"
    write_message(path, pack({"text": text, "arrays": found}))
    again = unpack(read_message(path))
    assert again["text"] == text
    for one, other in zip(found, again["arrays"], strict=True):
        assert other.dtype == one.dtype
        np.testing.assert_array_equal(one, other)


def test_arrays_are_beside_the_pickle_and_lie_at_multiples_of_64_bytes(tmp_path: Path) -> None:
    message = pack([np.arange(100_000), np.ones(3, dtype=np.int8), np.arange(7.0)])
    assert len(message.head) < 1000
    assert message.size > 800_000
    write_message(tmp_path / "message", message)
    for each in unpack(read_message(tmp_path / "message")):
        assert each.ctypes.data % 64 == 0


def test_what_could_be_written_can_be_and_what_could_not_cannot(tmp_path: Path) -> None:
    """Kernels are compiled for the one or the other."""
    frozen = np.arange(5)
    frozen.flags.writeable = False
    write_message(tmp_path / "message", pack([np.arange(5), frozen]))
    free, fixed = unpack(read_message(tmp_path / "message"))
    assert (free.flags.writeable, fixed.flags.writeable) == (True, False)
    free[0] = 9
    assert unpack(read_message(tmp_path / "message"))[0][0] == 0


def test_parts_of_a_shared_memory_that_cannot_be_written_are_copied_where_they_must_be() -> None:
    message = pack([np.arange(5)])
    fixed = Message(message.head, [bytes(part) for part in message.parts], message.writable)
    made = unpack(fixed)[0]
    assert made.flags.writeable
    np.testing.assert_array_equal(made, np.arange(5))


def test_ratings_keep_what_they_share() -> None:
    ratings = Ratings.from_triples([1, 1, 2], [7, 8, 8], [5, 3, 4])
    name = ratings.fingerprint
    one, other = unpack(pack((ratings, ratings.take(np.array([0])))))
    assert one.user_ids is other.user_ids
    assert one.fingerprint == name
    assert not one.values.flags.writeable
