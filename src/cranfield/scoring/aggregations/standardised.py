"""Standardised scores: how a system stands among all systems, topic by topic."""

from __future__ import annotations

import numpy as np

from cranfield.base.checking.spelling import write_value
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import (
    ROUNDING,
    TransformedMean,
    refuse_fewer_than_two,
    scaled,
)
from cranfield.scoring.coverage import ComparedWith, EnteredScores
from cranfield.scoring.reference_scores import reference_scores
from cranfield.scoring.scores import Floats


@option("aggregation", "standardised", aliases=("standardized",))
@dataclass(frozen=True, kw_only=True)
class Standardised(TransformedMean):
    r"""Mean of scores standardised over systems, so that all topics count equally.

        Σ_t w_t·Φ((x_t − μ_t)/σ_t)

    μ_t and σ_t are the mean and the standard deviation (with |systems| − 1) of the scores
    on topic t of all systems, or of the reference systems, Φ the normal distribution.
    Where those all score the same, the topic counts ½ for a system that scores so too, 1
    for one that scores more and 0 for one that scores less. Between 0 and 1. Needs at least
    two systems. Without a reference the value depends on which systems there are; with one
    it depends on no others than these. Webber, Moffat & Zobel 2008.
    """

    reference: str | tuple[str, ...] | None = parameter(
        None, "The systems that give μ and σ: a list of at least two by name, or a file of their "
        "scores, as `cranfield evaluate --per-user` writes it; by default all systems.",
        none="none",
    )  # fmt: skip

    def __post_init__(self) -> None:
        named = self.reference
        if isinstance(named, tuple) and not len(named) == len(set(named)) > 1:
            wanted = "a list of at least two different systems, or a file of scores"
            raise BadParameter("standardised", "reference", write_value(named), wanted)

    @property
    def compares(self) -> ComparedWith:
        """All systems, the reference systems, or none where a file has their scores."""
        if isinstance(self.reference, tuple):
            return self.reference
        return self.reference is None

    @property
    def files(self) -> tuple[str, ...]:
        """The file of the reference systems."""
        return (self.reference,) if isinstance(self.reference, str) else ()

    def transformed(self, entered: EnteredScores) -> Floats:
        """How the system stands on each topic."""
        from scipy.special import ndtr

        return np.asarray(ndtr(_standing(entered.scores, self._reference(entered))))

    def _reference(self, entered: EnteredScores) -> Floats:
        """The scores that give μ and σ (systems × topics)."""
        if isinstance(self.reference, str):
            return reference_scores(str(self), self.reference, entered)
        if self.reference is None:
            refuse_fewer_than_two(str(self), entered)
            return entered.all_scores
        for name in self.reference:
            if name not in entered.systems:
                known = f"one of the systems {', '.join(entered.systems)}"
                raise BadParameter(str(self), "reference", name, known)
        places = [entered.systems.index(name) for name in self.reference]
        return np.asarray(entered.all_scores[places])


def _standing(scores: Floats, reference: Floats) -> Floats:
    """(x − μ)/σ of each topic; 0 or infinite where the reference systems score the same."""
    highest = np.maximum(np.abs(reference).max(axis=0), np.abs(scores))
    scores, reference = scaled(scores, highest), scaled(reference, highest)  # squares stay normal
    deviations, rounding = scores - reference.mean(axis=0), ROUNDING * scaled(highest, highest)
    apart = np.ptp(reference, axis=0) > rounding
    same = np.abs(deviations) <= rounding
    limits = np.where(same, 0.0, np.copysign(np.inf, deviations))
    spread = reference.std(axis=0, ddof=1)
    return np.asarray(np.divide(deviations, spread, out=limits, where=apart))
