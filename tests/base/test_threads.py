from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.base.threads import (
    VARIABLE,
    Ahead,
    chunks,
    in_threads,
    run_concurrently,
    thread_count,
)


@pytest.fixture(params=["1", "2", "5"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv(VARIABLE, request.param)
    return int(request.param)


def test_the_variable_decides_the_number_of_threads(threads: int) -> None:
    assert thread_count() == threads


def test_without_the_variable_all_processors_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert thread_count() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert thread_count() == os.cpu_count()


@pytest.mark.parametrize("value", ["", "0", "-1", "two", "1.5", "²", " 2"])
def test_what_is_no_number_of_threads_is_refused(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(BadParameter) as caught:
        thread_count()
    assert str(caught.value) == (
        f'environment, CRANFIELD_THREADS: "{value}" is not a whole number of at least 1.'
    )


def test_results_come_in_the_order_of_the_parts(threads: int) -> None:
    def work(part: int) -> int:
        time.sleep(0.002 * (part % 3 == 0))
        return part * part

    assert list(in_threads(work, range(40))) == [part * part for part in range(40)]
    assert list(in_threads(work, [])) == []


def test_an_error_reaches_the_caller_and_stops_the_rest(threads: int) -> None:
    done: list[int] = []

    def work(part: int) -> int:
        if part == 3:
            raise ValueError("part three")
        done.append(part)
        return part

    with pytest.raises(ValueError, match="part three"):
        list(in_threads(work, range(1000)))
    assert len(done) < 100


def test_parts_are_taken_a_few_ahead_at_most(threads: int) -> None:
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for part in range(1000):
            taken.append(part)
            yield part

    results = in_threads(str, parts())
    assert next(results) == "0"
    assert len(taken) <= 2 * threads + 1
    results.close()  # type: ignore[attr-defined]
    assert len(taken) <= 2 * threads + 1


def test_work_runs_in_more_than_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    meeting = threading.Barrier(2, timeout=10)
    assert len(list(in_threads(lambda _: meeting.wait(), range(2)))) == 2


@given(st.integers(0, 50), st.integers(1, 12))
def test_chunks_cover_a_size_without_gap_or_overlap(size: int, most: int) -> None:
    parts = list(chunks(size, most))
    assert [place for part in parts for place in range(size)[part]] == list(range(size))
    assert all(0 < part.stop - part.start <= most for part in parts)


def test_work_that_asks_for_threads_itself_does_not_wait_for_others(threads: int) -> None:
    def work(part: int) -> list[int]:
        return list(in_threads(lambda inner: part * inner, range(20)))

    expected = [[part * inner for inner in range(20)] for part in range(20)]
    assert list(in_threads(work, range(20))) == expected


def test_threads_stay_for_later_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")

    def names() -> set[str]:
        meeting = threading.Barrier(2, timeout=10)
        return set(in_threads(lambda _: (meeting.wait(), threading.current_thread().name)[1], "ab"))

    assert names() == names()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    assert list(in_threads(str, range(3))) == ["0", "1", "2"]
    child = os.fork()
    if child == 0:
        os._exit(0 if list(in_threads(str, range(3))) == ["0", "1", "2"] else 1)
    deadline = time.monotonic() + 20
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended == (0, 0):
        os.kill(child, 9)
    assert ended == (child, 0)


def test_two_functions_at_once_give_both_results(threads: int) -> None:
    assert run_concurrently(lambda: list(in_threads(abs, [-1, 2])), lambda: "b") == ([1, 2], "b")


def test_two_functions_are_at_work_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    meeting = threading.Barrier(2, timeout=10)
    assert len({*run_concurrently(meeting.wait, meeting.wait)}) == 2


def test_of_two_errors_the_first_counts(threads: int) -> None:
    def fail(text: str) -> None:
        raise ValueError(text)

    with pytest.raises(ValueError, match="one"):
        run_concurrently(lambda: fail("one"), lambda: fail("two"))
    with pytest.raises(ValueError, match="two"):
        run_concurrently(lambda: 1, lambda: fail("two"))


def test_two_functions_within_a_task_are_called_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")

    def work(_: int) -> bool:
        return len(set(run_concurrently(threading.get_ident, threading.get_ident))) == 1

    assert all(in_threads(work, range(8)))


def test_two_functions_may_have_two_others_called(threads: int) -> None:
    def pair(depth: int) -> object:
        if depth == 0:
            return threading.get_ident() > 0
        return run_concurrently(lambda: pair(depth - 1), lambda: pair(depth - 1))

    assert pair(3) == (((True, True), (True, True)), ((True, True), (True, True)))


def test_who_fails_waits_for_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    begun, ended = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        time.sleep(0.05)
        ended.set()

    def fail() -> None:
        begun.wait(10)
        raise ValueError("one")

    with pytest.raises(ValueError, match="one"):
        run_concurrently(fail, slow)
    assert ended.is_set()


@pytest.mark.parametrize(
    "call",
    [
        lambda work: list(in_threads(work, range(9))),
        lambda work: run_concurrently(partial(work, 0), partial(work, 1)),
    ],
)
def test_who_is_interrupted_waits_for_nobody(
    call: Callable[[Callable[[int], None]], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    begun, released = threading.Event(), threading.Event()

    def work(_part: int) -> None:
        if threading.current_thread() is threading.main_thread():
            begun.wait(10)
            raise KeyboardInterrupt
        begun.set()
        released.wait(10)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call(work)
    assert time.monotonic() - start < 5
    released.set()


def test_a_process_forked_after_work_is_refused_and_a_new_one_is_not() -> None:
    """In a process of its own, as pytest has worked already."""
    program = """
import os, sys
from cranfield.base.errors import ForkedProcess
from cranfield.base.threads import refuse_forked

def forked():
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        refuse_forked()
    except ForkedProcess as error:
        os._exit(3 if "Use spawn or forkserver" in str(error) else 4)
    os._exit(5)

assert forked() == 5
refuse_forked()
refuse_forked()
assert forked() == 3
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_parts_are_done_ahead_in_order_by_another_thread() -> None:
    seen, free = list[str](), threading.Event()

    def work(part: int) -> int:
        seen.append(threading.current_thread().name)
        free.wait(60)
        return 10 * part

    ahead = Ahead(work, [1, 2])
    while not seen:
        time.sleep(0.001)
    assert ahead.result(2) is None  # not begun: whoever asks does it
    free.set()
    assert ahead.result(1) == 10
    assert ahead.result(1) is None  # told once
    assert ahead.result(3) is None
    assert seen == [seen[0]]
    assert seen[0] != threading.current_thread().name


def test_what_fails_ahead_is_left_to_who_asks() -> None:
    done = threading.Event()

    def fail(_: int) -> int:
        done.set()
        raise ValueError("no")

    ahead = Ahead(fail, [1])
    assert done.wait(60)
    assert ahead.result(1) is None


def test_what_is_left_is_not_begun() -> None:
    begun, free = list[int](), threading.Event()

    def work(part: int) -> None:
        begun.append(part)
        free.wait(60)

    ahead = Ahead(work, [1, 2, 3])
    while not begun:
        time.sleep(0.001)
    ahead.leave()
    free.set()
    ahead.result(1)
    assert begun == [1]
