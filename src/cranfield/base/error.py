"""CranfieldError: what every error of a user's making is, and how values are shown in it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class CranfieldError(Exception):
    """Something the user can put right; its text is all that a command prints."""


def near(name: str, known: Iterable[str]) -> str:
    """A hint at the closest known name, or nothing."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return f' Did you mean "{by_folded[close[0]]}"?' if close else ""


def shown(value: object) -> str:
    """A value as a user would recognise it: text in quotes, numbers bare, long text cut."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    return f'"{value if len(value) <= 60 else value[:57] + "…"}"'
