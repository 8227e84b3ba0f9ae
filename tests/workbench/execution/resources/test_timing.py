"""Timing adds up what stages take, by stage and system."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.results.costs import Cost


def busy(seconds: float) -> None:
    """Keep the processor busy."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_seconds_of_a_stage_are_those_of_all_systems() -> None:
    timing = Timing()
    timing.add([Cost("fitting", "A", 1.0, 2.0, 30), Cost("fitting", "B", 4.0, 1.0, 10)])
    timing.add([Cost("fitting", "A", 0.5, 0.25, 20), Cost("targets", "", 8.0, 8.0, 5)])
    assert timing.seconds == {"fitting": 5.5, "targets": 8.0}
    assert timing.costs == (
        Cost("fitting", "A", 1.5, 2.25, 30),
        Cost("fitting", "B", 4.0, 1.0, 10),
        Cost("targets", "", 8.0, 8.0, 5),
    )


def test_waiting_takes_time_but_no_processor() -> None:
    timing = Timing()
    with timing.of("waiting"):
        time.sleep(0.1)
    with timing.of("working", "A"):
        busy(0.05)
    waiting, working = timing.costs
    assert waiting.wall_seconds >= 0.1 > 0.05 > waiting.processor_seconds
    assert working.processor_seconds >= 0.05
    assert (waiting.system, working.system) == ("", "A")


def test_what_fails_is_counted() -> None:
    timing = Timing()
    with pytest.raises(ZeroDivisionError), timing.of("fitting", "A"):
        raise ZeroDivisionError
    assert [(each.stage, each.system) for each in timing.costs] == [("fitting", "A")]


def test_of_things_made_one_by_one_their_use_is_not_counted() -> None:
    timing = Timing()

    def numbers() -> Iterator[int]:
        for number in range(3):
            time.sleep(0.01)
            yield number

    for _ in timing.of_each(numbers(), "scoring", "A"):
        time.sleep(0.1)
    assert 0.03 <= timing.costs[0].wall_seconds < 0.25
    assert list(timing.of_each(range(3), "scoring", "A")) == [0, 1, 2]
