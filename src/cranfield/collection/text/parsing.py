"""Plain text files read by compiled loops in one pass, their ids numbered on the way."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ids import Coded, Ids, encode_ids
from cranfield.base.kernels.ids import renumber
from cranfield.base.packed import reading
from cranfield.base.schema import SYSTEM
from cranfield.base.text_ids import ids_from_text, integers_of
from cranfield.base.threads import in_threads
from cranfield.collection.kernels import plain_text
from cranfield.collection.text.ahead import take_columns
from cranfield.collection.text.layout import TextLayout
from cranfield.collection.text.plain_columns import (
    ID_ROLES,
    NUMBER_COLUMNS,
    Floats,
    Names,
    PlainColumns,
    read_plain,
)

_WORD, _NEWLINE = 8, ord("\n")


class Parsed(NamedTuple):
    """The columns of a plain text file by their roles."""

    ids: dict[str, Coded]
    numbers: dict[str, Floats]

    def frame(self, layout: TextLayout) -> pl.DataFrame:
        """The numbers as a table, under the names that their columns have."""
        return pl.DataFrame({layout.roles[role]: values for role, values in self.numbers.items()})


def parse(path: Path, layout: TextLayout) -> Parsed | None:
    """The columns of a file, as Polars would read them; None if it has to look itself."""
    with reading(path):
        read = take_columns(path, layout) or read_plain(path, layout)
    return None if read is None else _joined(read)


def _joined(read: PlainColumns) -> Parsed:
    """The columns that play a role, ids numbered in their order and not part by part."""
    roles = read.layout.roles
    ids, changes = {}, []
    for k, role in enumerate(ID_ROLES):
        if role in roles:
            own = [each[k] for each in read.names]
            distinct, places = _numbered(own, role)
            ends = np.cumsum([len(each.keys) for each in own])[:-1]
            for rows, mine in zip(read.rows, np.split(places, ends), strict=True):
                if not np.array_equal(mine, np.arange(len(mine))):
                    changes.append((read.codes[k][rows], mine))
            ids[role] = Coded(distinct, read.codes[k])
    for _ in in_threads(lambda change: renumber(*change), changes):
        pass
    numbers = {role: read.numbers[k] for role, k in NUMBER_COLUMNS.items() if role in roles}
    return Parsed(ids, numbers)


def _numbered(names: list[Names], role: str) -> Coded:
    """The distinct ids of all parts, and for each name of each part its place among them."""
    keys = np.concatenate([each.keys for each in names])
    if (keys < plain_text.LONG).all():  # they are the ids themselves, their first byte lowest
        numbers = None if role == SYSTEM else integers_of(keys)
        if numbers is not None:
            return encode_ids(pl.Series(numbers))
        found, places = np.unique(keys.byteswap(), return_inverse=True)
        return Coded(Ids(_texts(_as_lines(found.byteswap()))), places.astype(np.int32))
    texts = _texts(b"".join(each.text for each in names))
    return encode_ids(texts if role == SYSTEM else ids_from_text(texts))


def _texts(lines: bytes) -> pl.Series:
    return pl.Series(lines.decode().split("\n")[:-1], dtype=pl.String)


def _as_lines(words: npt.NDArray[np.uint64]) -> bytes:
    """Ids of up to eight bytes as lines."""
    cells = np.full((len(words), _WORD + 1), _NEWLINE, np.uint8)
    cells[:, :_WORD] = words.view(np.uint8).reshape(-1, _WORD)
    return cells[cells > 0].tobytes()
