"""Headers of store entries that somebody forged, with the fingerprint to match."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

from cranfield.base.files import fingerprint

MAGIC = b"\x93CRANFD\n"
START = struct.Struct("<8sQ16s")
Header = dict[str, Any]
Change = Callable[[Header], object]


def split_file(content: bytes) -> tuple[Header, bytes]:
    _, length, _ = START.unpack(content[: START.size])
    end = START.size + length
    return json.loads(content[START.size : end]), content[end:]


def joined(text: str | bytes, body: bytes) -> bytes:
    """A file whose fingerprint is that of its header."""
    header = text.encode() if isinstance(text, str) else text
    header += b" " * (-(START.size + len(header)) % 64)
    return START.pack(MAGIC, len(header), bytes.fromhex(fingerprint(header))) + header + body


def set_part(place: int, value: Any) -> Change:
    return lambda header: header["arrays"][0].__setitem__(place, value)


def without(name: str) -> Change:
    return lambda header: header.pop(name)


def set_name(name: str, value: Any) -> Change:
    return lambda header: header.__setitem__(name, value)


ANYTHING: list[Any] = [None, True, -1, 0.5, 1e400, "x", [3], [[]], {"a": 1}, 2**63, -(2**70)]
FITTING = {"inputs": dict, "facts": dict, "kind": None, "arrays": None, "size": None}
NAMES = [*FITTING, "checksum"]

FORGED: dict[str, Change] = {
    **{
        f"{name} = {value!r}": set_name(name, value)
        for name in NAMES
        for value in ANYTHING
        if type(value) is not FITTING.get(name)
    },
    **{f"no {name}": without(name) for name in NAMES},
    **{f"offset {value}": set_part(3, value) for value in (-64, 1, 128, 10**30, "0", None, 0.0)},
    **{
        f"shape {value}": set_part(2, value)
        for value in (
            [-3], [3.0], ["3"], [True], [[3]], [10**18], [2**62, 4], [2**32, 2**32], 3, None,
            [2**63, 0], [1] * 70, [10**30], [100],
        )
    },
    **{
        f"type {value!r}"[:40]: set_part(1, value)
        for value in (
            "O", "|O8", "|V4", "<i4,<i4", "", "int32", "i4", "<i3", "<f1", "<i99999999",
            "<U999999999", "<i4\n", "{'names': ['a'], 'formats': ['O']}", "<M8[xx]", 4, None,
            ["<i4"], "(2,)<i4", "<i4" * 1000,
        )
    },
    **{f"name {value}": set_part(0, value) for value in (3, None, ["ranks"], "values")},
    "too few parts": lambda header: header["arrays"][0].pop(),
    "too many parts": lambda header: header["arrays"][0].append(1),
    "one more name": set_name("pickle", "gASV"),
}  # fmt: skip

FALSE_BUT_WELL_FORMED = {"offset 128", "shape [100]"}
"""What is damage in a small entry alone: a large one has such places and shapes."""
