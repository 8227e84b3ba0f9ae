"""The script that tries the wheel with other Pythons and libraries knows what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import scipy

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def matrix() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        loader = SourceFileLoader("matrix", str(ROOT / ".ci" / "matrix"))
        spec = spec_from_loader("matrix", loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
    return module


def test_every_library_has_a_lowest_version(matrix: ModuleType) -> None:
    needed = {re.split("[>=<]", each)[0] for each in matrix.PROJECT["dependencies"]}
    assert needed <= matrix.bounds().keys()
    assert needed
    assert all(re.fullmatch(r"[0-9.]+", version) for version in matrix.bounds().values())


def test_what_it_runs_is_there(matrix: ModuleType) -> None:
    assert all((ROOT / test).is_file() for test in matrix.TESTS)
    assert set(matrix.NEEDED_BY_TESTS) <= matrix.bounds().keys()


def test_this_python_is_found_and_another_is_not_taken_for_it(matrix: ModuleType) -> None:
    minor = sys.version_info.minor
    assert matrix.works(sys.executable, minor)
    assert not matrix.works(sys.executable, minor + 1)


def test_this_python_is_tried_once_and_the_oldest_with_the_oldest_libraries(
    matrix: ModuleType,
) -> None:
    this, here = Path(sys.executable), sys.version_info.minor
    oldest, newer = matrix.OLDEST_MINOR, here + 1
    tried = matrix.environments({oldest: Path("oldest"), here: Path("here"), newer: Path("newer")})
    assert tried.count((this, "read-only")) == 1
    assert [libraries for _, libraries in tried].count("oldest") == 1
    assert (Path("here"), "newest") not in tried
    assert (Path("newer"), "newest") in tried
    assert matrix.environments({newer: this}) == [(this, "read-only"), (this, "newest")]
    assert matrix.environments({}) == [(this, "read-only")]


def test_the_oldest_libraries_are_those_that_the_project_names(matrix: ModuleType) -> None:
    stated = [each for each in matrix.PROJECT["dependencies"] if "==" not in each]
    assert all(f"{name}>={version}" in stated for name, version in lowest_of(matrix).items())


def lowest_of(matrix: ModuleType) -> dict[str, str]:
    needed = {re.split("[>=<]", each)[0] for each in matrix.PROJECT["dependencies"]}
    return {name: version for name, version in matrix.bounds().items() if name in needed}


def test_versions_of_an_environment_are_told(matrix: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    python = tmp_path / "venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    assert f"numpy {np.__version__}, scipy {scipy.__version__}, " in matrix.installed(tmp_path)


def test_the_user_s_caches_are_used_only_where_asked_for(
    matrix: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/the/user")
    home = [sys.executable, "-c", "import os, sys; sys.exit(os.environ['HOME'])"]
    assert str(tmp_path / "home") in matrix.output_of_failure(home, tmp_path)
    assert "/the/user" in matrix.output_of_failure(home, tmp_path, cache=True)


def test_a_command_that_fails_is_shown_with_what_it_said(
    matrix: ModuleType, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", "import sys; print('why'); sys.exit({})"]
    assert matrix.output_of_failure([*command[:2], command[2].format(0)], tmp_path) == ""
    said = matrix.output_of_failure([*command[:2], command[2].format(3)], tmp_path)
    assert said.startswith(sys.executable)
    assert said.endswith("why\n")


def test_a_closed_environment_cannot_be_written(matrix: ModuleType, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    (venv / "lib").mkdir(parents=True)
    (venv / "lib" / "module.py").touch()
    before = matrix.without_rights(venv)
    write = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text('x')"
    for place in (venv / "lib" / "module.py", venv / "lib" / "other.py"):
        done = subprocess.run(
            [*before, sys.executable, "-c", write, place], check=False, capture_output=True
        )
        assert b"PermissionError" in done.stderr
    (venv / "lib").chmod(0o755)
