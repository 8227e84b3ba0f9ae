"""Laws of aggregations: the order of topics and of systems does not matter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.coverage import EnteredScores, enter
from cranfield.scoring.scores import Scores
from cranfield.testing.law import law, or_refusal, require, require_close
from cranfield.testing.strategies import scores

_SCORES = scores(counts=True) | scores(counts=True, segments=True)
_ORDERS = st.integers(0, 99)
_SLACK = 1e-9


def _entered(aggregation: Any, measured: Scores, system: int = 0) -> EnteredScores:
    return enter(measured, system, 0, compared=aggregation.compares)


def _value(aggregation: Any, measured: Scores, system: int = 0) -> Any:
    """The value of one system; NaN where no topic enters or the scores are refused."""
    entered = _entered(aggregation, measured, system)
    found = or_refusal(lambda: aggregation.of_scores(entered)) if len(entered) else np.nan
    return np.nan if isinstance(found, str) else found


def _systems(measured: Scores, chosen: npt.NDArray[np.int64]) -> Scores:
    """The scores of chosen systems, in the order of their numbers."""
    return replace(
        measured,
        systems=tuple(measured.systems[place] for place in chosen),
        values=measured.values[chosen],
        covered=measured.covered[chosen],
    )


@law("aggregation", measured=_SCORES, seed=_ORDERS, examples=60)
def the_order_of_topics_changes_no_value(aggregation: Any, measured: Scores, seed: int) -> None:
    """A system has the same value in whatever order the topics come."""
    order = np.random.default_rng(seed).permutation(len(measured))
    found, wanted = (_value(aggregation, each) for each in (measured.take(order), measured))
    require_close(found, wanted, "the value of topics in another order", _SLACK)


@law("aggregation", measured=_SCORES, seed=_ORDERS, examples=60)
def the_order_of_systems_changes_no_value(aggregation: Any, measured: Scores, seed: int) -> None:
    """A system has the same value in whatever order the systems come."""
    order = np.random.default_rng(seed).permutation(len(measured.systems))
    mixed, place = _systems(measured, order), int(np.flatnonzero(order == 0)[0])
    found, wanted = _value(aggregation, mixed, place), _value(aggregation, measured)
    require_close(found, wanted, "the value of systems in another order", _SLACK)


@law("aggregation", when=lambda aggregation: aggregation.compares is not True, measured=_SCORES)
def other_systems_change_no_value(aggregation: Any, measured: Scores) -> None:
    """Unless ``compares`` is true, a system has the same value alone and with others; where
    it names systems, alone with these.
    """
    named = aggregation.compares or ()
    needed = [place for place, name in enumerate(measured.systems) if name in named and place]
    alone = _systems(measured, np.array([0, *needed], dtype=np.int64))
    require_close(_value(aggregation, alone), _value(aggregation, measured), "the value alone", 0)


@law(
    "aggregation",
    when=lambda aggregation: isinstance(aggregation, LinearAggregation),
    measured=_SCORES,
    constant=st.sampled_from([0.0, 1.0, 0.3]),
)
def a_mean_of_equal_scores_is_that_score(
    aggregation: Any, measured: Scores, constant: float
) -> None:
    """Where an aggregation has shares, none is below 0, they add up to 1, and its value is
    the mean of the scores by these shares: the score itself where all are equal. Undefined
    shares are all NaN, and so is the value.
    """
    for values in (measured.values, np.full(measured.values.shape, constant)):
        made = replace(measured, values=values, covered=np.ones_like(measured.covered))
        entered = _entered(aggregation, made)
        shares = or_refusal(lambda e=entered: aggregation.shares(e)) if len(entered) else ""  # type: ignore[misc]
        if not isinstance(shares, str):
            undefined = np.isnan(shares).all()
            require(undefined or (shares >= 0).all(), f"a share of {shares} is below 0")
            total = np.nan if undefined else 1.0
            require_close(shares.sum(), total, f"the sum of the shares {shares}", _SLACK)
            mean = float(shares @ entered.scores)
            require_close(aggregation.of_scores(entered), mean, "the mean by shares", _SLACK)


@law("aggregation", measured=_SCORES)
def a_value_is_a_number_or_undefined(aggregation: Any, measured: Scores) -> None:
    """A value is a number or NaN; scores that have no value are refused in words."""
    entered = _entered(aggregation, measured)
    if len(entered):
        found = or_refusal(lambda: aggregation.of_scores(entered))
        require(isinstance(found, str | float), f"{found!r} is not a number")
