"""What users give to verbs: options by their spelling, and what is refused in a sentence."""

from __future__ import annotations

from typing import Any

from cranfield.base import options
from cranfield.base.errors import OptionError, shown
from cranfield.workbench import inventory


def option_of(decision: str, given: Any) -> Any:
    """An option, from its spelling if it is text."""
    inventory.load()
    chosen = options.parse(decision, given) if isinstance(given, str) else given
    if not options.fulfils(decision, chosen):
        listed = f"`cranfield options {decision}` lists them."
        raise OptionError(f"{wrong_kind(given)} a {decision}. {listed}")
    return chosen


def wrong_kind(given: object) -> str:
    """The start of a sentence that refuses something of the wrong kind."""
    return f"{shown(given) if isinstance(given, str | int) else type(given).__name__} is not"
