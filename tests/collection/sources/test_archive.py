"""Files taken out of archives: whole, damaged, encrypted, packed in other ways."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Literal

import pytest

from cranfield.base.errors import UnreadableFile
from cranfield.collection.sources.archive import extract

CONTENT = bytes(n * n % 251 for n in range(300_000))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def zipped(member: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return packed.getvalue()


def test_a_member_of_a_zip_is_extracted(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped("in/u.data", b"1\t2\t3\t4\n"))
    assert (
        extract(tmp_path / "a.zip", "in/u.data", tmp_path / "u.data").read_bytes()
        == b"1\t2\t3\t4\n"
    )


def test_a_member_of_a_tar_is_extracted(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("in/plays.tsv")
        entry.size = 5
        archive.addfile(entry, io.BytesIO(b"plays"))
    assert extract(tmp_path / "a.tar.gz", "in/plays.tsv", tmp_path / "p").read_bytes() == b"plays"


def test_a_damaged_archive_leaves_nothing_behind(tmp_path: Path) -> None:
    content = zipped("u.data", CONTENT)
    damaged = bytearray(content)
    damaged[200:210] = b"0123456789"
    for broken in (bytes(damaged), content[: len(content) // 2], zipped("other", b"")):
        (tmp_path / "a.zip").write_bytes(broken)
        with pytest.raises(UnreadableFile, match=r"a\.zip: "):
            extract(tmp_path / "a.zip", "u.data", tmp_path / "u.data")
        assert names(tmp_path) == ["a.zip"]


Mode = Literal["w:", "w:gz", "w:xz", "w:bz2"]


def tarred(mode: Mode, content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        for name, data in (("readme", b"read me"), ("u.data", content)):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:xz", "w:bz2"])
def test_a_tar_is_unpacked_however_it_is_packed(tmp_path: Path, mode: Mode) -> None:
    (tmp_path / "a.tar").write_bytes(tarred(mode, CONTENT))
    assert extract(tmp_path / "a.tar", "u.data", tmp_path / "u").read_bytes() == CONTENT


@pytest.mark.parametrize("mode", ["w:gz", "w:xz"])
def test_a_flipped_bit_anywhere_in_a_packed_tar_is_found(tmp_path: Path, mode: Mode) -> None:
    """But for the ten bytes of gzip's header, which say nothing about the content."""
    whole = tarred(mode, b"1\t2\t3\n" * 50)
    for at in range(10, len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1
        (tmp_path / "a.tar").write_bytes(damaged)
        with pytest.raises(UnreadableFile, match="it is not a whole archive"):
            extract(tmp_path / "a.tar", "u.data", tmp_path / "u.data")
    assert names(tmp_path) == ["a.tar"]


@pytest.mark.parametrize("mode", ["w:gz", "w:xz", "w:bz2"])
def test_a_packed_tar_that_ends_too_early_is_found(tmp_path: Path, mode: Mode) -> None:
    whole = tarred(mode, b"1\t2\t3\n" * 50)
    for size in range(0, len(whole), 7):
        (tmp_path / "a.tar").write_bytes(whole[:size])
        with pytest.raises(UnreadableFile, match="it is not a whole archive"):
            extract(tmp_path / "a.tar", "u.data", tmp_path / "u.data")


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [(6, 1, "encrypted"), (8, 99, "compression method")],
)
def test_a_zip_that_cannot_be_unpacked_is_told_in_a_sentence(
    tmp_path: Path, place: int, value: int, problem: str
) -> None:
    """Bit 0 of the flags says that a member is encrypted; the method is two bytes on."""
    packed = bytearray(zipped("u.data", CONTENT))
    packed[place] = value
    packed[packed.index(b"PK\x01\x02") + place + 2] = value
    (tmp_path / "a.zip").write_bytes(packed)
    with pytest.raises(UnreadableFile, match=rf"it cannot be unpacked \(.*{problem}"):
        extract(tmp_path / "a.zip", "u.data", tmp_path / "u.data")
    assert names(tmp_path) == ["a.zip"]
