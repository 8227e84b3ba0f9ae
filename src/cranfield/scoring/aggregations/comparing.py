"""What aggregations need that compare a system with others."""

from __future__ import annotations

from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.scoring.coverage import Entered
from cranfield.scoring.scores import Floats

ROUNDING = 1e-12
"""Scores that differ by so small a share of the highest differ by rounding alone."""


def refuse_fewer_than_two(asker: str, entered: Entered) -> None:
    """Refuse to compare a system with nothing."""
    if len(entered.systems) < 2:
        raise MissingFacts(asker, "the scores of at least two systems", "more runs")


def scores_of(asker: str, baseline: str, entered: Entered) -> Floats:
    """The scores of the baseline."""
    if baseline not in entered.systems:
        known = f"one of the systems {', '.join(entered.systems)}"
        raise BadParameter(asker, "baseline", baseline, known)
    scores: Floats = entered.all_scores[entered.systems.index(baseline)]
    return scores
