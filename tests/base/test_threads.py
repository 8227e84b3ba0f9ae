from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.base.threads import VARIABLE, chunks, in_threads, thread_count


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
