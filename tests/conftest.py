"""What tests of several stages share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from cranfield.significance import intervals

settings.register_profile("some", max_examples=40)
settings.register_profile("all", max_examples=100)
settings.load_profile(os.environ.get("CRANFIELD_CASES", "some"))
"""How many cases a property is tried on that does not say so itself: some in the fast suite, all
with `make test-slow`."""


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals by drawing users take few draws: how many is not what is tested."""
    monkeypatch.setattr(intervals, "_DRAWS", 50)
