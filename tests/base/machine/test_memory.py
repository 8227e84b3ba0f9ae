"""The memory of the process: what it has, the most it had, and the peak within a block."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from cranfield.base.machine import memory
from cranfield.base.machine.memory import (
    PeakMemory,
    free_bytes,
    machine_bytes,
    most_bytes,
    resident_bytes,
)

MEGABYTES = 1 << 20

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there it is all told")


def hold(megabytes: int, seconds: float = 0.0) -> int:
    """Have so much memory for a while, all of it touched."""
    held = np.ones(megabytes * MEGABYTES, dtype=np.uint8)
    time.sleep(seconds)
    return int(held[-1])


@on_linux
def test_the_process_has_no_more_than_the_most_and_the_machine_has_more() -> None:
    nearly = 1 * MEGABYTES  # pages are counted thread by thread, and added up late
    assert 10 * MEGABYTES < resident_bytes() <= most_bytes() + nearly < machine_bytes()


@on_linux
def test_a_new_maximum_is_known_even_if_it_lasts_but_a_moment() -> None:
    above = (most_bytes() - resident_bytes()) // MEGABYTES + 64
    with PeakMemory() as peak:
        hold(above)
    assert peak.bytes == pytest.approx(most_bytes(), abs=MEGABYTES)


@on_linux
def test_a_peak_below_the_maximum_is_seen_if_it_lasts() -> None:
    hold(300)
    before = resident_bytes()
    with PeakMemory() as low:
        time.sleep(0.01)
    with PeakMemory() as high:
        hold(100, 0.2)
    assert low.bytes < before + 60 * MEGABYTES
    assert before + 60 * MEGABYTES < high.bytes < most_bytes()


@on_linux
def test_a_block_that_is_over_is_watched_no_more() -> None:
    hold(300)
    with pytest.raises(ZeroDivisionError), PeakMemory() as peak:
        raise ZeroDivisionError
    before = peak.bytes
    assert before > 0
    hold(100, 0.1)
    assert peak.bytes == before


@on_linux
def test_blocks_within_blocks_are_watched_by_one_thread() -> None:
    hold(300)
    with PeakMemory() as outer:
        threads = threading.active_count()
        with PeakMemory() as inner:
            time.sleep(0.05)
            assert threading.active_count() == threads
        hold(100, 0.1)
    assert outer.bytes > inner.bytes + 50 * MEGABYTES
    assert len([each for each in threading.enumerate() if each.name == "cranfield-memory"]) == 1


def test_without_room_for_a_thread_the_ends_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(memory, "_WATCHER", memory._Watcher())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(memory, "most_bytes", lambda: 10)
    monkeypatch.setattr(memory, "resident_bytes", iter([3, 5]).__next__)
    with PeakMemory() as peak:
        pass
    assert peak.bytes == 5


def test_where_only_the_maximum_is_told_it_is_the_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "most_bytes", lambda: 7)
    monkeypatch.setattr(memory, "resident_bytes", lambda: 0)
    with PeakMemory() as peak:
        pass
    assert peak.bytes == 7


def told(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> int | None:
    """What is free where these files, and no others, tell of memory."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="ascii")
    monkeypatch.setattr(memory, "_MACHINE", folder / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", folder)
    return free_bytes()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"meminfo": "MemTotal: 9 kB\nMemAvailable:   7 kB\n"}, 7 * 1024),
        ({"meminfo": "MemTotal: 9 kB\n"}, None),
        ({"memory_max": "max\n", "memory_current": "5\n"}, None),
        ({"memory_max": "900\n", "memory_current": "300\n"}, 600),
        ({"memory_max": "900\n", "memory_current": "1000\n"}, 0),
        ({"meminfo": "MemAvailable: 1 kB", "memory_max": "900", "memory_current": "300"}, 600),
        ({"meminfo": "MemAvailable: 1 kB", "memory_max": "9000", "memory_current": "0"}, 1024),
    ],
)
def test_the_least_of_what_is_told_is_free(
    files: dict[str, str], expected: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(tmp_path, monkeypatch, **files) == expected


def test_what_is_free_here_is_a_number_or_not_told() -> None:
    found = free_bytes()
    assert found is None or found > 0
