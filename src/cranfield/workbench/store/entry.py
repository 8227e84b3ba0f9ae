"""One entry of the store as one file: a checked header, then the bytes of the arrays.

    magic            8 bytes
    header length    8 bytes, little-endian
    fingerprint     16 bytes, of the header
    header           JSON, filled up with spaces: kind, inputs, facts, arrays, size, checksum
    body             the arrays one after the other, each at a multiple of 64 bytes

The header is held to by its fingerprint and the body by a CRC-32 in the header. A CRC
tells every flipped bit and keeps pace with reading, where a cryptographic digest would
take several times as long. Neither tells who wrote an entry: whoever forges one can make
both match. So a header is believed only as far as its arrays lie within the body, and an
entry holds nothing that could be run.
"""

from __future__ import annotations

import json
import math
import os
import re
import secrets
import stat
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint

LAYOUT = 2
"""The number of this layout; part of every key, so that another layout has other files."""

ENTRY_NAME = re.compile(r"([0-9a-f]{32})\.entry")
ASIDE_NAME = re.compile(r"\.([0-9a-f]{32})\.[0-9a-f]{8}\.part")

_MAGIC = b"\x93CRANFD\n"
_START = struct.Struct("<8sQ16s")
_ALIGNMENT = 64
_PLAIN_TYPES = "biufcmMSU"
"""NumPy's kinds of types whose bytes are their values."""
_TRIES = 3
_LONGEST_HEADER = 1 << 30
_TYPE = re.compile(r"[<>|][biufcmMSU][0-9]{1,9}(\[[0-9]{0,9}[A-Za-z]{1,2}\])?")
_MOST_AXES = 32


class Damaged(Exception):
    """An entry that is not what was written; the text says what is wrong with it."""


class Unreadable(Exception):
    """An entry that may be whole, but cannot be read here; the text says why."""


@dataclass(frozen=True, eq=False)
class Entry:
    """What a stage made: named arrays, and facts that JSON can hold.

    Arrays are read-only, and facts are as JSON gives them back (lists for tuples, text
    for keys), so that nobody can tell an entry that was read from one just made.
    """

    arrays: Mapping[str, npt.NDArray[Any]]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        arrays = {name: _read_only(name, array) for name, array in self.arrays.items()}
        object.__setattr__(self, "arrays", arrays)
        object.__setattr__(self, "facts", json.loads(json.dumps(dict(self.facts))))


def canonical(inputs: Mapping[str, Any]) -> str:
    """The one JSON text of these inputs, whatever the order of their names.

    >>> canonical({"seed": 1, "data": "ab"})
    '{"data":"ab","seed":1}'
    """
    return json.dumps(dict(inputs), sort_keys=True, separators=(",", ":"))


def aside_name(name: str) -> str:
    """A name, matched by `ASIDE_NAME`, for the file of an entry that is not whole yet."""
    return f".{name.removesuffix('.entry')}.{secrets.token_hex(4)}.part"


