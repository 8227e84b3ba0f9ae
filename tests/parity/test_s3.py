"""A store in a bucket of a server that speaks S3, by s3fs: machines share it, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bucket_cases import computed, entries_in, machine
from cranfield.base.errors import BadStore
from cranfield.workbench.api import run, study
from cranfield.workbench.cli.main import main
from cranfield.workbench.store.store import Store
from experiment_cases import table_of
from worker_cases import figures_of

server = pytest.importorskip("moto.server")
s3fs = pytest.importorskip("s3fs")

__all__ = ["computed", "machine"]

Machine = Callable[[], Path]
ADDRESS = "s3://lab/runs"
SECRET = "not-to-be-shown"
STUDY = {**table_of(), "study": {"vary": {"cutoff": [3, 5]}, "draws": 50}}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A server on this machine."""
    started = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    yield f"http://{host}:{port}"
    started.stop()


@pytest.fixture(autouse=True)
def bucket(endpoint: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket, the credentials for it, and a machine."""
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "cranfield",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    machine()
    files = s3fs.S3FileSystem(skip_instance_cache=True)
    files.mkdir("lab")
    yield files
    files.invalidate_cache()
    files.rm("lab", recursive=True)


@pytest.fixture(scope="module")
def plain() -> Any:
    """What is found without a store."""
    return figures_of(run(table_of()))


def kinds_of(files: Any) -> dict[str, list[str]]:
    """The names of what is in the bucket, by kind."""
    files.invalidate_cache()
    found: dict[str, list[str]] = {}
    for path in files.find("lab/runs"):
        found.setdefault(path.split("/")[2], []).append(path)
    return found


@pytest.mark.parametrize("workers", [None, 2])
def test_two_machines_find_the_same_and_compute_it_once(
    workers: int | None, plain: Any, bucket: Any, machine: Machine, computed: list[str]
) -> None:
    made = run(table_of(), store=ADDRESS, workers=workers)
    assert figures_of(made) == plain
    assert bool(made.workers) == bool(workers)
    there = kinds_of(bucket)
    assert {"fit", "hits", "lists", "scores", "split", "comparison"} <= there.keys()
    assert len(there["fit"]) == len(table_of()["systems"])
    caches = machine()
    del computed[:]
    made = run(table_of(), store=ADDRESS, workers=workers)
    assert figures_of(made) == plain
    assert (computed, made.workers) == ([], ())
    assert set(entries_in(caches)) < {name for names in there.values() for name in map(last, names)}
    assert kinds_of(bucket) == there


def last(path: str) -> str:
    """The name of a file."""
    return path.rpartition("/")[2]


def test_one_process_and_two_leave_the_same_objects(bucket: Any, machine: Machine) -> None:
    """All but the seconds that fits took."""
    contents = []
    for workers in (None, 2):
        machine()
        run(table_of(), store=ADDRESS, workers=workers)
        names = [name for kind, names in kinds_of(bucket).items() for name in names]
        contents.append({name: bucket.cat_file(name) for name in names if "fit-time" not in name})
        bucket.rm("lab/runs", recursive=True)
    assert contents[0] == contents[1]
    assert contents[0]


def test_a_study_is_shared(machine: Machine, computed: list[str]) -> None:
    plain = figures_of(study(STUDY))
    assert figures_of(study(STUDY, store=ADDRESS)) == plain
    machine()
    del computed[:]
    assert figures_of(study(STUDY, store=ADDRESS)) == plain
    assert computed == []


def test_a_damaged_object_is_replaced(
    plain: Any, bucket: Any, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    run(table_of(), store=ADDRESS)
    name = kinds_of(bucket)["scores"][0]
    whole = bucket.cat_file(name)
    bucket.pipe_file(name, whole[:-10])
    machine()
    assert figures_of(run(table_of(), store=ADDRESS)) == plain
    assert capsys.readouterr().err.startswith(f"cranfield: s3://{name}: damaged (")
    assert bucket.cat_file(name) == whole


def test_the_command_keeps_the_bucket_in_order(
    bucket: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run(table_of(), store=ADDRESS)
    entries = sum(map(len, kinds_of(bucket).values()))
    bucket.pipe_file(kinds_of(bucket)["hits"][0], b"")
    assert main(["store", "--store", ADDRESS, "--check"]) == 0
    assert "1 entry (0 B) was damaged and removed" in capsys.readouterr().out
    assert main(["store", "--store", ADDRESS, "--prune", "--unused", "1"]) == 0
    assert capsys.readouterr().out.startswith("0 entries removed")
    assert main(["store", "--store", ADDRESS, "--prune"]) == 0
    assert capsys.readouterr().out.startswith(f"{entries - 1} entries")
    assert kinds_of(bucket) == {}


def refused(address: str) -> str:
    """Why a store is refused before anything is computed."""
    with pytest.raises(BadStore) as error:
        run(table_of(), store=address)
    assert SECRET not in str(error.value)
    return str(error.value)


def test_what_cannot_be_a_store_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused("s3://elsewhere/x").startswith("s3://elsewhere/x: there is no such bucket.")
    assert refused("s3://Bad_Name!/x").endswith("Correct the address.")
    assert "do not belong" in refused(f"s3://cranfield:{SECRET}@lab")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert refused(ADDRESS).endswith(
        "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE."
    )


def test_a_server_that_is_away_stops_nothing(
    plain: Any, machine: Machine, monkeypatch: pytest.MonkeyPatch, bucket: Any,
    capsys: pytest.CaptureFixture[str], endpoint: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert figures_of(run(table_of(), store=ADDRESS)) == plain
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"cranfield: {ADDRESS}: cannot be read (Could not connect")
    assert kinds_of(bucket) == {}
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    Store(ADDRESS).upload()
    assert len(kinds_of(bucket)["fit"]) == len(table_of()["systems"])
