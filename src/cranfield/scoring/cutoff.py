"""Cut-offs: how deep a metric looks into a list."""

from __future__ import annotations

from typing import Any

from cranfield.base.decisions import parameter

DEEPEST = 2**31 - 1
"""No list is longer, as items are numbered in 32 bits."""


def cutoff_parameter(text: str, default: int | None = None) -> Any:
    """The field of an option that holds its cut-off."""
    return parameter(default, text, at_least=1, at_most=DEEPEST)
