"""Whether kernels are compiled already, and need only be loaded."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_OF_LISTS = Path(__file__).parents[2] / "recommendation" / "ranking" / "kernels"
_KERNELS = ("levels.add_up-*.nbi", "plain_lists.locate_plain-*.nbi")
"""Two speak for all: any metric with a kernel needs the first, and most runs the second,
whatever they are scored by.
"""


def are_cached() -> bool:
    """Whether an earlier process has left compiled kernels behind, or never could.

    Where kernels lie in the folder of ``NUMBA_CACHE_DIR`` or beside their source, this is
    seen without loading the compiler.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        return True
    folders = list(_folders())
    return not folders or any(any(at.glob(kernel)) for at in folders for kernel in _KERNELS)


def _folders() -> Iterable[Path]:
    """Where compiled kernels are, or will be."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(chosen), *Path(chosen).glob(f"{_HERE.name}_*")]
    beside = _HERE / "__pycache__"
    if os.access(beside if beside.exists() else _HERE, os.W_OK):
        return [beside, _OF_LISTS / beside.name]
    return _folders_of_compiler()


def _folders_of_compiler() -> list[Path]:
    """Folders of the user, which only the compiler knows."""
    from cranfield.scoring.kernels import levels

    kernel: Any = levels.add_up
    folder = kernel.stats.cache_path if hasattr(kernel, "stats") else None
    return [Path(folder), *Path(folder).parent.glob(f"{_HERE.name}_*")] if folder else []
