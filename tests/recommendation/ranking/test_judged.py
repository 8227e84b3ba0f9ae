"""Judged targets of each group, laid out at once, against the targets topic by topic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.recommendation.layout import hit_rows, layout_of
from cranfield.recommendation.ranking.judged import count_targets, judged_candidates, judged_of
from ranking_cases import CHOICES, cases, small, targets_of
from suites import tries


@settings(deadline=None, max_examples=tries(15))
@given(case=cases())
def test_judged_targets_are_those_of_the_topics_less_the_one_relevant(case):  # type: ignore[no-untyped-def]
    train, test, relevance, _ = case
    for name, targets in zip(CHOICES, targets_of(train, test, relevance), strict=True):
        layout = layout_of(targets)
        judged = judged_of(layout)
        room = hit_rows(layout, judged)
        for group, topic in enumerate(layout.groups[:-1]):
            user = targets.topics.users[topic]
            own = slice(test.user_offsets[user], test.user_offsets[user + 1])
            aim = set(targets.of_topic(int(topic)).tolist())
            if targets.topics.items is not None:
                aim -= {int(targets.topics.items[topic])}
                aim = aim if "judged=all" in name else set()
            rated = zip(test.items[own].tolist(), test.values[own].tolist(), strict=True)
            wanted = [(item, rating) for item, rating in rated if item in aim]
            rows = slice(judged.offsets[group], judged.offsets[group + 1])
            found = zip(judged.items[rows].tolist(), judged.ratings[rows].tolist(), strict=True)
            assert list(found) == wanted, name
            one = 1 if layout.one_each else 0
            assert np.diff(room.offsets)[topic] == len(wanted) + one


@settings(deadline=None, max_examples=tries(25))
@given(case=cases())
def test_all_candidates_are_counted_beside_the_training_of_their_user(case):  # type: ignore[no-untyped-def]
    train, test, relevance, _ = case
    for targets in targets_of(train, test, relevance):
        layout = layout_of(targets)
        if layout.plain:
            sizes = [len(targets.of_topic(topic)) for topic in range(len(targets.topics))]
            assert count_targets(layout).tolist() == sizes
            assert judged_candidates(layout).offsets.tolist() == judged_of(layout).offsets.tolist()


@pytest.mark.parametrize("name", CHOICES)
def test_a_layout_says_what_kind_of_targets_there_are(name: str) -> None:
    layout = layout_of(small()[CHOICES.index(name)])
    assert layout.one_each == ("one-relevant" in name or "percentiles" in name)
    assert layout.listed == ("sampled" in name or "condensed" in name)
    assert layout.segmented == ("percentiles" in name and not layout.listed)
    assert layout.plain == (not layout.one_each and not layout.listed)
