"""Fit: whether a test answers the question that an aggregation asks."""

from __future__ import annotations

from typing import Any, cast

from cranfield.base.options import from_table, is_option, options
from cranfield.scoring.aggregation import Aggregation
from cranfield.significance.correction import Correction, Family
from cranfield.significance.corrections.uncorrected import Uncorrected
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples import Samples


def notes_of(
    test: PairedTest,
    correction: Correction,
    aggregation: Aggregation,
    samples: Samples,
    family: Family = "metric",
) -> list[str]:
    """What a reader should know before believing the p-values."""
    found = [misfit(test, aggregation), _left_out(samples)]
    # A test that allows for all pairs does not allow for several metrics.
    if family == "metric" or len(samples.metrics) == 1 or not test.whole_family:
        found.insert(1, _family(test, correction, len(samples.pairs)))
    return [note for note in found if note]


def misfit(test: PairedTest, aggregation: Aggregation) -> str:
    """Why a test does not answer what an aggregation asks; nothing if it does.

    A mean goes with t, permutation, Wilcoxon and the like, a weighted mean with
    weighted-t, a geometric mean with log-t; the sign test counts users. canamares2020 D.
    """
    name = _name(aggregation)
    if name in test.fits:
        return _other_parameter(test, aggregation)
    fitting = [key for key, kind in options("test").items() if name in _fits(kind)]
    remedy = f"For {name} choose {' or '.join(fitting)}" if fitting else f"No test fits {name}"
    return f"{test} asks {test.asks}, not about values by {aggregation}. {remedy}."


def _other_parameter(test: Any, aggregation: Any) -> str:
    for name in ("by", "epsilon"):
        mine, other = getattr(test, name, None), getattr(aggregation, name, None)
        if mine is not None and other is not None and mine != other:
            return f"{test} has {name} = {mine}, and {aggregation} has {name} = {other}."
    return ""


def _name(aggregation: Any) -> str:
    return str(aggregation.option_name) if is_option(aggregation) else str(aggregation)


def _fits(kind: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = kind.fits
    return found


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


def _left_out(samples: Samples) -> str:
    total = samples.enters.shape[1]
    missing = [
        f"{total - count:,} by {metric}"
        for metric, count in zip(samples.metrics, samples.users.tolist(), strict=True)
        if count < total
    ]
    if not missing:
        return ""
    listed = ", ".join(missing)
    return f"of {total:,} users, some are left out for all systems, as one lacks them: {listed}."


_OF_AGGREGATION = {
    "weighted-mean": ("weighted-t", "by"),
    "geometric-mean": ("log-t", "epsilon"),
    "median": ("sign", None),
}
"""For each aggregation that is not a mean: its test, and the parameter that they share."""


def default_test(aggregation: Aggregation, *, of_means: str) -> PairedTest:
    """The test that fits an aggregation; ``of_means`` names the one for plain means.

    canamares2020 D: weighted t for weighted means, t on ln(x + ε) for the geometric mean.
    The sign test asks for how many users a system is better, as a median does. Whatever
    else is aggregated is tested as means are, and the comparison says that it does not fit.
    """
    name = str(cast(Any, aggregation).option_name) if is_option(aggregation) else ""
    test, shared = _OF_AGGREGATION.get(name, (of_means, None))
    table: dict[str, object] = {"name": test}
    if shared is not None:
        table[shared] = getattr(aggregation, shared)
    return cast(PairedTest, from_table("test", table))
