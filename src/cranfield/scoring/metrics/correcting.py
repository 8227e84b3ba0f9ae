"""Metrics that can be corrected for sampled targets.

Where a topic has one relevant item, and nothing else is judged, a score is a function of
one rank. A `CorrectableMetric` takes a ``correction``, by which it estimates from a sample
what it would be if all targets were ranked; `cranfield.scoring.measurement.corrected` does so.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from importlib import import_module
from typing import Any

from cranfield.base.errors import OptionError
from cranfield.base.options import load_later
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import Metric, is_corrected, labels_unjudged
from cranfield.scoring.metrics.unjudged import of_labelled

load_later("sample-correction", partial(import_module, "cranfield.scoring.sample_corrections"))
CORRECTION = (
    "How the score over all targets is estimated where one relevant item is ranked among "
    "sampled ones; without it, the score of the sample."
)


class CorrectableMetric(Metric):
    """A metric whose plain form gives way to others that its parameters choose.

    With ``unjudged``, the unjudged items of the top n are labelled first. With
    ``correction``, topics are scored together, as they may depend on each other.
    """

    def __post_init__(self) -> None:
        if is_corrected(self):
            _refuse_other_forms(self)

    @abstractmethod
    def plain_score(self, topic: TopicHits) -> float:
        """The score of one topic by the formula alone; NaN where it is undefined."""

    def of_topic(self, topic: TopicHits) -> float:
        """The score of one topic, in the form that the parameters choose."""
        if is_corrected(self):
            raise OptionError(f"{self}: corrected topics are scored together. Call measure().")
        return of_labelled(self, topic) if labels_unjudged(self) else self.plain_score(topic)


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
