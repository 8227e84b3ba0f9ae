"""Writes the pages of the reference from what the code declares.

python docs/reference

A test holds the pages to the code, so that neither changes alone.
"""

from __future__ import annotations

from pathlib import Path

import command_page
import decision_page
import option_pages
import python_page
import schema_page

from cranfield.workbench import inventory

DOCS = Path(__file__).resolve().parents[1]


def pages() -> dict[str, str]:
    """The text of every generated page, by the name of its file."""
    inventory.load()
    return {
        **option_pages.pages(),
        "reference-decisions.md": decision_page.page(),
        "reference-python.md": python_page.page(),
        "reference-commands.md": command_page.page(),
        "reference-schemas.md": schema_page.page(),
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
