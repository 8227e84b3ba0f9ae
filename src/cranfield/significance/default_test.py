"""Default test: which test fits an aggregation, and what to say where another was chosen."""

from __future__ import annotations

from typing import Any, cast

from cranfield.base.errors import BadParameter
from cranfield.base.options import from_table, is_option, options
from cranfield.scoring.aggregation import Aggregation, LinearAggregation
from cranfield.significance.correction import Correction, Family
from cranfield.significance.corrections.uncorrected import Uncorrected
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.samples import Samples

_DRAWS = 10_000
"""Draws of a permutation test in which values are recomputed."""


def default_test(aggregation: Aggregation, *, of_means: str) -> PairedTest:
    """The test that fits an aggregation; ``of_means`` names the one for plain means.

    canamares2020 D asks for weighted t for weighted means. Any value that is no mean of
    scores is tested by exchanging the scores of users and computing it anew.
    """
    table: dict[str, object] = {"name": of_means}
    if _name(aggregation) == "weighted-mean":
        table = {"name": "weighted-t", "by": getattr(aggregation, "by", "test")}
    elif not isinstance(aggregation, LinearAggregation):
        table = {"name": "permutation", "draws": _DRAWS}
    return cast(PairedTest, from_table("test", table))


def misfit(test: PairedTest, aggregation: Aggregation) -> str:
    """What a test should be, if it is about another number than the table's; else nothing.

    A mean goes with t, permutation, Wilcoxon and the like, a weighted mean with
    weighted-t too, a geometric mean with log-t; any value with permutation. The sign test
    counts users, whatever the value. canamares2020 D.
    """
    name = _name(aggregation)
    linear = isinstance(aggregation, LinearAggregation) and "mean" in test.fits
    if not test.fits or linear or name in test.fits:
        return _other_parameter(test, aggregation)
    known = cast(dict[str, Any], options("test"))
    fitting = [key for key, kind in known.items() if not kind.fits or name in kind.fits]
    return f"a test for {aggregation}, such as {' or '.join(fitting)}"


def refuse_misfit(test: PairedTest, aggregation: Aggregation) -> None:
    """Refuse a test that is about another number than the table's."""
    if wanted := misfit(test, aggregation):
        raise BadParameter("comparison", "test", str(test), wanted)


def notes_of(
    test: PairedTest,
    correction: Correction,
    samples: Samples,
    family: Family = "metric",
) -> list[str]:
    """What a reader should know before trusting the p-values."""
    notes = [_question(test)]
    # A test that allows for all pairs does not allow for several metrics.
    if family == "metric" or len(samples.metrics) == 1 or not test.whole_family:
        notes.append(_family(test, correction, len(samples.pairs)))
    return [note for note in (*notes, _excluded(samples), _unequal(samples)) if note]


def _name(aggregation: Any) -> str:
    return str(aggregation.option_name) if is_option(aggregation) else str(aggregation)


def _other_parameter(test: PairedTest, aggregation: Aggregation) -> str:
    for name in ("by", "epsilon"):
        mine, other = getattr(test, name, None), getattr(aggregation, name, None)
        if mine is not None and other is not None and mine != other:
            return f"one with {name} = {other}, as {aggregation} has"
    return ""


def _question(test: PairedTest) -> str:
    """What is asked, where it is not whether values differ."""
    if test.asks == PairedTest.asks:
        return ""
    return f"{test} asks {test.asks}, not {PairedTest.asks}."


def _family(test: PairedTest, correction: Correction, pairs: int) -> str:
    uncorrected = isinstance(correction, Uncorrected)
    if test.whole_family and not uncorrected and pairs > 1:
        return (
            f"p-values of {test} allow for all {pairs} pairs already; {correction} raises them "
            f"again. Choose correction none."
        )
    if uncorrected and not test.whole_family and pairs > 1:
        return (
            f"{pairs} pairs are compared without correction: if none differed, {pairs * 0.05:.3g} "
            f"would be expected below 0.05."
        )
    return ""


def _excluded(samples: Samples) -> str:
    total = samples.enters.shape[1]
    missing = {
        name: total - int(samples.users[metric])
        for metric, name in enumerate(samples.metrics)
        if samples.users[metric] < total and not samples.unequal(metric)
    }
    if not missing:
        return ""
    counts = [
        f"{count:,} by {metric}" if place else f"{count:,} of {total:,} users by {metric}"
        for place, (metric, count) in enumerate(missing.items())
    ]
    lack, are = ("lacks", "is") if sum(missing.values()) == 1 else ("lack", "are")
    listed, rest = ", ".join(counts), f"a score of at least one system and {are} excluded"
    return f"{listed} {lack} {rest} for every system."


def _unequal(samples: Samples) -> str:
    """That systems are averaged over users of their own, and by which metrics."""
    names = [name for metric, name in enumerate(samples.metrics) if samples.unequal(metric)]
    if not names:
        return ""
    return f"by {', '.join(names)}, each system is averaged over the users that it has a score for."
