"""What criteria need, and what they say where it is missing."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield.validity.criteria  # noqa: F401  (makes the options known)
from cranfield.base.errors import MissingFacts, TooFew
from cranfield.base.options import options, parse
from cranfield.validity.criterion import Evidence, refuse_too_few, refuse_too_few_metrics

NAMES = sorted(options("criterion"))


@pytest.mark.parametrize("name", NAMES)
def test_without_evidence_a_criterion_says_what_it_needs(name: str) -> None:
    with pytest.raises(MissingFacts, match=rf"^{name} needs"):
        parse("criterion", name).assess(Evidence())


def test_what_takes_time_or_memory_is_asked_for_by_those_who_use_it() -> None:
    kinds: dict[str, Any] = dict(options("criterion"))
    assert [name for name in NAMES if kinds[name].needs_p_values] == ["discriminative-power"]
    assert [name for name in NAMES if kinds[name].needs_hits] == ["robustness"]


@pytest.mark.parametrize(("systems", "users"), [(2, None), (2, 2), (21, 6040)])
def test_two_systems_and_two_users_are_enough(systems: int, users: int | None) -> None:
    refuse_too_few("x", systems, users)


@pytest.mark.parametrize(
    ("systems", "users", "told"),
    [
        (1, None, "x needs at least 2 systems; here 1 can be used"),
        (0, 9, "x needs at least 2 systems; here 0 can be used"),
        (2, 1, "x needs at least 2 users; here 1 can be used"),
        (2, 0, "x needs at least 2 users; here 0 can be used"),
    ],
)
def test_fewer_are_refused_with_their_number(systems: int, users: int | None, told: str) -> None:
    with pytest.raises(TooFew, match=told):
        refuse_too_few("x", systems, users)


@pytest.mark.parametrize(("metrics", "enough"), [(0, False), (1, False), (2, True), (9, True)])
def test_a_criterion_that_compares_metrics_takes_two(metrics: int, enough: bool) -> None:
    criterion = parse("criterion", "correlation")
    if enough:
        refuse_too_few_metrics("correlation", criterion, metrics)
    else:
        with pytest.raises(TooFew, match="correlation needs at least 2 metrics"):
            refuse_too_few_metrics("correlation", criterion, metrics)


@pytest.mark.parametrize("name", NAMES)
def test_every_criterion_takes_at_least_one_metric(name: str) -> None:
    criterion = parse("criterion", name)
    assert criterion.least_metrics >= 1
    refuse_too_few_metrics(name, criterion, criterion.least_metrics)
