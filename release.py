"""What a release adds to the package's metadata: where the project lives.

    CRANFIELD_URL=https://… make dist

Without the variable the package names no address, and links of the README stay relative.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r'(\]\(|src=")(?!https?:|#)([^)"\s]+)')


class Addresses(MetadataHookInterface):
    """The project's pages, below one address."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses; hatchling calls this when it builds."""
        home = os.environ.get("CRANFIELD_URL", "").rstrip("/")
        pages = {"Source": "", "Issues": "/issues", "Changes": "/blob/main/CHANGELOG.md"}
        metadata["urls"] = {name: home + page for name, page in pages.items()} if home else {}
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        shown = absolute(text, home) if home else text
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}


def absolute(text: str, home: str) -> str:
    """A page whose links lead to files of the repository, wherever the page is shown."""

    def led(found: re.Match[str]) -> str:
        kind = "raw" if found[1].startswith("src") else "blob"
        return f"{found[1]}{home}/{kind}/main/{found[2]}"

    return _RELATIVE.sub(led, text)
