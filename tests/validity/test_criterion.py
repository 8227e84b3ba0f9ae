"""What criteria need, and what they say where it is missing."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield.validity.criteria  # noqa: F401  (makes the options known)
from cranfield.base.errors import MissingFacts, TooFew
from cranfield.base.options import options, parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection, collect
from cranfield.validity.criterion import (
    Evidence,
    evidence_of_items,
    refuse_too_few,
    refuse_too_few_metrics,
)

NAMES = sorted(options("criterion"))


@pytest.mark.parametrize("name", NAMES)
def test_without_evidence_a_criterion_says_what_it_needs(name: str) -> None:
    with pytest.raises(MissingFacts, match=rf"^{name} needs"):
        parse("criterion", name).assess(Evidence())


def test_what_takes_time_or_memory_is_asked_for_by_those_who_use_it() -> None:
    kinds: dict[str, Any] = dict(options("criterion"))
    assert [name for name in NAMES if kinds[name].needs_p_values] == ["discriminative-power"]
    assert [name for name in NAMES if kinds[name].needs_hits] == [
        "robustness",
        "sampling",
        "thinned-discriminative-power",
    ]
    assert [name for name in NAMES if kinds[name].needs_scores] == ["stability"]
    assert [name for name in NAMES if kinds[name].needs_test] == ["thinned-discriminative-power"]
    assert [name for name in NAMES if kinds[name].needs_values] == ["correlation"]


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


def collection(train: list[int] | None, test: list[int]) -> TestCollection:
    """One rating of 5 by each of some users for each item named."""
    parts = [
        None if items is None else Ratings.from_triples(
            [f"{place}{who}" for place in range(len(items))], [f"i{item}" for item in items],
            [5.0] * len(items),
        )
        for who, items in (("a", train), ("b", test))
    ]  # fmt: skip
    assert parts[1] is not None
    return collect(parts[0], parts[1], relevance=4)


def test_items_are_counted_in_training_alone_and_in_all_folds() -> None:
    one, two = collection([1, 1, 2, 3], [1, 2]), collection([1, 2, 2, 3], [1, 1])
    known = evidence_of_items([one])
    assert known.train_counts is not None
    assert known.popularity is not None
    assert known.train_counts.tolist() == [2, 1, 1]
    assert known.popularity.tolist() == [3, 2, 1]
    assert known.n_items == 3
    both = evidence_of_items([one, two])
    assert both.train_counts is not None
    assert both.train_counts.tolist() == [3, 3, 2]


def test_without_training_neither_its_counts_nor_the_catalogue_are_known() -> None:
    known = evidence_of_items([collection(None, [1, 2])])
    assert known.train_counts is None
    assert known.n_items is None
    assert known.popularity is not None
