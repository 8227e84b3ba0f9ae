"""Kernels are compiled once and kept, and no trouble with keeping them costs a result."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import caching, config

from cranfield.base.kernels import kernel as kernel_module
from cranfield.base.kernels.kernel import kernel
from small_disks import files_of_at_most

CODE = """
from cranfield.base.kernels.kernel import kernel

@kernel
def add(number):
    return number + {}
"""
pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")

_TIMES = count(1_000_000_000, 10)


@pytest.fixture(autouse=True)
def beside_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are kept beside their module, wherever others are kept."""
    monkeypatch.setattr(config, "CACHE_DIR", "")


def written(folder: Path, number: int) -> Path:
    """A module with a kernel that adds a number."""
    path = folder / "adding.py"
    path.write_text(CODE.format(number))
    moment = next(_TIMES)  # files of one moment and size are one to the compiler's cache
    os.utime(path, (moment, moment))
    return path


def loaded(path: Path) -> Any:
    """The kernel of the module, as a new process would find it."""
    spec = spec_from_file_location("adding", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.add


def kept(path: Path, ending: str) -> list[Path]:
    return list((path.parent / "__pycache__").glob(f"*{ending}"))


def was_loaded(add: Any) -> bool:
    """Whether the kernel that was called came from the disk."""
    return bool(add.stats.cache_hits)


def test_a_kernel_is_kept_for_later_processes(tmp_path: Path) -> None:
    path = written(tmp_path, 1)
    first, later = loaded(path), loaded(path)
    assert first(1) == 2
    assert later(1) == 2
    assert not was_loaded(first)
    assert was_loaded(later)


def test_a_change_of_other_kernels_makes_one_be_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, 1)
    loaded(path)(1)
    monkeypatch.setattr(kernel_module, "_STATE", "another")
    later = loaded(path)
    assert later(1) == 2
    assert not was_loaded(later)


def test_the_state_of_kernels_changes_with_any_of_their_files(tmp_path: Path) -> None:
    package = tmp_path / "package"
    kernels = [package / stage / "kernels" for stage in ("base", "scoring")]
    for folder in kernels:
        folder.mkdir(parents=True)
        (folder / "loops.py").write_text("1")
    known = {kernel_module.state_of_kernels(package)}
    for folder in kernels:
        (folder / "loops.py").write_text("22")
        known.add(kernel_module.state_of_kernels(package))
        (folder / "more.py").write_text("1")
        known.add(kernel_module.state_of_kernels(package))
    assert len(known) == 5


def test_options_are_those_of_the_compiler() -> None:
    @kernel(error_model="numpy")
    def divide(number: float, by: float) -> float:
        return number / by

    assert divide(1.0, 0.0) == float("inf")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
@pytest.mark.parametrize("size", [10, 3_000])
def test_a_full_disk_costs_no_result_and_the_next_process_tries_again(
    tmp_path: Path, size: int
) -> None:
    """The first limit stops at the index, the second one at the kernel."""
    path = written(tmp_path, 1)
    with files_of_at_most(size):
        assert loaded(path)(1) == 2
    assert kept(path, ".nbc") == []
    assert kept(path, ".tmp*") == []
    assert loaded(path)(1) == 2
    later = loaded(path)
    assert later(1) == 2
    assert was_loaded(later)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_an_older_kernel_is_not_taken_for_one_that_found_no_room(tmp_path: Path) -> None:
    assert loaded(written(tmp_path, 1))(1) == 2
    path = written(tmp_path, 5)
    with files_of_at_most(3_000):
        assert loaded(path)(1) == 6
    assert kept(path, ".nbc") != []
    assert loaded(path)(1) == 6


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("rest", [0, 20, 300])
def test_a_damaged_file_is_made_anew(tmp_path: Path, ending: str, rest: int) -> None:
    path = written(tmp_path, 1)
    loaded(path)(1)
    (file,) = kept(path, ending)
    file.write_bytes(file.read_bytes()[:rest])
    assert loaded(path)(1) == 2
    loaded(path)(1)
    later = loaded(path)
    assert later(1) == 2
    assert was_loaded(later)


def test_where_nothing_can_be_written_kernels_are_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching.CompileResultCacheImpl, "_locator_classes", [])
    add = loaded(written(tmp_path, 1))
    assert add(1) == 2
    assert add.stats.cache_path is None


def test_what_is_not_compiled_wraps_and_divides_without_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(config, "DISABLE_JIT", 1)

    @kernel
    def wrap(number: np.uint64) -> tuple[np.uint64, np.float64]:
        return number * np.uint64(3), np.float64(0) / np.float64(number - number)

    wrapped, undefined = wrap(np.uint64(2**63))
    assert wrapped == 2**63
    assert np.isnan(undefined)


_PRODUCTS = """
import numpy as np
from cranfield.base.kernels.kernel import kernel

@kernel
def products(a, b):
    out = np.zeros((len(a), b.shape[1]))
    np.dot(a, b, out)
    return out[::-1].copy()
"""
_ASK = """
import subprocess
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from made import products
a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
for _ in range(1000):
    found = products(a, b)
assert np.array_equal(found, (a @ b)[::-1])
print(sum(products.stats.cache_hits.values()), "numba.np.arraymath" in sys.modules)
"""


@pytest.mark.long
def test_a_new_process_loads_what_allocates_and_multiplies_without_what_compiles_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "made.py").write_text(_PRODUCTS)
    command = [sys.executable, "-c", _ASK, str(tmp_path)]
    told = [
        subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        for _ in range(2)
    ]
    assert told == [["0", "True"], ["1", "False"]]
