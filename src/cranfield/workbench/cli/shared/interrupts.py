"""Ctrl-C, taken at moments that survive it.

Python raises ``KeyboardInterrupt`` between any two of its instructions. Where kernels are
loaded or compiled, that leaves the lock of the compiler held, and another thread waits for it
forever; or it strikes a callback, which loses it. There the interrupt waits.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT
"""The exit code, as shells give it."""

_FRAGILE = ("numba", "llvmlite")
_AGAIN = 0.01
"""Seconds after which an interrupt that had to wait is tried again."""


def interrupt_safely() -> None:
    """Let Ctrl-C wait while kernels are loaded, for the rest of this process.

    A shell has the work that it puts into the background ignore Ctrl-C; that stays so.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _interrupt)
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, _interrupt)


def interrupt_no_more() -> None:
    """Ignore Ctrl-C from now on: what is left to do is to clear away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, 0)


def say_interrupted() -> None:
    """One line to the user, below whatever a progress bar left."""
    sys.stderr.write("\ncranfield: interrupted. Nothing half-written was left behind.\n")


def leave_interrupted() -> NoReturn:
    """Say so and end the process; one of its threads may be at long work, which is not awaited."""
    say_interrupted()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(INTERRUPTED)


_came: list[int] = []
"""The interrupts that came, whatever was raised because of them."""


def was_interrupted() -> bool:
    """Whether Ctrl-C came: what a library raises then may be an error of its own."""
    return bool(_came)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    if sys.platform != "win32" and _is_fragile(frame):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    else:
        interrupt_no_more()  # or a second one would strike what the first lets clear away
        raise KeyboardInterrupt


def _is_fragile(frame: FrameType | None) -> bool:
    """Whether the frame, or one that called it, belongs to the compiler."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _FRAGILE:
            return True
        frame = frame.f_back
    return False
