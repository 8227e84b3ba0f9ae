"""The first blocks of a Zstandard stream as a stream of their own.

A block unpacks to at most 128 KiB, so some blocks are a look at the start of a file that
takes little memory, whatever the file unpacks to. The layout of frames and blocks is that
of RFC 8878, section 3.1.1.
"""

from __future__ import annotations

from typing import IO

MAGIC = b"\x28\xb5\x2f\xfd"
_RLE = 1
_LARGEST_WINDOW = 17 << 3
"""The descriptor of a window of 128 MiB, the most that decoders accept unasked."""
_DICTIONARY_BYTES = (0, 1, 2, 4)


def first_blocks(file: IO[bytes], most: int) -> bytes:
    """At most so many blocks, frame by frame; the last frame is closed behind the last block."""
    made, left = b"", most
    while left and file.read(len(MAGIC)) == MAGIC:
        descriptor = (file.read(1) or b"\0")[0]
        single, checksum = bool(descriptor & 0x20), bool(descriptor & 0x04)
        window = b"" if single else file.read(1)
        dictionary = file.read(_DICTIONARY_BYTES[descriptor & 3])
        file.read((1 if single else 0, 2, 4, 8)[descriptor >> 6])  # the size, which will differ
        head = MAGIC + bytes([descriptor & 3]) + (window or bytes([_LARGEST_WINDOW])) + dictionary
        blocks, ended = _blocks(file, left)
        left -= len(blocks)
        made += head + b"".join(blocks)
        if not ended:
            break
        file.read(4 if checksum else 0)
    return made


def _blocks(file: IO[bytes], most: int) -> tuple[list[bytes], bool]:
    """Blocks up to the last of the frame or the last wanted, which is marked as the last."""
    blocks: list[bytes] = []
    while len(blocks) < most and len(head := file.read(3)) == 3:
        number = int.from_bytes(head, "little")
        size = 1 if (number >> 1) & 3 == _RLE else number >> 3
        last = bool(number & 1) or len(blocks) + 1 == most
        blocks.append((number | last).to_bytes(3, "little") + file.read(size))
        if number & 1:
            return blocks, True
    return blocks, False
