"""What a release adds to the package's metadata: where the project lives.

    CRANFIELD_URL=https://… make dist

Without the variable the package names no address.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """The project's pages, below one address."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses; hatchling calls this when it builds."""
        home = os.environ.get("CRANFIELD_URL", "").rstrip("/")
        pages = {"Source": "", "Issues": "/issues", "Changes": "/blob/main/CHANGELOG.md"}
        metadata["urls"] = {name: home + page for name, page in pages.items()} if home else {}
