"""Data that Hypothesis makes up, the awkward cases first: those that extensions get too."""

from __future__ import annotations

from cranfield.testing.strategies import (
    SEEDS,
    SHARES,
    ids,
    logs,
    random_ratings,
    ratings,
    shuffled,
)

__all__ = ["SEEDS", "SHARES", "ids", "logs", "random_ratings", "ratings", "shuffled"]
