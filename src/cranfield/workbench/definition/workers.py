"""Who shares the work: processes of this machine, or the nodes of a Ray cluster."""

from __future__ import annotations

import re

from cranfield.base.errors import OptionError, shown

RAY = "ray"
_WANTED = "a whole number of at least 1, ray, or ray://HOST:PORT"
_ADDRESS = re.compile(r"ray://[^\s/]+:\d+")


def read_workers(given: int | str | None) -> int | str | None:
    """How many processes, or which cluster; None for neither.

    >>> read_workers("2"), read_workers("ray"), read_workers("ray://head:10001")
    (2, 'ray', 'ray://head:10001')
    """
    if given is None or given == RAY:
        return given
    if isinstance(given, str) and given.isdecimal():
        given = int(given)
    if isinstance(given, int) and not isinstance(given, bool) and given >= 1:
        return given
    if isinstance(given, str) and _ADDRESS.fullmatch(given):
        return given
    raise OptionError(f"workers: {shown(given)} is not {_WANTED}.")