def write_entry(path: Path, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
    """Write an entry aside, bring it to the disk, and give it its name in one step."""
    aside = path.with_name(aside_name(path.name))
    try:
        with _create(aside) as file:
            for piece in _pieces(kind, inputs, entry):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def read_entry(path: Path, kind: str, inputs: Mapping[str, Any] | None = None) -> Entry:
    """The entry in a file, every byte of it checked.

    ``Damaged`` says what is wrong, also if the entry was made from other inputs than
    these; ``Unreadable`` if that cannot be told; ``FileNotFoundError`` if there is none.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
            raise Damaged("it is no file")
        with path.open("rb") as file:
            return _read_open(file, kind, inputs)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error
    except MemoryError as error:
        raise Unreadable("it does not fit into memory") from error
    except RecursionError as error:  # JSON may be read that cannot be written again
        raise Damaged("its header is nested too deeply") from error


def _read_open(file: IO[bytes], kind: str, inputs: Mapping[str, Any] | None) -> Entry:
    """The entry in an open file."""
    header = _read_header(file)
    places = _places(header)
    body = _read_body(file, header["size"], header["checksum"])
    if header["kind"] != kind:
        raise Damaged(f"it is of the kind {header['kind'][:40]}")
    if inputs is not None and canonical(header["inputs"]) != canonical(inputs):
        raise Damaged("it was made from other inputs")
    arrays = {
        name: np.ndarray(place.shape, place.dtype, buffer=body.data, offset=place.offset)
        for name, place in places.items()
    }
    return Entry(arrays, header["facts"])


def _read_only(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in C order, not to be written through this view."""
    plain = np.asarray(array, order="C")
    if plain.dtype.kind not in _PLAIN_TYPES:
        raise TypeError(f"array {name!r}: {plain.dtype} has no bytes that could be stored")
    view = plain.view()
    view.flags.writeable = False
    return view


def _create(aside: Path) -> IO[bytes]:
    """A new file; its folder is created anew if pruning has just removed it."""
    for _ in range(_TRIES):
        aside.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            return aside.open("xb")
    raise FileNotFoundError(2, os.strerror(2), str(aside))


def _pieces(kind: str, inputs: Mapping[str, Any], entry: Entry) -> Iterator[bytes | memoryview]:
    """The bytes of an entry's file, in order; arrays are not copied."""
    body: list[bytes | memoryview] = []
    places: list[tuple[str, str, tuple[int, ...], int]] = []
    size = checksum = 0
    for name, array in entry.arrays.items():
        places.append((name, array.dtype.str, array.shape, size))
        data = array.reshape(-1).view(np.uint8).data if array.nbytes else memoryview(b"")
        for piece in (data, bytes(-len(data) % _ALIGNMENT)):
            body.append(piece)
            checksum = zlib.crc32(piece, checksum)
            size += len(piece)
    header = {
        "kind": kind,
        "inputs": dict(inputs),
        "facts": entry.facts,
        "arrays": places,
        "size": size,
        "checksum": checksum,
    }
    text = json.dumps(header).encode()
    text += b" " * (-(_START.size + len(text)) % _ALIGNMENT)
    yield _START.pack(_MAGIC, len(text), bytes.fromhex(fingerprint(text)))
    yield text
    yield from body


def _read_header(file: IO[bytes]) -> dict[str, Any]:
    """The header, and the file left at the start of the body."""
    start = file.read(_START.size)
    if len(start) < _START.size:
        raise Damaged("it is cut short")
    magic, length, expected = _START.unpack(start)
    if magic != _MAGIC:
        raise Damaged("it does not begin as an entry does")
    if length > min(os.fstat(file.fileno()).st_size - _START.size, _LONGEST_HEADER):
        raise Damaged("it is cut short")
    text = file.read(length)
    if bytes.fromhex(fingerprint(text)) != expected:
        raise Damaged("its header does not match its fingerprint")
    try:
        header = json.loads(text)
    except ValueError as error:
        raise Damaged("its header is no JSON") from error
    if not isinstance(header, dict) or {**_HEADER, **header}.keys() != _HEADER.keys():
        raise Damaged("its header is not that of an entry")
    for name, kind in _HEADER.items():
        if type(header.get(name)) is not kind:
            raise Damaged(f"its header has no {name}")
    return header


_HEADER = {
    "kind": str, "inputs": dict, "facts": dict, "arrays": list, "size": int, "checksum": int,
}  # fmt: skip


class _Place(NamedTuple):
    """Where an array lies in the body, and what it is."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int


def _places(header: Mapping[str, Any]) -> dict[str, _Place]:
    """The places of the arrays, all within the body and under names of their own."""
    places: dict[str, _Place] = {}
    for each in header["arrays"]:
        match each:
            case [str(name), str(text), list(shape), int(offset)] if name not in places:
                places[name] = _place(text, shape, offset, header["size"])
            case _:
                raise Damaged("its header does not say where its arrays are")
    return places


def _place(text: str, shape: list[Any], offset: int, size: int) -> _Place:
    try:
        dtype = np.dtype(text) if _TYPE.fullmatch(text) else None
    except (TypeError, ValueError, OverflowError):
        dtype = None
    # Some versions of NumPy take a length that is too large, and make one below 0 of it.
    if dtype is None or dtype.str != text:
        raise Damaged("its header names a type that no array of an entry has")
    plain = all(type(length) is int and 0 <= length < 1 << 62 for length in shape)
    if not plain or len(shape) > _MOST_AXES:
        raise Damaged("its header gives an array a shape that there is not")
    # As Python's integers, which do not overflow.
    if offset < 0 or offset % _ALIGNMENT or offset + dtype.itemsize * math.prod(shape) > size:
        raise Damaged("its header places an array outside of the file")
    return _Place(dtype, tuple(shape), offset)


def _read_body(file: IO[bytes], size: int, checksum: int) -> npt.NDArray[np.uint8]:
    """The bytes of all arrays, in memory that is aligned as they are in the file."""
    found = os.fstat(file.fileno()).st_size - file.tell()
    if found != size:
        raise Damaged(f"its arrays take {found:,} bytes instead of {size:,}")
    room = np.empty(size + _ALIGNMENT, dtype=np.uint8)
    first = -room.ctypes.data % _ALIGNMENT
    body = room[first : first + size]
    if file.readinto(body.data) != size:  # type: ignore[attr-defined]
        raise Damaged("it is cut short")
    if zlib.crc32(body.data) != checksum:
        raise Damaged("its arrays do not match their checksum")
    return body
