"""What tests of the base share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cranfield.base import ids

collect_ignore = ["salads.py"]
"""Its options are registered when it is imported, which must happen once."""


@pytest.fixture(scope="module")
def few_ids_are_worth_it() -> Iterator[None]:
    """Ids are numbered by compiled loops, however few they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "COMPILED_ROWS", 1)
        yield
