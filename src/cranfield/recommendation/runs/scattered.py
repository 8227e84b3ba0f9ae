"""Runs whose users are scattered over their files: sorted by user once, within bounded memory.

To read the rows of some users, a reader passes over the parts of a file that hold none of
them. Where every part holds rows of most users it cannot, and would read all parts for each
block of users. Then the rows are copied to temporary files first, each with those of a range
of users, in the order that they have.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from shutil import rmtree
from weakref import finalize

import numpy as np
import numpy.typing as npt
import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnreadableFile
from cranfield.base.files import temporary_folder
from cranfield.base.ids import Ids
from cranfield.base.progress import track
from cranfield.base.ragged import offsets_of

Counts = npt.NDArray[np.int64]

_ROWS_OF_PART = 16_000_000
"""Rows of the users whose rows share temporary files, at most, unless one user has more."""
_ROWS_AT_ONCE = 4_000_000
"""Rows that are held while they are copied."""
_CHUNK = 100_000
"""Rows that a reader takes or leaves together."""
_SPREAD = 4
"""How often all rows may be read, block of users by block, before sorting them pays."""


@dataclass(frozen=True, eq=False)
class SortedRows:
    """The rows of a run in temporary files, which go when this object goes.

    Part p has the rows of ``users[starts[p]]`` and those after, before the next part's.
    """

    users: Ids
    starts: Counts
    folder: Path

    def between(self, first: object, last: object) -> pl.LazyFrame:
        """The rows of a range of users, given by their ids, and some others."""
        ends = self.users.encode(pl.Series([first, last]))
        low, high = (np.searchsorted(self.starts, ends, side="right") - 1).tolist()
        files = [path for part in range(low, high + 1) for path in self._files[part]]
        return pl.scan_parquet(files, glob=False)

    @cached_property
    def _files(self) -> list[list[Path]]:
        """The files of each part, in the order of the rows."""
        return [sorted(self.folder.glob(f"{part}-*.parquet")) for part in range(len(self.starts))]


def is_scattered(rows: pl.LazyFrame, user: str, users: Ids, counts: Counts, most: int) -> bool:
    """Whether to read blocks of ``most`` rows of consecutive users means to read all rows often.

    ``counts`` are the rows of each user.
    """
    chunks = rows.select(pl.col(user).alias("user")).with_row_index("row", offset=0)
    by_chunk = chunks.group_by(pl.col("row") // _CHUNK)
    ends = by_chunk.agg(low=pl.col("user").min(), high=pl.col("user").max())
    found = ends.collect(engine="streaming")
    blocks = offsets_of(counts)[:-1] // most
    low, high = (blocks[users.encode(found[name])] for name in ("low", "high"))
    return float(np.mean(high - low + 1)) > _SPREAD


def sort_rows(rows: pl.LazyFrame, user: str, users: Ids, counts: Counts, system: str) -> SortedRows:
    """The rows of a run in temporary files by ranges of users, each in the order it had.

    They are where ``$TMPDIR`` says, and take about as much space as the run.
    """
    parts = offsets_of(counts)[:-1] // _ROWS_OF_PART
    starts = np.flatnonzero(np.diff(parts, prepend=-1))
    made = SortedRows(users, starts, temporary_folder())
    remove = finalize(made, rmtree, made.folder, ignore_errors=True)
    batches = -(-int(counts.sum()) // _ROWS_AT_ONCE)
    try:
        copied = _copied(rows, user, made)
        for _ in track(copied, f"sorting {system} by user", batches):
            pass
    except (OSError, PolarsError) as error:
        remove()
        problem = f"its rows cannot be sorted by user in {made.folder.parent} ({error})"
        remedy = "Set $TMPDIR to a folder with as much free space as the run needs."
        raise UnreadableFile(system, problem, remedy) from None
    return made


def _copied(rows: pl.LazyFrame, user: str, into: SortedRows) -> Iterator[int]:
    """Copy rows, some at a time, to the files of their parts; how many they were."""
    batches = rows.collect_batches(
        chunk_size=_ROWS_AT_ONCE, maintain_order=True, engine="streaming"
    )
    for number, batch in enumerate(batches):
        part = np.searchsorted(into.starts, into.users.encode(batch[user]), side="right") - 1
        order = np.argsort(part, kind="stable")
        ends = np.searchsorted(part[order], np.arange(len(into.starts) + 1)).tolist()
        ordered = batch[order]
        for at, (start, stop) in enumerate(pairwise(ends)):
            if start < stop:
                path = into.folder / f"{at}-{number:08}.parquet"
                ordered[start:stop].write_parquet(path, compression="lz4", statistics=False)
        yield len(batch)
