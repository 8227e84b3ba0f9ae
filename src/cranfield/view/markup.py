"""Markup: elements of HTML and SVG in which everything that comes from data stays text."""

from __future__ import annotations

import json
from html import escape
from typing import Any


class Markup(str):
    """Text that is markup already: made here, never taken from data."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element; children that are not markup and all attributes are escaped.

    Attributes that are None are left out, and "_" stands for "-" (``class_`` is class).

    >>> print(element("td", "a < b", class_="n", title='"onload='))
    <td class="n" title="&quot;onload=">a &lt; b</td>
    """
    parts = [
        f' {key.rstrip("_").replace("_", "-")}="{text(printed(value))}"'
        for key, value in attributes.items()
        if value is not None
    ]
    return Markup(f"<{name}{''.join(parts)}>{joined(*children)}</{name}>")


def joined(*children: str, between: str = "") -> Markup:
    """Children one after the other, those that are not markup escaped."""
    safe = (child if isinstance(child, Markup) else text(child) for child in children)
    return Markup(between.join(safe))


_KEPT = "\n\t\u00a0\u202f\u2009\u200c\u200d"
"""Not printable by themselves, but at home in text: spaces, and joiners of letters."""


def text(value: str) -> Markup:
    """Text as it is, but for control characters: they are shown as such."""
    shown = "".join(c if c.isprintable() or c in _KEPT else "\ufffd" for c in value)
    return Markup(escape(shown))


def printed(value: str | float) -> str:
    """A value of an attribute: numbers to a tenth, as a place on a page needs."""
    if isinstance(value, str):
        return value
    return f"{value:.1f}".removesuffix(".0")


_HARMLESS = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def embedded_json(data: Any) -> Markup:
    r"""Data as JSON that can stand within a page: nothing in it can end the element.

    >>> print(embedded_json(["</script>"]))
    ["\u003c/script\u003e"]
    """
    made = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(made.translate(_HARMLESS))
