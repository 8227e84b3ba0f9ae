"""What makes a kernel of a function: compiled once, without the interpreter's lock, and cached."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
from numba import njit
from numba.core import caching
from numba.core.runtime.nrt import rtsys

Function = TypeVar("Function", bound=Callable[..., Any])

_caching: Any = caching
_compile: Any = njit


def state_of_kernels(package: Path) -> str:
    """What is another for any change of a file of kernels."""
    files = [(path, path.stat()) for path in sorted(package.rglob("kernels/*.py"))]
    states = [(str(path.relative_to(package)), at.st_mtime_ns, at.st_size) for path, at in files]
    return hashlib.sha256(repr(states).encode()).hexdigest()


_STATE = state_of_kernels(Path(__file__).parents[2])


class KernelCache(_caching.FunctionCache):  # type: ignore[misc]
    """Compiled kernels on disk, which save time and never cost a result.

    The compiler's own cache raises its troubles where a kernel is called: a full disk, say,
    or a file cut short. Here a kernel that cannot be loaded is compiled, and one that cannot
    be saved is compiled again by the next process. And what is compiled holds the kernels that
    it calls, so that a change of any makes all be compiled again, not those of its file alone.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp(), _STATE
        self._cache_file = _caching.IndexDataCacheFile(
            self.cache_path, self._impl.filename_base, stamp
        )

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel for such arguments, if it is there and whole."""
        # The compiler's own method has the context load first all that may be compiled, among it
        # much of SciPy. Machine code needs none of it but the runtime, which counts references.
        with suppress(Exception):  # what a damaged file may raise has no end
            rtsys.initialize(context)
            return self._load_overload(signature, context)
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a kernel, if there is room."""
        try:
            super().save_overload(signature, compiled)
        except Exception:
            # The index is damaged, or names what was not written, where an older kernel may be.
            with suppress(OSError):
                self.flush()


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(function: None = None, **options: str | set[str]) -> Callable[[Function], Function]: ...
def kernel(function: Callable[..., Any] | None = None, **options: str | set[str]) -> Any:
    """Compile a function of a module on its first call, as ``numba.njit`` does.

    It runs without the interpreter's lock. What is compiled is cached for later processes,
    where a folder can be written. With ``NUMBA_DISABLE_JIT`` it stays a function of Python,
    whose arithmetic wraps and divides without a warning as compiled arithmetic does.
    """
    if function is None:
        return lambda function: kernel(function, **options)
    made = _compile(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if made is function:
        return np.errstate(all="ignore")(function)
    with suppress(RuntimeError):  # no folder can be written
        made._cache = KernelCache(function)
    return made
