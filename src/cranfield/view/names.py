"""Names as readers see them: metrics with their gain, targets by the field's short names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cranfield.base.checking.spelling import read_spelling, split_list, write_spelling
from cranfield.base.decisions import default_of
from cranfield.base.errors import CranfieldError
from cranfield.base.options import is_option, parameters, parse, typed_name, written
from cranfield.collection.target_choice import TargetChoice

Label = Callable[[str], str]
"""What a reader sees in place of a metric's spelling."""

_SHORT = {
    "all-items": "AI",
    "test-items": "TI",
    "all-relevant": "AR",
    "one-relevant": "1R",
    "percentiles": "P1R",
    "judged-only": "condensed",
}
_EVERY = "all-nonrelevant"
_GAIN = ", gain = "


def metric_name(metric: Any) -> str:
    """A metric as its user named it, with the gain that it takes, also the default one.

    >>> import cranfield.scoring.metrics
    >>> metric_name(parse("metric", "nDCG@10")), metric_name(parse("metric", "MAP"))
    ('nDCG@10, gain = rating', 'MAP')
    """
    if not is_option(metric):
        return str(metric)
    gain = getattr(metric, "gain", None)
    if gain is None or getattr(metric, "as_", None) is not None:
        return _named(metric)  # the gain of another tool takes the place of its own
    return f"{_named(metric, without='gain')}{_GAIN}{gain}"


def _named(metric: Any, without: str = "") -> str:
    """The spelling of a metric under the name that was typed."""
    given = {
        written(each.name): getattr(metric, each.name)
        for each in parameters(type(metric))
        if each.name != without
        and (each.required or getattr(metric, each.name) != default_of(type(metric), each.name))
    }
    cutoff = given.pop("cutoff", None)
    return write_spelling(typed_name(metric), given, cutoff)


def short_name(metric: Any) -> str:
    """A metric as its user named it, where its gain does not matter."""
    return metric_name(metric).partition(_GAIN)[0]


def metric_label(name: str) -> str:
    """The same of a metric that is known by its spelling alone; others keep their names.

    >>> metric_label("my own metric")
    'my own metric'
    """
    try:
        shown = metric_name(parse("metric", name))
    except CranfieldError:
        return name
    return shown if _GAIN in shown else name


def labels_of(metrics: Iterable[Any]) -> Label:
    """The names of some metrics, as their user typed them."""
    known = {str(metric): metric_name(metric) for metric in metrics}
    return lambda name: known.get(name) or metric_label(name)


def targets_name(choice: TargetChoice) -> str:
    """A set of targets by short names; that all non-relevant items are ranked goes unsaid."""
    return short_targets(str(choice))


def short_targets(text: str) -> str:
    """The same of targets that are spelled; any other text stays as it is.

    >>> short_targets("test-items, one-relevant, sampled(n=99)"), short_targets("full")
    ('TI, 1R, sampled(n=99)', 'full')
    """
    try:
        parts = {part: read_spelling(part).name for part in split_list(text)}
    except CranfieldError:
        return text
    if len(parts) < 2 or not set(parts.values()) & set(_SHORT):
        return text
    shown = {part: name for part, name in parts.items() if part != _EVERY}
    return ", ".join(_SHORT.get(name, name) + part[len(name) :] for part, name in shown.items())
