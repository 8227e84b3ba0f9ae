"""A well-known data set by its name."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import (
    ChecksumMismatch,
    CranfieldError,
    DownloadError,
    MissingDataSet,
    MissingFile,
    OutputError,
    UnreachableDataSet,
    UnreadableFile,
)
from cranfield.base.files import digest_of, write_json
from cranfield.base.options import option, parameter
from cranfield.collection.datasets import DATA_SETS, DataSet, cache_folder, find_data_set
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.source import Source
from cranfield.collection.sources.file import File, Values

_ARCHIVES = (".zip", ".tar.gz")
_BLOCK = 1 << 20


@option("source", "dataset")
@dataclass(frozen=True, kw_only=True)
class Dataset(Source):
    """Reads a well-known data set by name, such as ml-1m, and downloads it if necessary.

    It is searched for in the folder ``$CRANFIELD_DATA``, then among earlier downloads
    (``$CRANFIELD_CACHE``, else ``~/.cache/cranfield``), under its name or an alias, as the
    publisher's files or as one converted; then fetched from the publisher and verified, if it
    sends files. ``cranfield datasets`` lists all, and says how the others are obtained.
    """

    set_: str = parameter(text="The data set, such as ml-100k or lastfm-hetrec.")
    duplicates: Duplicates = parameter(
        "auto",
        "What happens to repeated pairs; auto keeps the events of a log and refuses others.",
    )
    values: Values | None = parameter(
        None, "How rows are read (ratings, plays, events); none: as the data set requires."
    )
    columns: Mapping[str, str] | None = parameter(
        None, "Columns by role, where they differ from the data set's, as in {rating: known}."
    )

    def read(self) -> Ratings:
        """All ratings of the data set."""
        known = find_data_set(self.set_)
        if known is None:
            raise MissingFile(self.set_, known=DATA_SETS)
        paths = known.find() or (fetch(known),)
        given = dict(known.reading) if known.are_own(paths) else {}
        if self.values is not None:
            given["values"] = self.values
        if self.columns:
            given["columns"] = {**given.get("columns", {}), **self.columns}
        file = File(path=str(paths[0]), duplicates=self.duplicates, **given)
        return file.read() if len(paths) == 1 else file.read_files(paths, str(paths[0].parent))


def fetch(wanted: DataSet) -> Path:
    """Download a data set into the cache, its terms named first; the file of its ratings.

    A file for which nobody states a checksum is recorded at its first download, and later
    ones must be the same.
    """
    folder = cache_folder() / wanted.name
    target = folder / wanted.file_names[0]
    if wanted.url is None:
        raise _missing(wanted)
    sys.stderr.write(
        f"{wanted.title}: {wanted.url}\n  terms: {wanted.terms}\n  cite: {wanted.citation}\n"
    )
    record = cache_folder() / f"{wanted.name}.download.json"
    checksum, source = _expected(wanted, record)
    packed = wanted.url.endswith(_ARCHIVES)
    place = folder / wanted.url.rpartition("/")[2] if packed else target
    _fetch(wanted, place, checksum, source)
    facts = _facts(wanted.url, place) if checksum is None else None
    if packed:
        _unpack(place, wanted.files[0], target)
    if facts:
        _record(record, facts | {"rows": _rows(target)})
    return target


def _missing(wanted: DataSet) -> MissingDataSet:
    """What is said of a data set that only its publisher can give."""
    files = " and ".join(wanted.file_names)
    lacking = "".join(f"{folder} has no {files}. " for folder in wanted.places()[:1])
    place = str(cache_folder() / wanted.name / files)
    return MissingDataSet(wanted.name, wanted.home, place, lacking)


def _fetch(wanted: DataSet, place: Path, checksum: str | None, source: str) -> None:
    """Download a file, or say what else can be done."""
    from cranfield.collection.sources.download import download, verify  # HTTP, only if need be

    assert wanted.url is not None
    if place.exists():  # an archive that was not unpacked when a process was killed
        verify(wanted.url, place, checksum, source)
        return
    try:
        download(wanted.url, place, checksum, source)
    except ChecksumMismatch:
        raise
    except DownloadError as error:
        target = cache_folder() / wanted.name / wanted.file_names[0]
        raise UnreachableDataSet(wanted.name, error, str(target)) from None


def _facts(url: str, path: Path) -> dict[str, object]:
    """What is recorded of a file as it arrived."""
    return {"url": url, "bytes": path.stat().st_size, "sha256": digest_of(path)}


def _expected(wanted: DataSet, record: Path) -> tuple[str | None, str]:
    """The checksum that a download must have, and who states it; None at the first of some."""
    if wanted.checksum is not None:
        return wanted.checksum, wanted.checksum_source
    if not record.exists():
        return None, ""
    try:
        recorded = json.loads(record.read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        problem = "it is not the record of a download"
        raise UnreadableFile(str(record), problem, "Remove it.") from None
    remedy = f"recorded at the first download; remove {record} to take what is published now"
    return f"sha256:{recorded}", remedy


def _unpack(archive: Path, member: str, target: Path) -> None:
    """Take the ratings out of an archive, which is no longer needed then, whole or not."""
    try:
        from cranfield.collection.sources.archive import extract  # with all ways to unpack

        extract(archive, member, target)
    except OutputError:
        raise
    except CranfieldError:
        archive.unlink()
        raise
    archive.unlink()


def _record(record: Path, facts: Mapping[str, object]) -> None:
    write_json(record, facts)
    sys.stderr.write(
        f"  no checksum is published for it. Recorded in {record}: {facts['bytes']:,} bytes, "
        f"{facts['rows']:,} rows, SHA-256 {facts['sha256']}. Later downloads must be the same.\n"
    )


def _rows(path: Path) -> int:
    """The lines of a file, a header among them."""
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(partial(file.read, _BLOCK), b""))
