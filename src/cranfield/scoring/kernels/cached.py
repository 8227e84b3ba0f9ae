"""Whether kernels are compiled already, and need only be loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cranfield.scoring.kernels import relevance


def are_cached() -> bool:
    """Whether an earlier process has left compiled kernels behind, or never could.

    One kernel speaks for all.
    """
    kernel: Any = relevance.score_relevance
    folder = kernel.stats.cache_path if hasattr(kernel, "stats") else None
    if folder is None:
        return True
    return any(Path(folder).glob(f"{Path(relevance.__file__).stem}.{kernel.__name__}-*.nbi"))
