"""Addresses of stores: what is one, what is refused, and that no password is shown."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from bucket_cases import Machine, bucket, machine
from cranfield.base.errors import BadStore, MissingLibrary
from cranfield.workbench.api import run
from cranfield.workbench.cli.main import main
from cranfield.workbench.store.address import place_text, read_address
from cranfield.workbench.store.store import Store
from experiment_cases import file_of, table_of

__all__ = ["bucket", "machine"]

SECRET = "ftp://kim:s3%2Fcret@127.0.0.1:9/runs"  # where nobody answers


@pytest.mark.parametrize(
    "folder", ["store", "/a/b", "C:/store", "C://store", "a:b", "s3", Path("x")]
)
def test_a_folder_is_no_address(folder: Path | str) -> None:
    assert read_address(folder) is None
    assert place_text(folder) == str(folder)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("://bucket", '://bucket: this is no address. Give one such as s3://bucket/prefix.'),
        ("1://x", "1://x: this is no address. Give one such as s3://bucket/prefix."),
        ("simplecache::s3://lab", "simplecache::s3://lab: this is no address. Give one such as"),
        ("s3:/lab/x", 's3:/lab/x: an address has two slashes. Give it as a text: "s3://lab/x".'),
        (Path("s3://lab/x"), "s3:/lab/x: an address has two slashes."),
        ("s3:lab", 's3:lab: an address has two slashes. Give it as a text: "s3://lab".'),
        ("s3://", "s3://: it names no bucket. Give one such as s3://bucket/prefix."),
        ("gs:///x", "gs:///x: it names no bucket. Give one such as gs://bucket/prefix."),
        ("s3://lab/*", 's3://lab/*: "*" has no place in the address of a store.'),
        ("s3://lab/x?y=1", 's3://lab/x?y=1: "?" has no place in the address of a store.'),
        ("s3://key:s3cret@lab/x", "s3://lab/x: keys do not belong in this address. Set AWS_ACC"),
        ("s3:/key:s3cret@lab", 's3:/lab: an address has two slashes. Give it as a text: "s3://lab".'),
        ("simplecache::s3://key:s3cret@lab", "simplecache:lab: this is no address."),
        ("ftp://kim:s3cret/x@host/y", "ftp://host/y: what is before the @ has a slash. In a"),
        ("memry://x", 'memry://x: fsspec knows no addresses of "memry". Give one such as s3://b'),
    ],
)  # fmt: skip
def test_what_is_no_place_for_a_store_is_refused(given: Path | str, said: str) -> None:
    with pytest.raises(BadStore) as refused:
        Store(given)
    assert str(refused.value).startswith(said)
    assert ('Did you mean "memory"?' in str(refused.value)) == (given == "memry://x")
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("S3://Lab/Runs//", "s3://Lab/Runs"),
        ("s3://lab/x:y@z", "s3://lab/x:y@z"),
        (
            "abfs://files@account.dfs.core.windows.net/a",
            "abfs://files@account.dfs.core.windows.net/a",
        ),
        ("sftp://kim@host:22/a@b", "sftp://kim@host:22/a@b"),
        ("sftp://kim:s3cret@host:22/a@b", "sftp://host:22/a@b"),
        ("sftp://host:22/a@b", "sftp://host:22/a@b"),
        ("file:///a/b/", "file:///a/b"),
        ("memory://", "memory://"),
        ("file:///", "file:///"),
    ],
)
def test_an_address_is_shown_without_its_password(given: str, shown: str) -> None:
    address = read_address(given)
    assert address is not None
    assert place_text(given) == address.shown == shown
    assert ("s3cret" in address.text) == ("s3cret" in given)
    assert "s3cret" not in repr(address)


def test_the_library_of_a_cloud_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = import_module("fsspec.registry")

    def missing(name: str) -> None:
        raise ImportError(f"install something for {name}")

    monkeypatch.setattr(registry, "get_filesystem_class", missing)
    for address, library in (("s3://lab", "cranfield[cloud]"), ("gs://lab", "gcsfs")):
        with pytest.raises(MissingLibrary) as refused:
            Store(address)
        assert str(refused.value).endswith(f"pip install {library}")
    with pytest.raises(BadStore, match=r"^sftp://h: install something for sftp\. Install it\.$"):
        Store("sftp://h")


@pytest.mark.usefixtures("bucket")
def test_a_password_is_never_shown_or_recorded(
    tmp_path: Path, machine: Machine, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    caches, out = machine(), tmp_path / "out"
    words = ["run", str(file_of(tmp_path)), "--store", SECRET, "--out", str(out)]
    assert main(words) == 0
    monkeypatch.setenv("CRANFIELD_STORE", SECRET)
    assert main(["store"]) != 0
    with pytest.raises(SystemExit):
        main(["store", "--help"])
    shown = capsys.readouterr()
    assert "ftp://127.0.0.1:9/runs: cannot be read" in shown.err
    assert "ftp://127.0.0.1:9/runs" in shown.out.replace("\n", "")
    written = [path for place in (out, caches) for path in place.rglob("*") if path.is_file()]
    assert written
    texts = [
        shown.out,
        shown.err,
        *map(str, written),
        *(repr(path.read_bytes()) for path in written),
    ]
    for text in texts:
        assert "cret" not in text.replace("secret", ""), text[:200]
    assert "cret" not in repr(read_address(SECRET))


def test_what_a_library_says_is_shown_without_the_password() -> None:
    address = read_address(SECRET)
    assert address is not None
    said = f"cannot reach\n{SECRET} as kim with s3/cret or s3%2Fcret."
    assert address.hidden(said) == "cannot reach ftp://127.0.0.1:9/runs as kim with … or …"


@pytest.mark.usefixtures("bucket")
def test_results_do_not_say_where_the_store_is(tmp_path: Path) -> None:
    record = json.dumps(run(table_of(), store="memory://lab/here").to_dict())
    assert "memory" not in record.replace("memory_bytes", "")
