"""Sentences on the order of systems: who is first, how well orders agree, which pairs turn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cranfield.validity.study.order_evidence import order_evidence
from cranfield.validity.study.uncertainty import BasicInterval


class _Designs:
    """What the sentences need of designs: the systems, and who is first in which."""

    def __init__(self, first: list[list[bool]]) -> None:
        self.first = np.array(first)
        self.systems = tuple("ABCDE"[: self.first.shape[1]])

    def __len__(self) -> int:
        return len(self.first)


def sentences(
    first: list[list[bool]],
    *,
    tau: float | None = 0.5,
    reference: str = "base",
    interval: BasicInterval | None = None,
    pairs: tuple[Any, ...] = (),
) -> list[str]:
    designs = _Designs(first)
    counts = designs.first.sum(axis=0).tolist()
    systems = tuple(
        SimpleNamespace(system=name, first=count)
        for name, count in zip(designs.systems, counts, strict=True)
    )
    lowest = None if tau is None else -tau
    movement: Any = SimpleNamespace(
        systems=systems, median_tau=tau, lowest_tau=lowest, reference=reference
    )
    given: Any = designs
    return list(order_evidence(given, movement, pairs, interval))


def pair(won: int, lost: int, *, joint: bool = True, turned: bool = False) -> Any:
    return SimpleNamespace(
        established_wins=won, established_losses=lost, joint_p=0.01 if joint else None,
        reversed_significantly=turned,
    )  # fmt: skip


A, B, C, D = np.eye(4, dtype=bool).tolist()


def test_systems_that_are_first_are_named_most_often_first() -> None:
    assert sentences([A, B, B])[0] == "B is first of 4 systems in 2 of 3 designs and A in 1."


def test_three_are_named_at_most() -> None:
    found = sentences([A, B, B, C, C, C, D, D, D, D])[0]
    assert found == "D is first of 4 systems in 4 of 10 designs, C in 3 and B in 2."


def test_ties_for_the_first_place_are_said() -> None:
    assert "(ties included)" in sentences([[True, True, False]])[0]
    assert "(ties included)" not in sentences([[True, False, False]])[0]


def test_nobody_is_first_without_a_value() -> None:
    assert sentences([[False, False]])[0] == "none of 2 systems has a value."


@pytest.mark.parametrize(
    ("reference", "order"), [("base", "that of the base"), ("mean", "that by mean rank")]
)
def test_orders_are_held_against_the_reference(reference: str, order: str) -> None:
    assert sentences([A, B], tau=0.25, reference=reference)[1] == (
        f"The order of systems agrees with {order} by a median τ of 0.25, at the least −0.25."
    )


def test_the_interval_of_the_median_is_given_where_it_is_known() -> None:
    known = sentences([A, B], interval=BasicInterval(-0.1, 0.75))[1]
    assert "0.50 (95 % interval −0.10 to 0.75)" in known
    unknown = sentences([A, B], interval=BasicInterval(float("nan"), float("nan")))[1]
    assert "interval" not in unknown


@pytest.mark.parametrize(("first", "tau"), [([A], 0.5), ([A, B], None)])
def test_nothing_is_said_of_agreement_where_there_is_none_to_measure(
    first: list[list[bool]], tau: float | None
) -> None:
    assert not any("τ" in sentence for sentence in sentences(first, tau=tau))


def test_pairs_that_each_of_the_two_wins_are_counted() -> None:
    pairs = (pair(1, 1), pair(2, 0), pair(0, 3), pair(4, 5))
    assert sentences([A], pairs=pairs)[-1].startswith("Of the 4 pairs, 2 are won by each")
    assert sentences([A], pairs=(pair(1, 1), pair(2, 0)))[-1].startswith("Of the 2 pairs, 1 is won")


def test_without_a_joint_test_of_all_pairs_each_design_is_taken_by_itself() -> None:
    pairs = (pair(1, 1), pair(1, 1, joint=False, turned=True), pair(0, 0, turned=True))
    found = sentences([A], pairs=pairs)[-1]
    assert found.startswith("Of the 3 pairs, 2 are won significantly")
    assert "neither for the number of designs nor of pairs" in found
