"""Plain text read ahead: by another thread, while the program loads what it will do with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cranfield.base.threads import Ahead
from cranfield.collection.text.layout import TextLayout
from cranfield.collection.text.plain_columns import PlainColumns, read_plain

_begun: dict[Path, tuple[TextLayout, Ahead[Path, PlainColumns | None]]] = {}
"""The files that are read ahead and not yet asked for."""


@contextmanager
def reading_ahead(files: Mapping[Path, TextLayout]) -> Iterator[None]:
    """Read files of known layouts, one after the other, until they are asked for or the block ends.

    Nothing else changes: what was not read ahead, or not so, is read when it is asked for.
    """
    work = Ahead(lambda path: read_plain(path, files[path]), files)
    _begun.update({path: (layout, work) for path, layout in files.items()})
    try:
        yield
    finally:
        work.leave()
        for path in files:
            _begun.pop(path, None)


def take_columns(path: Path, layout: TextLayout) -> PlainColumns | None:
    """The columns of a file, to be used once; None unless it was read ahead by this layout."""
    if path not in _begun or _begun[path][0] != layout:
        return None
    return _begun.pop(path)[1].result(path)
