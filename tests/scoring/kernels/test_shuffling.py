"""Shuffling by kernel equals shuffling a deck of all ranks, card by card."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import words
from cranfield.scoring.kernels.shuffling import shuffle, sort_by_rank
from cranfield.scoring.kernels.topic_range import WHOLE
from suites import tries

TOPICS = st.lists(
    st.integers(0, 9).flatmap(lambda judged: st.tuples(st.just(judged), st.integers(judged, 30))),
    min_size=1,
    max_size=6,
)


def by_cards(key: int, first_row: int, judged: int, targets: int) -> list[int]:
    """The ranks of one topic's judged targets."""
    deck, drawn = list(range(1, targets + 1)), []
    for place in range(judged):
        bound = targets - place
        share = int(words(key, [first_row + place])[0] >> np.uint64(32))
        at = place + (share * bound >> 32)
        deck[place], deck[at] = deck[at], deck[place]
        drawn.append(deck[place])
    return drawn


@settings(deadline=None, max_examples=tries(300))
@given(topics=TOPICS, depth=st.sampled_from([1, 5, WHOLE]), key=st.integers(0, 2**64 - 1))
def test_a_deck_of_which_few_cards_are_seen_is_shuffled_alike(
    topics: list[tuple[int, int]], depth: int, key: int
) -> None:
    offsets = offsets_of(np.array([judged for judged, _ in topics]))
    targets = np.array([size for _, size in topics])
    size = int(offsets[-1])
    rows, ranks = np.full(size, -7), np.full(size, -7, np.int32)
    deck = np.zeros(int(targets.max()), np.int32)
    shuffle(np.uint64(key), offsets, targets, depth, rows, ranks, deck)
    assert not deck.any()
    for topic, (judged, size) in enumerate(topics):
        begin = int(offsets[topic])
        wanted = by_cards(key, begin, judged, size)
        mine = slice(begin, begin + judged)
        found = dict(zip(rows[mine].tolist(), ranks[mine].tolist(), strict=True))
        assert found == {begin + k: r if r <= depth else 0 for k, r in enumerate(wanted)}
        listed = [rank for rank in ranks[mine].tolist() if rank]
        assert ranks[mine].tolist() == sorted(listed) + [0] * (judged - len(listed))


@settings(deadline=None)
@given(ranks=st.lists(st.integers(0, 400), max_size=200, unique=True))
def test_rows_follow_their_ranks(ranks: list[int]) -> None:
    rows, given_ranks = np.arange(len(ranks)), np.array(ranks, dtype=np.int32)
    sort_by_rank(rows, given_ranks)
    assert given_ranks.tolist() == sorted(ranks)
    assert [ranks[row] for row in rows] == sorted(ranks)
