"""Checks: one function for each kind of option, to be called from the tests of an extension.

Each raises `BrokenLaw`, an AssertionError, that names the option, the law and the smallest
case found. ``without`` names laws that an option does not obey on purpose; ``examples`` is
the number of generated cases per law, instead of the law's own.
"""

from __future__ import annotations

from typing import Any, TypedDict, Unpack

from cranfield.base.errors import OptionError
from cranfield.base.options import is_option
from cranfield.collection.filter import Filter
from cranfield.collection.propensity import Propensity
from cranfield.collection.source import Source
from cranfield.collection.split import Splitter
from cranfield.collection.target import Candidates, Nonrelevant, Relevant
from cranfield.collection.target_choice import TargetChoice
from cranfield.recommendation.recommender import Recommender
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.gain import Gain
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.sample_correction import SampleCorrection
from cranfield.significance.correction import Correction
from cranfield.significance.paired_test import PairedTest
from cranfield.testing.law import EVERY, check_laws
from cranfield.validity.criterion import Criterion


class Extent(TypedDict, total=False):
    """How far a check goes: the laws that are left out, and the generated cases per law."""

    without: tuple[str, ...]
    examples: int | None


def check_option(option: Any, **extent: Unpack[Extent]) -> None:
    """Check what every option must obey, its spelling first, then the laws of its decision."""
    if not is_option(option):
        raise OptionError(f"{option!r} is no option: mark its class with @option.")
    check_laws(EVERY, option, examples=extent.get("examples"))
    check_laws(option.decision, option, **extent)


def check_source(source: Source, **extent: Unpack[Extent]) -> None:
    """Check that a source reads the same ratings every time, each pair once."""
    check_laws("source", source, **extent)


def check_filter(chosen: Filter, **extent: Unpack[Extent]) -> None:
    """Check that a filter keeps a part of the ratings, whatever their order."""
    check_laws("filter", chosen, **extent)


def check_split(splitter: Splitter, **extent: Unpack[Extent]) -> None:
    """Check that a split puts every rating on one side, the same for the same seed."""
    check_laws("split", splitter, **extent)


def check_targets(
    chosen: TargetChoice | Candidates | Relevant | Nonrelevant, **extent: Unpack[Extent]
) -> None:
    """Check that targets hold no training item and depend on no other user.

    One of the three options that choose targets is checked together with all of the rest.
    """
    check_laws("targets", chosen, **extent)


def check_propensity(propensity: Propensity, **extent: Unpack[Extent]) -> None:
    """Check that propensities are chances that follow from training and seed, pair by pair."""
    check_laws("propensity", propensity, **extent)


def check_estimator(estimator: Estimator, **extent: Unpack[Extent]) -> None:
    """Check that weights fall as propensities rise, to 1 for what is certain."""
    check_laws("estimator", estimator, **extent)


def check_recommender(recommender: Recommender, **extent: Unpack[Extent]) -> None:
    """Check that predictions follow from training, option and seed, user by user."""
    check_laws("recommender", recommender, **extent)


def check_gain(gain: Gain, **extent: Unpack[Extent]) -> None:
    """Check that gains are never negative and never fall as ratings rise."""
    check_laws("gain", gain, **extent)


def check_metric(metric: Metric, **extent: Unpack[Extent]) -> None:
    """Check that scores stay within bounds, reward better rankings and know no labels."""
    check_laws("metric", metric, **extent)


def check_run_metric(metric: RunMetric, **extent: Unpack[Extent]) -> None:
    """Check that values stay within bounds and know no labels."""
    check_laws("run-metric", metric, **extent)


def check_aggregation(aggregation: Aggregation, **extent: Unpack[Extent]) -> None:
    """Check that the order of topics and systems does not matter, and that means are means."""
    check_laws("aggregation", aggregation, **extent)


def check_paired_test(test: PairedTest, **extent: Unpack[Extent]) -> None:
    """Check that p-values are probabilities, symmetric, reproducible, and hold their level."""
    check_laws("test", test, **extent)


def check_correction(correction: Correction, **extent: Unpack[Extent]) -> None:
    """Check that adjusted p-values are never below raw ones and keep their order."""
    check_laws("correction", correction, **extent)


def check_sample_correction(correction: SampleCorrection, **extent: Unpack[Extent]) -> None:
    """Check that every topic has an estimate, which its place among others does not change."""
    check_laws("sample-correction", correction, **extent)


def check_criterion(criterion: Criterion, **extent: Unpack[Extent]) -> None:
    """Check that the same evidence gives the same verdict, in words and figures."""
    check_laws("criterion", criterion, **extent)
