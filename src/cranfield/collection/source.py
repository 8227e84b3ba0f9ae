"""Source: where ratings come from."""

from __future__ import annotations

from typing import Protocol

from cranfield.base.options import contract
from cranfield.collection.ratings import Ratings


@contract("source")
class Source(Protocol):
    """Where ratings come from (decision A1)."""

    def read(self) -> Ratings:
        """All ratings of the source."""
        ...
