"""Metrics that can be corrected for sampled targets.

Where a topic has one relevant item, and nothing else is judged, a score is a function of
one rank. `correctable` metrics take a ``correction``, by which they estimate from a sample
what they would be if all targets were ranked; `cranfield.scoring.measurement.corrected` does so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from cranfield.base.errors import OptionError
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring import sample_corrections  # noqa: F401  (the answers to the parameter)

C = TypeVar("C", bound=type)

CORRECTION = (
    "How the score of a ranking of all targets is estimated where one relevant item is ranked "
    "with sampled ones; without it, the score of the sample."
)


def correctable(cls: C) -> C:
    """Let a metric be made with a correction unless its other parameters forbid it.

    Corrected topics are scored together, as they may depend on each other.
    """
    marked: Any = cls
    checked: Callable[[Any], None] = getattr(cls, "__post_init__", lambda _: None)
    scored: Callable[[Any, TopicHits], float] = marked.of_topic

    def check(self: Any) -> None:
        checked(self)
        if self.correction is not None:
            _refuse_other_forms(self)

    def of_topic(self: Any, topic: TopicHits) -> float:
        if self.correction is not None:
            raise OptionError(f"{self}: corrected topics are scored together. Call measure().")
        return scored(self, topic)

    of_topic.__doc__ = scored.__doc__
    marked.__post_init__, marked.of_topic = check, of_topic
    return cls


_PLAIN = {"unjudged": "non-relevant", "as_": None, "popularity": "none", "propensity": None}
"""Parameters that must have these values where a score is to be a function of one rank."""


def other_form(metric: Any) -> str | None:
    """The parameter by which a metric is no function of one rank, or that of another tool."""
    for name, plain in _PLAIN.items():
        given = getattr(metric, name, plain)
        if given != plain:
            return f"{name.rstrip('_')}={given}"
    return None


def _refuse_other_forms(metric: Any) -> None:
    other, chosen = other_form(metric), metric.correction
    if other is not None:
        raise OptionError(
            f"{metric.option_name}, correction: {chosen} does not go with {other}. "
            "Leave out one of them."
        )
