"""Scores to test with: by hand, or made up by Hypothesis."""

from __future__ import annotations

import cranfield.scoring.aggregations  # noqa: F401
from cranfield.testing.strategies import scores as many_scores
from cranfield.testing.strategies import scores_of

__all__ = ["N", "U", "many_scores", "scores_of"]

U, N = float("nan"), None
"""An undefined score; N stands for a topic without a list."""
