"""Default test: which test fits an aggregation, and what to say where another was chosen."""

from __future__ import annotations

from typing import Any, cast

from cranfield.base.options import from_table, is_option, options
from cranfield.scoring.aggregation import Aggregation
from cranfield.significance.correction import Correction, Family
from cranfield.significance.corrections.uncorrected import Uncorrected
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples import Samples

_OF_AGGREGATION = {
    "weighted-mean": ("weighted-t", "by"),
    "geometric-mean": ("log-t", "epsilon"),
    "median": ("sign", None),
}
"""For each aggregation that is not a mean: its test, and the parameter that they share."""


def default_test(aggregation: Aggregation, *, of_means: str) -> PairedTest:
    """The test that fits an aggregation; ``of_means`` names the one for plain means.

    canamares2020 D: weighted t for weighted means, t on ln(x + ε) for the geometric mean.
    The sign test asks for how many users a system is better, as a median does. Any other
    aggregation is tested as means are, and the comparison notes that the test does not fit.
    """
    test, shared = _OF_AGGREGATION.get(_name(aggregation), (of_means, None))
    table: dict[str, object] = {"name": test}
    if shared is not None:
        table[shared] = getattr(aggregation, shared)
    return cast(PairedTest, from_table("test", table))


def misfit(test: PairedTest, aggregation: Aggregation) -> str:
    """Why a test does not answer what an aggregation asks; empty if it does.

    A mean goes with t, permutation, Wilcoxon and the like, a weighted mean with
    weighted-t, a geometric mean with log-t; the sign test counts users. canamares2020 D.
    """
    name = _name(aggregation)
    if name in test.fits:
        return _other_parameter(test, aggregation)
    fitting = [key for key, kind in options("test").items() if name in cast(Any, kind).fits]
    remedy = f"For {name} choose {' or '.join(fitting)}" if fitting else f"No test fits {name}"
    return f"{test} asks {test.asks}, not about values by {aggregation}. {remedy}."


def notes_of(
    test: PairedTest,
    correction: Correction,
    aggregation: Aggregation,
    samples: Samples,
    family: Family = "metric",
) -> list[str]:
    """What a reader should know before trusting the p-values."""
    notes = [misfit(test, aggregation)]
    # A test that allows for all pairs does not allow for several metrics.
    if family == "metric" or len(samples.metrics) == 1 or not test.whole_family:
        notes.append(_family(test, correction, len(samples.pairs)))
    return [note for note in (*notes, _excluded(samples)) if note]


def _name(aggregation: Any) -> str:
    return str(aggregation.option_name) if is_option(aggregation) else str(aggregation)


def _other_parameter(test: PairedTest, aggregation: Aggregation) -> str:
    for name in ("by", "epsilon"):
        mine, other = getattr(test, name, None), getattr(aggregation, name, None)
        if mine is not None and other is not None and mine != other:
            return f"{test} has {name} = {mine}, and {aggregation} has {name} = {other}."
    return ""


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
        metric: total - count
        for metric, count in zip(samples.metrics, samples.users.tolist(), strict=True)
        if count < total
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
