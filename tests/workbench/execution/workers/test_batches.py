"""Which jobs go to a worker together, and whether a job is to be done at all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cranfield.workbench.execution.workers.planning import Aliases, PlannedJob, batches


def job(seconds: float, passing: Any = None) -> PlannedJob:
    system: Any = object()
    return PlannedJob(
        key="", name=f"{seconds:g}", system=system, places=(0,), spelling=None, own=False,
        passing=passing, seconds=seconds, bytes=0,
    )  # fmt: skip


def names(*seconds: float) -> list[list[str]]:
    return [[each.name for each in some] for some in batches([job(each) for each in seconds])]


def test_long_jobs_go_alone_the_longest_first() -> None:
    assert names(3, 9, 2) == [["9"], ["3"], ["2"]]


def test_short_jobs_go_together_until_they_take_long_enough() -> None:
    assert names(0.5, 1, 1, 0.25) == [["1", "1"], ["0.5", "0.25"]]


def test_a_job_a_little_too_short_takes_the_next_along() -> None:
    assert names(1.5, 0.1, 5) == [["5"], ["1.5", "0.1"]]


def test_there_is_no_batch_without_a_job() -> None:
    assert names() == []


def test_every_job_is_in_one_batch() -> None:
    seconds = [0.3 * place for place in range(1, 12)]
    found = [name for some in names(*seconds) for name in some]
    assert sorted(found) == sorted(f"{each:g}" for each in seconds)


@pytest.mark.parametrize("stored", [True, False])
def test_a_job_lacks_what_the_stores_have_not(stored: bool) -> None:
    assert job(1, SimpleNamespace(is_stored=stored)).lacks is not stored


def test_nothing_of_a_run_is_stored() -> None:
    assert job(1, None).lacks


def test_an_object_has_the_same_alias_each_time_and_no_other_has_it() -> None:
    aliases, first, second = Aliases(), object(), object()
    assert aliases.of(first) == aliases.of(first)
    assert aliases.of(first) != aliases.of(second)
    assert Aliases().of(first) != aliases.of(first)


def test_an_object_is_held_so_that_its_alias_stays_its_own() -> None:
    aliases = Aliases()
    found = {aliases.of([]) for _ in range(50)}
    assert len(found) == 50
