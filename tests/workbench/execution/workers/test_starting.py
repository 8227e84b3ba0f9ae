"""Who is asked for is started; Ray only where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import MissingLibrary
from cranfield.workbench.api import run, study
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.workers import starting
from cranfield.workbench.execution.workers.cluster import _comparable
from cranfield.workbench.execution.workers.processes import Processes
from cranfield.workbench.results.results import versions
from experiment_cases import file_of, table_of


@pytest.fixture
def _without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "find_spec", lambda _: None)


@pytest.mark.usefixtures("_without_ray")
@pytest.mark.parametrize("workers", ["ray", "ray://head:10001"])
def test_without_ray_the_extra_is_named_before_any_work(workers: str) -> None:
    varied: dict[str, Any] = {**table_of(), "study": {"vary": {"cutoff": [3, 5]}}}
    with pytest.raises(MissingLibrary, match=r"pip install cranfield\[ray\]"):
        run(table_of(), workers=workers)
    with pytest.raises(MissingLibrary, match=r"pip install cranfield\[ray\]"):
        study(varied, workers=workers)


@pytest.mark.usefixtures("_without_ray")
def test_the_command_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(file_of(tmp_path)), "--workers", "ray"]) == 1
    said = capsys.readouterr().err
    assert said == (
        "cranfield: --workers ray needs cranfield[ray]. Install it: pip install cranfield[ray]\n"
    )


def test_a_number_is_so_many_processes(tmp_path: Path) -> None:
    made = starting.open_executor(3, tmp_path, ())
    assert isinstance(made, Processes)
    assert made.capacity == 3
    assert made.memory > 1 << 20


def test_nodes_may_differ_in_the_last_number_of_python_alone() -> None:
    ours = {**versions(), "python": "3.11.7"}
    assert _comparable(ours) == _comparable({**ours, "python": "3.11.2"})
    assert _comparable(ours) != _comparable({**ours, "python": "3.12.7"})
    assert _comparable(ours) != _comparable({**ours, "numpy": "0.1"})
