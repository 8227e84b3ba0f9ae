"""A well-known data set by its name."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from cranfield.base.errors import MissingDataSet, MissingFile
from cranfield.base.options import option, parameter
from cranfield.collection.datasets import DATA_SETS, DataSet, cache_folder, find_data_set
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.source import Source
from cranfield.collection.sources.download import download, extract
from cranfield.collection.sources.file import File, Values

_ARCHIVES = (".zip", ".tar.gz")


@option("source", "dataset")
@dataclass(frozen=True, kw_only=True)
class Dataset(Source):
    """Reads a well-known data set by name, such as ml-1m, downloading it if need be.

    It is looked for in the folder ``$CRANFIELD_DATA``, then among earlier downloads
    (``$CRANFIELD_CACHE``, else ``~/.cache/cranfield``), under its name or an alias; then
    fetched from the publisher and verified.
    """

    set_: str = parameter(text="The data set, such as ml-100k or lastfm-hetrec.")
    duplicates: Duplicates = parameter("refuse", "What is kept of pairs that occur repeatedly.")
    values: Values | None = parameter(
        None, "How rows are read (ratings, plays, events); none is as the data set needs it."
    )

    def read(self) -> Ratings:
        """All ratings of the data set."""
        known = find_data_set(self.set_)
        if known is None:
            raise MissingFile(self.set_, known=DATA_SETS)
        path = known.find() or fetch(known)
        given = dict(known.reading) if known.is_own_file(path) else {}
        if self.values is not None:
            given["values"] = self.values
        return File(path=str(path), duplicates=self.duplicates, **given).read()


def fetch(wanted: DataSet) -> Path:
    """Download a data set into the cache, its terms named first; the file of its ratings."""
    folder = cache_folder() / wanted.name
    if wanted.url is None:
        raise MissingDataSet(wanted.name, wanted.home, str(folder / wanted.file_name))
    sys.stderr.write(
        f"{wanted.title}: {wanted.url}\n  terms: {wanted.terms}\n  cite: {wanted.citation}\n"
    )
    target = folder / wanted.file_name
    if not wanted.url.endswith(_ARCHIVES):
        return download(wanted.url, target, wanted.checksum)
    archive = folder / wanted.url.rpartition("/")[2]
    if not archive.exists():
        download(wanted.url, archive, wanted.checksum)
    extract(archive, wanted.member, target)
    archive.unlink()
    return target
