"""Words that go with numbers."""

from __future__ import annotations


def counted(number: int, one: str, more: str | None = None) -> str:
    """A number and what is counted, whose plural has an s unless it is given.

    >>> counted(1, "row names", "rows name"), counted(1200, "fit")
    ('1 row names', '1,200 fits')
    """
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"
