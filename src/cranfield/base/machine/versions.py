"""Versions of the libraries that numbers depend on, to their last bits."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

_LIBRARIES = ("cranfield", "numpy", "scipy", "polars", "numba")


@cache
def library_versions() -> dict[str, str]:
    """The installed version of each, by name.

    >>> sorted(library_versions())
    ['cranfield', 'numba', 'numpy', 'polars', 'scipy']
    """
    return {library: version(library) for library in _LIBRARIES}
