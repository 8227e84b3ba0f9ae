"""Messages to workers: pickled objects, with the bytes of their arrays beside.

Arrays are neither copied into the pickle nor out of it: a file of a message is mapped into
memory, so that all processes of a machine share one copy. Only a driver and the workers that it
has started exchange messages; nothing is unpickled that came from elsewhere.
"""

from __future__ import annotations

import io
import mmap
import pickle
import struct
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from cranfield.base.dataclass import dataclass

_ALIGNMENT = 64
_LENGTH = struct.Struct("<Q")

Buffer = Any
"""The bytes of an array: whatever gives them by the buffer protocol."""


@dataclass(frozen=True, eq=False)
class Message:
    """An object taken apart: ``head`` is its pickle, ``parts`` the bytes of its arrays.

    ``writable`` says of each part whether its array could be written.
    """

    head: bytes
    parts: Sequence[Buffer] = ()
    writable: tuple[bool, ...] = ()

    @property
    def size(self) -> int:
        """The bytes of all of it."""
        return len(self.head) + sum(memoryview(part).nbytes for part in self.parts)


def pack(thing: Any, pickler: Callable[..., Any] = pickle.Pickler) -> Message:
    """Take an object apart; by another library's ``pickler``, if it is to send code too."""
    found: list[pickle.PickleBuffer] = []
    file = io.BytesIO()
    pickler(file, protocol=5, buffer_callback=found.append).dump(thing)
    parts = [each.raw() for each in found]
    return Message(file.getvalue(), parts, tuple(not part.readonly for part in parts))


def pickled(thing: Any, pickler: Callable[..., Any] = pickle.Pickler) -> bytes:
    """An object in one piece."""
    file = io.BytesIO()
    pickler(file, protocol=5).dump(thing)
    return file.getvalue()


def unpack(message: Message) -> Any:
    """The object; an array that could be written can be, and is copied if its part cannot."""
    parts = [
        bytearray(part) if writable and memoryview(part).readonly else part
        for part, writable in zip(message.parts, message.writable, strict=True)
    ]
    return pickle.loads(message.head, buffers=parts)  # noqa: S301  (of our own processes)


def write_message(path: Path, message: Message) -> None:
    """Write a message to a file, each part at a multiple of 64 bytes."""
    sizes = [memoryview(part).nbytes for part in message.parts]
    head = pickle.dumps((message.head, sizes, message.writable))
    with path.open("wb") as file:
        _write_aligned(file, [_LENGTH.pack(len(head)) + head, *message.parts])


def _write_aligned(file: IO[bytes], pieces: Iterable[Buffer]) -> None:
    for piece in pieces:
        file.write(piece)
        file.write(bytes(-file.tell() % _ALIGNMENT))


def read_message(path: Path) -> Message:
    """A message of a file; what is written to its arrays stays in this process."""
    with path.open("rb") as file:
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    length = _LENGTH.unpack(whole[: _LENGTH.size])[0]
    end = _LENGTH.size + length
    head, sizes, writable = pickle.loads(whole[_LENGTH.size : end])  # noqa: S301
    parts = []
    for size in sizes:
        start = -(-end // _ALIGNMENT) * _ALIGNMENT
        end = start + size
        parts.append(whole[start:end])
    return Message(head, parts, writable)
