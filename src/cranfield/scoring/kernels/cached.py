"""Whether kernels are compiled already, and need only be loaded."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_KERNEL = "relevance.score_relevance-*.nbi"
"""One kernel speaks for all."""


def are_cached() -> bool:
    """Whether an earlier process has left compiled kernels behind, or never could.

    Where kernels lie in the folder of ``NUMBA_CACHE_DIR`` or beside their source, this is
    seen without loading the compiler.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        return True
    folders = list(_folders())
    return not folders or any(any(folder.glob(_KERNEL)) for folder in folders)


def _folders() -> Iterable[Path]:
    """Where compiled kernels of this folder are, or will be."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(chosen), *Path(chosen).glob(f"{_HERE.name}_*")]
    beside = _HERE / "__pycache__"
    if os.access(beside if beside.exists() else _HERE, os.W_OK):
        return [beside]
    return _folder_of_compiler()


def _folder_of_compiler() -> list[Path]:
    """A folder of the user, which only the compiler knows."""
    from cranfield.scoring.kernels import relevance

    kernel: Any = relevance.score_relevance
    folder = kernel.stats.cache_path if hasattr(kernel, "stats") else None
    return [Path(folder)] if folder else []
