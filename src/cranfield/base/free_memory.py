"""Free memory: how many bytes more this process may use."""

from __future__ import annotations

from pathlib import Path

_MACHINE = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def free_bytes() -> int | None:
    """What the machine has left, within the limit of this process's group; none: not told."""
    told = [found for found in (_left_here(), _left_in_group()) if found is not None]
    return min(told, default=None)


def _left_here() -> int | None:
    """What Linux estimates that can be had without swapping."""
    try:
        lines = _MACHINE.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    kilobytes = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return 1024 * int(kilobytes[0]) if kilobytes else None


def _left_in_group() -> int | None:
    """What is left of the limit of a container, if it has one (cgroup v2)."""
    try:
        most = (_GROUP / "memory.max").read_text(encoding="ascii").strip()
        used = (_GROUP / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return None
    return max(int(most) - int(used), 0) if most.isdecimal() and used.isdecimal() else None
