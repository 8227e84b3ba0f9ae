"""Groups of items: head and tail by a plain loop, labels, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.errors import CranfieldError, MissingFacts, OptionError
from cranfield.base.options import parse
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.items import ItemFacts
from suites import tries

COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=9)


def groups(spelled: str, counts: list[int], **known: Any) -> list[list[int]]:
    """The items of each group."""
    facts = ItemFacts(np.array(counts, dtype=np.int64), 9, **known)
    made = parse("item-groups", spelled).of_items(facts)
    return [np.flatnonzero(column).tolist() for column in made.weights.T]


def plain_head(counts: list[int], share: float) -> set[int]:
    """From the most popular down, until the share is reached; ties enter together."""
    head: set[int] = set()
    for level in sorted({count for count in counts if count}, reverse=True):
        if sum(counts[i] for i in head) >= share * sum(counts):
            break
        head |= {i for i, count in enumerate(counts) if count == level}
    return head


def test_the_head_has_the_share_of_ratings_and_the_item_that_reaches_it() -> None:
    assert groups("popularity", [50, 30, 15, 5]) == [[0, 1], [2, 3]]
    assert groups("popularity(head=0.81)", [50, 30, 15, 5]) == [[0, 1, 2], [3]]
    assert groups("popularity(head=0.5)", [50, 30, 15, 5]) == [[0], [1, 2, 3]]


def test_three_groups_are_cut_from_both_ends() -> None:
    made = groups("popularity(head=0.2, tail=0.2)", [50, 20, 10, 8, 7, 5])
    assert made == [[0], [1, 2], [3, 4, 5]]  # 5 + 7 = 12 < 20, and 8 more reach it


@settings(deadline=None, max_examples=tries(100))
@given(counts=COUNTS, share=st.sampled_from([0.2, 0.5, 0.8, 0.29]))
def test_head_and_tail_are_those_of_a_plain_loop(counts: list[int], share: float) -> None:
    head, tail = groups(f"popularity(head={share})", counts)
    assert set(head) == plain_head(counts, share)
    assert sorted([*head, *tail]) == list(range(len(counts)))


@settings(deadline=None, max_examples=tries(60))
@given(counts=COUNTS)
def test_every_item_is_in_one_of_three_groups_and_equal_ones_together(counts: list[int]) -> None:
    made = groups("popularity(head=0.3, tail=0.3)", counts)
    assert sorted(item for group in made for item in group) == list(range(len(counts)))
    place = {item: number for number, group in enumerate(made) for item in group}
    alike = {(counts[item], number) for item, number in place.items()}
    assert len(alike) == len(set(counts))
    ordered = [number for _, number in sorted(alike, reverse=True)]
    assert ordered == sorted(ordered)  # from the head down


def test_labels_are_taken_as_they_are_given() -> None:
    weights = np.array([[0.5, 0.5], [0, 1], [0, 0]])
    labels = {"genre": ItemLabels("genre", ("love", "war"), weights)}
    assert groups("label(genre)", [1, 1, 1], labels=labels) == [[0], [0, 1]]


def test_a_column_that_nobody_gave_is_asked_for() -> None:
    with pytest.raises(MissingFacts, match=r'called "genre".*--item-labels FILE'):
        groups("label(genre)", [1])


def test_shares_that_leave_no_middle_are_refused() -> None:
    with pytest.raises(OptionError, match=r"head = 0.6 and tail = 0.4 leave nothing"):
        parse("item-groups", "popularity(head=0.6, tail=0.4)")
    with pytest.raises(CranfieldError, match="popularity, head"):
        parse("item-groups", "popularity(head=1.2)")
