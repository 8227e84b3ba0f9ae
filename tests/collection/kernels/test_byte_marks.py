"""Operations on many bytes at once are what they mean in Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.kernels.kernel import kernel
from cranfield.collection.kernels import byte_marks
from cranfield.collection.kernels.byte_marks import (
    AT_ONCE,
    Bytes,
    count_marks,
    first_mark,
    high_marks,
    marks,
    plain_count_marks,
    plain_first_mark,
    plain_high_marks,
    plain_marks,
    plain_word_at,
    word_at,
)
from suites import tries

BYTES = st.binary(min_size=AT_ONCE + 8, max_size=AT_ONCE + 8) | st.text(
    "\n\t,é", min_size=AT_ONCE + 8, max_size=AT_ONCE + 8
).map(lambda text: text.encode()[: AT_ONCE + 8])


@kernel
def compiled(
    data: Bytes, at: int, byte: np.uint8
) -> tuple[np.uint64, np.uint64, np.uint64, int, int]:
    """All operations, as kernels call them."""
    found = marks(data, at, byte)
    return word_at(data, at), found, high_marks(data, at), first_mark(found), count_marks(found)


@settings(max_examples=tries(50), deadline=None)
@given(BYTES, st.integers(0, 8), st.sampled_from(b"\n\t,\x00\xff\xc3"))
def test_compiled_operations_are_what_they_mean(content: bytes, at: int, byte: int) -> None:
    data = np.frombuffer(content, np.uint8)
    found = plain_marks(data, at, byte)
    meant = (
        plain_word_at(data, at), found, plain_high_marks(data, at), plain_first_mark(int(found)),
        plain_count_marks(int(found)),
    )  # fmt: skip
    assert compiled(data, at, np.uint8(byte)) == meant


def test_bits_are_the_places_of_a_byte() -> None:
    data = np.zeros(AT_ONCE, np.uint8)
    data[[0, 5, 63]] = 10, 10, 200
    assert plain_marks(data, 0, 10) == 1 + 2**5
    assert plain_high_marks(data, 0) == 2**63
    assert plain_first_mark(2**5 + 2**63) == 5
    assert plain_count_marks(2**5 + 2**63) == 2


def test_no_bit_is_the_first_of_none() -> None:
    assert plain_first_mark(0) == AT_ONCE


def test_where_nothing_is_compiled_an_operation_is_its_meaning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(byte_marks._config, "DISABLE_JIT", 1)
    assert byte_marks._operation(plain_count_marks)(lambda *_: None) is plain_count_marks
