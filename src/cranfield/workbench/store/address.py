"""Addresses of stores on object storage, such as s3://bucket/prefix, as fsspec reads them.

A password in an address is for fsspec alone: what is shown, recorded or named by the address
goes without it.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from urllib.parse import unquote

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadStore, MissingLibrary, OutputError, near, shown
from cranfield.base.files import fingerprint

STORE_VARIABLE = "CRANFIELD_STORE"

_USER = r"(?:(?P<user>[^/]*|[^/:@]*:(?!\d+/).*)@)?"
"""Who is before the @, with a password after a colon, in which somebody may have left a slash."""
_FORM = re.compile(rf"(?P<scheme>[a-z][a-z0-9+.-]+)://{_USER}(?P<place>.*)", re.I)
_CUT = re.compile(r"(s3a?|gcs|gs|az|abfss?|memory|file):/?([^/].*)", re.I)
"""An address without one or both of its slashes, as `Path` leaves it."""
_DRIVE = re.compile(r"[a-z]:", re.I)
_ODD = re.compile(r"[?#*\[\]\0\n]")
"""What begins a query or a fragment, and what a pattern is made of."""
_AMAZON = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE."
_GOOGLE = "Set GOOGLE_APPLICATION_CREDENTIALS."
_AZURE = "Set AZURE_STORAGE_CONNECTION_STRING."
_REMEDIES = {
    "s3": _AMAZON, "s3a": _AMAZON, "gs": _GOOGLE, "gcs": _GOOGLE,
    "az": _AZURE, "abfs": _AZURE, "abfss": _AZURE,
}  # fmt: skip
"""The schemes of object storage, and what to do where credentials are missing."""
_EXAMPLE = "Give one such as s3://bucket/prefix."
_EXTRA = "cranfield[cloud]"


@dataclass(frozen=True)
class Address:
    """Where a store is: ``text`` is for fsspec, ``shown`` goes without a password."""

    text: str = field(repr=False)
    shown: str
    scheme: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def hidden(self, said: str) -> str:
        """What a library says, in one line and without the password."""
        said = said.replace(self.text, self.shown)
        for each in self.secrets:
            said = said.replace(each, "…")
        return " ".join(said.split()).removesuffix(".")

    @property
    def is_object_storage(self) -> bool:
        """Whether a file there is whole as soon as it is there at all."""
        return self.scheme in _REMEDIES

    @property
    def remedy(self) -> str:
        """What to do where credentials are missing."""
        return _REMEDIES.get(self.scheme, f"Set those that fsspec expects for {self.scheme}.")

    @property
    def folder(self) -> Path:
        """Where the local copies are."""
        return caches() / "buckets" / fingerprint("bucket", self.shown)


def default_folder() -> Path | str:
    """``$CRANFIELD_STORE``, else ``cranfield/store`` in the user's folder of caches; an address
    as text.
    """
    given = os.environ.get(STORE_VARIABLE)
    if given:
        return Path(given) if read_address(given) is None else given
    return caches() / "store"


def caches() -> Path:
    """Cranfield's part of the user's folder of caches."""
    given = os.environ.get("XDG_CACHE_HOME")
    return (Path(given) if given else Path.home() / ".cache") / "cranfield"


def read_address(place: Path | str) -> Address | None:
    """The address of a store; None for a folder.

    >>> read_address("s3://lab/runs/").shown, read_address("sftp://kim:secret@host/runs").shown
    ('s3://lab/runs', 'sftp://host/runs')
    >>> read_address("results/store")
    """
    text = os.fspath(place)
    if cut := _CUT.fullmatch(text):
        right = f'Give it as a text: "{_after_user(f"{cut[1]}://{cut[2]}")}".'
        raise BadStore(_after_user(text), "an address has two slashes", right)
    if "://" not in text or _DRIVE.match(text):
        return None
    found = _FORM.fullmatch(text)
    if found is None:
        raise BadStore(_after_user(text), "this is no address", _EXAMPLE)
    scheme, user, where = found["scheme"].lower(), found["user"] or "", found["place"]
    secrets = {user, user.partition(":")[2]} - {""} if ":" in user else set[str]()
    named = f"{user}@{where}" if user else where
    made = Address(
        f"{scheme}://{named}",
        _trimmed(f"{scheme}://{where if secrets else named}"),
        scheme,
        tuple(sorted({*secrets, *map(unquote, secrets)}, key=len, reverse=True)),
    )
    if "/" in user:
        right = "In a password, write %2F for a slash."
        raise BadStore(made.shown, "what is before the @ has a slash", right)
    _refuse_odd(made, where)
    return made


def place_text(place: Path | str) -> str:
    """A place of a store as it is shown: a folder as it is, an address without its password."""
    address = read_address(place)
    return str(place) if address is None else address.shown


def refuse_unusable(address: Address) -> None:
    """Refuse an address that fsspec does not know, or whose library is not installed."""
    feature = f"a store at {address.shown}"
    try:
        from fsspec.registry import get_filesystem_class, known_implementations
    except ImportError:
        raise MissingLibrary(feature, _EXTRA) from None
    try:
        get_filesystem_class(address.scheme)
    except ValueError:
        problem = f'fsspec knows no addresses of "{address.scheme}"'
        hint = near(address.scheme, known_implementations)
        raise BadStore(address.shown, problem, f"{_EXAMPLE}{hint}") from None
    except ImportError as error:
        library = known_implementations[address.scheme]["class"].partition(".")[0]
        if library == "fsspec":  # which itself says what of another library is missing
            raise BadStore(address.shown, str(error).removesuffix("."), "Install it.") from None
        raise MissingLibrary(feature, _EXTRA if library == "s3fs" else library) from None


def _trimmed(text: str) -> str:
    """An address without slashes at its end, but with those of its scheme."""
    scheme, _, place = text.partition("://")
    return f"{scheme}://{place.rstrip('/') or place[:1]}"


def _after_user(text: str) -> str:
    """A text without what may be a password."""
    return re.sub(r"(:/*).*@", r"\1", text)


def _refuse_odd(address: Address, where: str) -> None:
    """Refuse what would be read as something else than the place of a store."""
    if odd := _ODD.search(where):
        problem = f"{shown(odd[0])} has no place in the address of a store"
        raise BadStore(address.shown, problem, _EXAMPLE)
    if not address.is_object_storage:
        return
    if address.secrets:
        raise BadStore(address.shown, "keys do not belong in this address", address.remedy)
    if not where.partition("/")[0]:
        right = f"Give one such as {address.scheme}://bucket/prefix."
        raise BadStore(address.shown, "it names no bucket", right)


def refuse_file(folder: Path) -> None:
    """A file where the folder or one above it should be is a mistake to be reported at once."""
    for place in (folder, *folder.absolute().parents):
        with suppress(OSError):
            if place.exists() and not place.is_dir():
                raise OutputError(str(folder), f"{place} is a file, not a folder")
