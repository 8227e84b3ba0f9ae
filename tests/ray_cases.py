"""Clusters of Ray on this machine: of some processors, of two nodes, and one of its own process."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from driver_cases import command_of, parent_of
from worker_cases import Sluggish, failing

SYSTEMS: dict[str, Any] = {
    "own": lambda train, users: [train.item_counts] * len(users),
    "bad": failing, "Popularity": "Popularity", "kNN": "user-kNN(k=5)",
}  # fmt: skip
SLOW = {f"slow {place}": Sluggish(0.5, place) for place in range(4)}

KILLS = int(os.environ.get("CRANFIELD_KILLS", "20"))
"""How often something is killed, each time at another moment."""


@pytest.fixture(autouse=True)
def each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job is a task, and nodes can import the models of the tests."""
    monkeypatch.setattr("cranfield.workbench.execution.workers.planning._SECONDS", 0.0)
    paths = str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")


@pytest.fixture
def processors(request: pytest.FixtureRequest) -> Iterator[int]:
    """A new cluster of this machine alone, with so many processors."""
    import ray

    count = getattr(request, "param", 2)
    ray.init("local", num_cpus=count, include_dashboard=False, log_to_driver=False)
    yield count
    ray.shutdown()


@pytest.fixture
def nodes() -> Iterator[Any]:
    """A cluster of two nodes with a processor each."""
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@dataclass(frozen=True)
class Head:
    """A head as `ray start` starts it: where it is, and how drivers find and enter it."""

    process: int
    port: int
    client: str
    environment: dict[str, str]

    @property
    def at_work(self) -> list[int]:
        """The processes of this cluster that are at a task of Cranfield."""
        return at_work(self.process)


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    """A cluster of two processors that outlives its drivers, and asks them for a token."""
    pytest.importorskip("ray")
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # the path of a socket must be short
    port, client = _free_ports()
    environment = {
        **os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
    }  # fmt: skip
    words = [f"--port={port}", f"--ray-client-server-port={client}", f"--temp-dir={folder}"]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    started = subprocess.Popen(
        [*command, *words, "--num-cpus=2", "--include-dashboard=false"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    address = {"RAY_ADDRESS": f"{_own_address()}:{port}"}
    try:
        _wait_for(client, started)
        at = f"ray://127.0.0.1:{client}"
        yield Head(started.pid, port, at, {**environment, **address})
    finally:
        started.send_signal(signal.SIGTERM)
        started.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def at_work(ancestor: int) -> list[int]:
    """The processes of a cluster that are at a task of Cranfield, by the one that started it."""
    found = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
    busy = [each for each in found if command_of(each).startswith(b"ray::cranfield")]
    return [each for each in busy if ancestor in _ancestors(each)]


def kill_one(ancestor: int, goes_on: Callable[[], bool]) -> bool:
    """Kill the first process that is at a task, as soon as there is one; whether there was."""
    while goes_on():
        for each in at_work(ancestor):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
                return True
        time.sleep(0.02)
    return False


def _free_ports() -> tuple[int, int]:
    """Two ports that nobody listens at."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _own_address() -> str:
    """How Ray calls this machine."""
    import ray

    return str(ray.util.get_node_ip_address())


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 180
    while True:
        assert process.poll() is None, "the head did not start"
        assert time.monotonic() < end, "the head does not answer"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return


def _ancestors(process: int) -> Iterator[int]:
    while process > 1:
        process = parent_of(process)
        yield process
