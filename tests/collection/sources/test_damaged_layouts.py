"""Whatever a file holds, readers of layouts either read it or say what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError
from cranfield.collection.datasets import DATA_SETS
from cranfield.collection.sources.file import File
from data_set_files import example_of
from fuzz_cases import LAYOUTS
from suites import tries


def is_read_or_refused(path: Path, name: str, content: bytes) -> bool:
    """Whether a file is read, or refused by its name."""
    path.write_bytes(content)
    try:
        return len(File(path=str(path), **DATA_SETS[name].reading).read()) > 0
    except CranfieldError as error:
        return str(path) in str(error)


@settings(deadline=None, max_examples=tries(100))
@given(content=st.binary(max_size=60), name=st.sampled_from(LAYOUTS))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    assert is_read_or_refused(tmp_path_factory.getbasetemp() / "any", name, content)


@settings(deadline=None, max_examples=tries(200))
@given(
    name=st.sampled_from(LAYOUTS),
    place=st.integers(0, 400),
    length=st.integers(0, 3),
    put=st.binary(max_size=3) | st.sampled_from([b"\n", b" ", b",", b"{", b"nan", b"1e999", b"-"]),
)
def test_damaged_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, place: int, length: int, put: bytes
) -> None:
    whole = example_of(name).texts[0].encode()
    at = place % (len(whole) + 1)
    content = whole[:at] + put + whole[at + length :]
    assert is_read_or_refused(tmp_path_factory.getbasetemp() / "damaged", name, content)
