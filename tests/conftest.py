"""What tests of several stages share."""

from __future__ import annotations

import pytest

from cranfield.significance import intervals


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals by drawing users take few draws: how many is not what is tested."""
    monkeypatch.setattr(intervals, "_DRAWS", 50)
