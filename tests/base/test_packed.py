"""Lines of packed and plain files, and the limits that keep memory bounded."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import MissingFile, UnreadableFile
from cranfield.base.packed import (
    LONGEST_LINE,
    exists,
    head,
    holds_lone_returns,
    lines,
    require_file,
)
from cranfield.base.polars_text import WHOLE_LINES
from cranfield.base.zstandard import first_blocks
from suites import tries
from zstandard_files import zstandard

_BLOCK = 1 << 17


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "r.txt": bytes,
    "r.gz": gzip.compress,
    "r.zst": zstandard,
}


def unpacked(packed: bytes) -> str:
    return "".join(pl.read_csv(io.BytesIO(packed), **WHOLE_LINES)["line"])


def text_of(size: int, seed: int) -> bytes:
    """Text that hardly repeats itself, so that blocks do not."""
    return "".join(f"{(n * n + seed) % 1_000_003:x}" for n in range(size // 5 + 1))[:size].encode()


@settings(deadline=None, max_examples=tries(30))
@given(
    sizes=st.lists(st.sampled_from([1, 1000, _BLOCK, 3 * _BLOCK + 5]), min_size=1, max_size=3),
    most=st.integers(1, 12),
)
def test_the_first_blocks_unpack_to_the_first_bytes(sizes: list[int], most: int) -> None:
    frames = [text_of(size, seed) for seed, size in enumerate(sizes)]
    found = unpacked(first_blocks(io.BytesIO(zstandard(*frames)), most)).encode()
    whole = b"".join(frames)
    assert whole.startswith(found)
    assert len(found) == len(whole) or len(found) >= min(most, len(sizes))
    assert len(found) <= most * _BLOCK


@pytest.mark.parametrize("name", PACKERS)
def test_a_file_without_line_ends_is_refused_after_its_start(tmp_path: Path, name: str) -> None:
    data = b"a" * (64 * LONGEST_LINE)
    (tmp_path / name).write_bytes(PACKERS[name](data))
    with pytest.raises(UnreadableFile, match=r"line 1: the line has more than 1 MiB"):
        head(tmp_path / name)


@pytest.mark.parametrize("name", PACKERS)
def test_control_characters_are_part_of_a_line(tmp_path: Path, name: str) -> None:
    data = "".join(f"a{chr(code)}b\n" for code in range(1, 32) if chr(code) not in "\r\n").encode()
    (tmp_path / name).write_bytes(PACKERS[name](data))
    assert b"".join(head(tmp_path / name)) == data
    assert b"".join(lines(tmp_path / name)) == data


def test_the_head_of_a_long_packed_file_holds_whole_lines_only(tmp_path: Path) -> None:
    long = b"".join(text_of(1 << 16, n) + b"\n" for n in range(200))
    (tmp_path / "r.zst").write_bytes(zstandard(long))
    found = head(tmp_path / "r.zst")
    assert 0 < len(found) < 200
    assert long.startswith(b"".join(found))


def test_names_that_no_file_can_have_are_of_no_file() -> None:
    for name in ("n" * 6000, "a\0b"):
        assert not exists(Path(name))
        with pytest.raises(MissingFile):
            require_file(Path(name))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_and_devices_are_refused_by_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(UnreadableFile, match=f"^{path}: it is a pipe or a device"):
            head(path)
    with pytest.raises(MissingFile, match="Standard input cannot be read"):
        require_file(Path("-"))
    with pytest.raises(MissingFile, match="There is a folder of that name"):
        require_file(tmp_path)


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize(
    ("text", "lone"),
    [
        (b"a,b\nc,d\n", False),
        (b"a,b\r\nc,d\r\n", False),
        (b"a\r,b\nc,d\n", True),
        (b"a,b\r\nc\rd,e\r\n", True),
    ],
)
def test_returns_that_end_no_line_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: bytes, lone: bool
) -> None:
    (tmp_path / name).write_bytes(PACKERS[name](text))
    for size in (2, 3, 4, 1 << 20):  # line ends lie across two looks at the file
        monkeypatch.setattr("cranfield.base.packed._SEEN_AT_ONCE", size)
        assert holds_lone_returns(tmp_path / name) is lone
