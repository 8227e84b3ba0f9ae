"""What a command says of systems that failed, and the exit code by which scripts know it."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping

from cranfield.view.tables import terminal as tables

SOME_FAILED = 3
"""The exit code of a command that did all but what some systems made impossible."""


def exit_code(failed: Collection[str]) -> int:
    """The exit code of a command after which some systems may have failed."""
    return SOME_FAILED if failed else 0


def say_failed(failed: Mapping[str, str]) -> int:
    """Name each system that failed and why, beside the output; and the exit code."""
    for name, reason in failed.items():
        tables.show(f"{tables.WARNING}{name} failed: {reason}", sys.stderr)
    return exit_code(failed)
