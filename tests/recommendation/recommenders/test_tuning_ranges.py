"""Ranges worth tuning: every recommender that ships declares them, and they hold its defaults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.checking.ranges import Choice, Range
from cranfield.base.options import options, parameters, parse
from cranfield.base.seeds import Seeds
from cranfield.workbench import inventory
from learnable import everyone, grouped

inventory.load()

UNTUNED = {"AverageRating", "MedianRating", "Popularity", "Random", "oracle"}
"""Recommenders without a parameter worth tuning."""
OPEN = {("user-kNN", "shrinkage"), ("item-kNN", "shrinkage"), ("MF", "alpha")}
"""Defaults on purpose outside: none at all, where a range goes by orders of magnitude; and one
that a paper prints.
"""
TUNED = sorted(
    (decision, name)
    for decision in ("recommender", "smoothing")
    for name, cls in options(decision).items()
    if cls.__module__.startswith("cranfield.") and name not in UNTUNED
)
GOOD = {
    "regularisation": (5.0, 60.0), "alpha": (1.0, 40.0), "l1": (0.3, 10.0), "l2": (50.0, 3000.0),
}  # fmt: skip
"""Numbers that did well on implicit and on explicit data, by parameter of WRMF and SLIM."""

each = pytest.mark.parametrize(("decision", "name"), TUNED)


def ranges_of(decision: str, name: str) -> dict[str, Any]:
    """What NAME(tune) tunes, by parameter."""
    asked = parse(decision, f"{name}(tune)")
    found = {known.name: getattr(asked, known.name) for known in parameters(type(asked))}
    return {key: value for key, value in found.items() if isinstance(value, Range | Choice)}


@each
def test_every_one_that_learns_declares_a_range(decision: str, name: str) -> None:
    assert ranges_of(decision, name)


def test_only_those_without_such_parameters_declare_none() -> None:
    for name in UNTUNED:
        assert not any(known.tune for known in parameters(options("recommender")[name]))


@each
def test_ranges_hold_the_defaults(decision: str, name: str) -> None:
    known = {each.name: each for each in parameters(options(decision)[name])}
    for key, asked in ranges_of(decision, name).items():
        default: Any = known[key].default
        if default == "auto" or (name, key) in OPEN:
            continue
        if isinstance(asked, Range):
            assert asked.low <= default <= asked.high, key
        elif hasattr(default, "option_name"):
            assert default.option_name in {choice.option_name for choice in asked.values}, key
        else:
            assert default in asked.values, key


@each
def test_numbers_that_are_not_whole_are_not_tuned_as_if_they_were(decision: str, name: str) -> None:
    """Whole ends mean whole numbers: too coarse for a float that may be as small as 5."""
    known = {each.name: each for each in parameters(options(decision)[name])}
    for key, asked in ranges_of(decision, name).items():
        if isinstance(asked, Range) and known[key].type is not int and asked.low < 5:
            assert not asked.whole or key in ("shrinkage", "damping"), key


@pytest.mark.parametrize("name", ["WRMF", "SLIM"])
def test_ranges_suit_explicit_and_implicit_data(name: str) -> None:
    for key, asked in ranges_of("recommender", name).items():
        for good in GOOD.get(key, ()):
            assert asked.low <= good <= asked.high, key


@pytest.mark.parametrize("name", ["user-kNN", "item-kNN", "RP3beta", "PureSVD", "EASE", "SLIM"])
def test_what_is_drawn_from_either_end_can_be_fitted(name: str) -> None:
    train, _ = grouped()
    ranges = ranges_of("recommender", name)
    for share in (0.0, 0.999):
        drawn = {
            key: asked.at(share) if isinstance(asked, Range) else asked.values[int(share > 0)]
            for key, asked in ranges.items()
        }
        fitted = options("recommender")[name](**drawn).fit(train, Seeds(1))
        assert np.isfinite(fitted.predict(everyone(train))).any()


@pytest.mark.parametrize(
    ("name", "key", "source"),
    [
        ("SLIM", "l1", "MovieLens 1M"),
        ("SLIM", "l2", "MovieLens 1M"),
        ("WRMF", "regularisation", "MovieLens 1M"),
        ("WRMF", "alpha", "Gowalla"),
        ("EASE", "regularisation", "MovieLens 20M"),
        ("PureSVD", "factors", "MovieLens 1M"),
        ("RP3beta", "beta", "MovieLens 1M"),
    ],
)
def test_a_default_that_came_from_one_data_set_says_so(name: str, key: str, source: str) -> None:
    known = {each.name: each for each in parameters(options("recommender")[name])}
    assert source in known[key].text
