"""Systems that are named on the command line."""

from __future__ import annotations

from cranfield.base.errors import OptionError


def named_systems(given: list[str]) -> dict[str, str]:
    """Recommenders by name; one without a name is called by its spelling.

    >>> named_systems(["mine=user-kNN(k=5)", "Popularity"])
    {'mine': 'user-kNN(k=5)', 'Popularity': 'Popularity'}
    """
    found: dict[str, str] = {}
    for text in given:
        name, equals, option = text.partition("=")
        if not equals or "(" in name:
            name, option = text, text
        if name.strip() in found:
            raise OptionError(f'--system: two are called "{name.strip()}". Name one differently.')
        found[name.strip()] = option.strip()
    return found
