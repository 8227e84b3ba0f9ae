"""Failures: a system that cannot be fitted, asked or read does not stop the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from cranfield.base.errors import CranfieldError, SystemsFailed, shortened

Failures = dict[str, Exception]
"""What stopped each system that failed, by its name."""

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
_OURS = __name__.partition(".")[0]
_SYSTEM = "_cranfield_system"
"""Where an error that is raised says which system failed."""
T = TypeVar("T")


class _Failed(Exception):
    """A system has failed; what it failed by is the cause."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


@contextmanager
def of_system() -> Iterator[None]:
    """Hold a system responsible for what goes wrong within: its fit, predictions or file.

    An assertion of ours that does not hold is a fault of this library, and no system's.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, _Failed) or _is_ours(error):
            raise
        raise _Failed(error) from error


@contextmanager
def noting(name: str, failed: Failures | None) -> Iterator[None]:
    """Note that a system failed, and go on after it; without a place for notes, raise it."""
    try:
        yield
    except _Failed as error:
        if failed is None:
            setattr(error.cause, _SYSTEM, name)
            raise error.cause from error.cause.__cause__
        failed[name] = error.cause


def refuse_all_failed(names: Iterable[str], failed: Failures) -> None:
    """Raise if no system is left: what stopped the only one, or what stopped each."""
    if not failed or any(name not in failed for name in names):
        return
    first = next(iter(failed.values()))
    if len(failed) == 1 and isinstance(first, CranfieldError):
        raise first
    raise SystemsFailed(reasons_of(failed)) from first


def repeat_without_failed(work: Callable[[Failures], T], names: Collection[str]) -> T:
    """Repeat work that one failed system stops, until it does without all that fail.

    It is given the systems to leave out. What is stored is not computed again.
    """
    failed = Failures()
    while True:
        try:
            return work(failed)
        except Exception as error:
            name = getattr(error, _SYSTEM, None)
            if name is None or name in failed:
                raise
            failed[name] = error
            refuse_all_failed(names, failed)


def reasons_of(failed: Mapping[str, Exception]) -> dict[str, str]:
    """Why each system failed, in one line that is the same whenever it fails like that."""
    return {name: _reason(name, error) for name, error in failed.items()}


def _reason(name: str, error: Exception) -> str:
    said = _ADDRESS.sub("0x…", " ".join(str(error).split()))
    if not isinstance(error, CranfieldError):
        kind = "out of memory" if isinstance(error, MemoryError) else type(error).__name__
        said = f"{kind}: {said}" if said else kind
    return f"{shortened(said).removeprefix(f'{name}: ').rstrip('.')}."


def _is_ours(error: Exception) -> bool:
    """Whether it is an assertion that code of this library makes."""
    trace = error.__traceback__
    if not isinstance(error, AssertionError) or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] == _OURS
