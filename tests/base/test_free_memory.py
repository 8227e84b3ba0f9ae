"""Free memory: what the machine and the group leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.base import free_memory
from cranfield.base.free_memory import free_bytes


def told(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> int | None:
    """What is free where these files, and no others, tell of memory."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="ascii")
    monkeypatch.setattr(free_memory, "_MACHINE", folder / "meminfo")
    monkeypatch.setattr(free_memory, "_GROUP", folder)
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
