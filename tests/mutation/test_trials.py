"""A mutant in the place of what is imported: every function gets the changed code."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mutation.trials import FAILED, PASSED, STALLED, TOO_LONG, awaited, change_functions

TEXT = """
from functools import lru_cache, wraps

def doubled(function):
    @wraps(function)
    def inner(value):
        return 2 * function(value)
    return inner

def plain(value):
    return value + 1

@doubled
def decorated(value):
    return value + 1

@lru_cache
def cached(value):
    return value + 1

class Noun:
    limit = 1

    @property
    def shown(self):
        return self.limit + 1

    def nested(self, values):
        return [(lambda each: each + 1)(value) for value in values]
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    file = tmp_path / "mutated_module.py"
    file.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("mutated_module", file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_functions_methods_and_what_is_inside_them_are_changed(module: ModuleType) -> None:
    assert change_functions(Path(str(module.__file__)), TEXT.replace("+ 1", "- 1"))
    assert module.plain(5) == 4
    assert module.Noun().shown == 0
    assert module.Noun().nested([5, 6]) == [4, 5]


def test_functions_behind_decorators_are_changed(module: ModuleType) -> None:
    change_functions(Path(str(module.__file__)), TEXT.replace("+ 1", "- 1"))
    assert module.decorated(5) == 8
    assert module.cached(5) == 4


def test_what_a_decorator_has_made_is_changed(module: ModuleType) -> None:
    change_functions(Path(str(module.__file__)), TEXT.replace("2 * ", "3 * "))
    assert module.decorated(5) == 18


def test_a_file_that_is_not_imported_has_nothing_to_change(tmp_path: Path) -> None:
    assert not change_functions(tmp_path / "other.py", TEXT)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("pass", PASSED),
        ("1 / 0", FAILED),
        ("import time; time.sleep(60)", STALLED),
        ("while True: pass", TOO_LONG),
    ],
)
def test_a_child_that_waits_is_told_from_one_that_never_ends(code: str, outcome: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", code], start_new_session=True, stderr=subprocess.DEVNULL
    )
    assert awaited(child.pid, seconds=1, idle=1.5) == outcome
    child.returncode = 0  # it has been waited for
