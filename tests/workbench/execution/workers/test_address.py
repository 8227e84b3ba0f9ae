"""What is said of a cluster that cannot be reached, and one that is reached with its token."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cranfield.workbench.api import run
from cranfield.workbench.execution.workers.address import remedy_of
from cranfield.workbench.results.folders import write_results
from driver_cases import figures
from experiment_cases import file_of, table_of
from ray_cases import Head, head

__all__ = ["head"]


@pytest.fixture
def listening() -> Iterator[int]:
    """A port of this machine that somebody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("scheme", ["ray://", ""])
def test_a_cluster_that_answers_may_ask_for_a_token(
    listening: int, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    said = remedy_of(f"{scheme}127.0.0.1:{listening}")
    assert said.startswith("Something answers there; if its head asks for a token, set RAY_AUTH_")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    assert "may not be that of the head" in remedy_of(f"{scheme}127.0.0.1:{listening}")


@pytest.mark.parametrize("address", ["ray://127.0.0.1:1", "127.0.0.1:1", "ray://[", "ray://:x"])
def test_a_cluster_that_does_not_answer_is_said_not_to(address: str) -> None:
    assert remedy_of(address).startswith("Nothing answers there: ")


def started(words: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cranfield", *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=dict(environment)
    )


@pytest.mark.slow
def test_ray_client_connects_with_the_token_of_the_head(head: Head, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    out = tmp_path / "out"
    words = ["run", str(file_of(tmp_path)), "--store", "none", "--out", str(out)]
    done = started([*words, "--workers", head.client], head.environment)
    assert done.returncode == 0, done.stderr
    made = json.loads((out / "results.json").read_text())
    assert made["workers"]
    write_results(run(table_of()), tmp_path / "serial")
    assert figures(out)["scores"] == figures(tmp_path / "serial")["scores"]


@pytest.mark.slow
def test_ray_client_without_the_token_of_the_head_is_told_so(head: Head, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    without = {name: each for name, each in head.environment.items() if "RAY_A" not in name}
    words = ["run", str(file_of(tmp_path)), "--store", "none", "--workers", head.client]
    done = started(words, without)
    assert done.returncode == 1
    assert "if its head asks for a token, set RAY_AUTH_MODE=token, and RAY_AUTH" in done.stderr
    assert "Traceback" not in done.stderr
