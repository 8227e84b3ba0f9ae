"""Ctrl-C while kernels are loaded waits; elsewhere it is raised at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from types import FunctionType

import pytest

from cranfield.workbench.cli.shared.interrupts import (
    INTERRUPTED,
    interrupt_no_more,
    interrupt_safely,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@pytest.fixture(autouse=True)
def handled() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGALRM)
    before = [signal.getsignal(number) for number in numbers]
    interrupt_safely()
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def interrupted_in(module: str, reached: list[str]) -> None:
    """Ctrl-C in a function that a function of that module called."""

    def here() -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0.05)  # long enough for it to be tried again, and to have to wait again
        reached.append(module)

    def calling(work: Callable[[], None]) -> None:
        work()

    FunctionType(calling.__code__, {"__name__": module})(here)
    time.sleep(10)


@pytest.mark.parametrize("module", ["numba", "numba.core.caching", "llvmlite.binding.ffi"])
def test_an_interrupt_waits_until_kernels_are_loaded(module: str) -> None:
    reached: list[str] = []
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted_in(module, reached)
    assert reached == [module]
    assert time.monotonic() - begun < 5, "it was forgotten"


@pytest.mark.parametrize("module", ["cranfield.scoring", "numbat", "polars"])
def test_elsewhere_it_is_raised_at_once(module: str) -> None:
    reached: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted_in(module, reached)
    assert reached == []


def test_a_second_one_changes_nothing() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)


def test_work_in_the_background_goes_on_ignoring_it() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    interrupt_safely()
    signal.raise_signal(signal.SIGINT)


def test_after_the_work_it_is_ignored_even_if_it_waited() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    interrupt_no_more()
    signal.raise_signal(signal.SIGINT)
    time.sleep(0.05)


def test_an_interrupted_process_does_not_wait_for_its_threads() -> None:
    code = """
import threading, time
from cranfield.workbench.cli.shared.interrupts import leave_interrupted
threading.Thread(target=time.sleep, args=(60,)).start()
print("said before")
leave_interrupted()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == INTERRUPTED
    assert done.stdout == "said before\n"
    assert done.stderr == "\ncranfield: interrupted. Nothing half-written was left behind.\n"


@pytest.mark.parametrize(
    "work",
    [
        # Polars raises, and Python only when the error is being dealt with.
        """
    try:
        raise KeyboardInterrupt
    finally:
        signal.raise_signal(signal.SIGINT)
""",
        # Polars makes an error of its own of what Python raised.
        """
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ComputeError("keyboard interrupt") from None
""",
        """
    raise KeyboardInterrupt
""",
    ],
)
def test_an_interrupt_is_told_in_one_line_whoever_raises_first(work: str) -> None:
    program = f"""
import signal, sys
from polars.exceptions import ComputeError
from cranfield.workbench.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupted(given):{work}
main._run = interrupted
main.main()
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == INTERRUPTED
    assert done.stderr == "\ncranfield: interrupted. Nothing half-written was left behind.\n"
