"""Examples of options, made from what they declare."""

from __future__ import annotations

from typing import Literal, Union

import pytest

from cranfield.testing import examples_of
from cranfield.testing.examples import members
from law_cases import DECISIONS


def spelled(decision: str, name: str) -> list[str]:
    return [str(made) for made in examples_of(decision)[name]]


def test_every_word_of_a_closed_list_and_both_truth_values_occur() -> None:
    assert spelled("split", "leave-out") == [
        *("leave-out", "leave-out(count=3)", "leave-out(pick=latest)", "leave-out(repeats=3)")
    ]
    assert spelled("test", "tukey-hsd") == ["tukey-hsd", "tukey-hsd(blocks=false)"]


def test_numbers_stay_within_their_bounds() -> None:
    assert spelled("metric", "StratifiedRecall")[0] == "StratifiedRecall(gamma=1)"
    assert spelled("metric", "RBO") == ["RBO(p=0.5)"]


def test_what_needs_text_or_a_table_cannot_be_made_up() -> None:
    assert spelled("gain", "table") == spelled("source", "file") == spelled("split", "given") == []


def test_what_needs_one_of_two_parameters_is_made_with_one() -> None:
    assert "rating-range" not in spelled("filter", "rating-range")
    assert "rating-range(at_least=3)" in spelled("filter", "rating-range")


@pytest.mark.parametrize("decision", DECISIONS)
def test_no_example_is_there_twice(decision: str) -> None:
    for made in examples_of(decision).values():
        assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    ("hint", "kinds"),
    [
        (int, [int]),
        (int | None, [int]),
        (Union[int, str, None], [int, str]),  # noqa: UP007
        (Literal["a", "b"], [Literal["a", "b"]]),
        (Literal["a"] | None, [Literal["a"]]),
        (tuple[int, ...], [tuple[int, ...]]),
    ],
)
def test_the_members_of_a_type(hint: object, kinds: list[object]) -> None:
    assert members(hint) == kinds
