"""Whatever a record says of results, a split or a plan, it is read or refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import CranfieldError
from cranfield.base.serialisation.plain import restored
from cranfield.collection import split_files
from cranfield.workbench.plan.plan import Plan, read_plan
from experiment_cases import table_of
from fuzz_cases import CASES, FRESH, LONGEST_MESSAGE, PLAN, fuzzed

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 10**30, 0.5, 1e308, float("nan"), "", "a", "\x00", "\ud800", "../a"),
    *("x" * 5000, [], [None], [[]], [1, 2], {}, {"a": 1}, {"": {}}, "P@5", "tune(1..2)"),
)
"""What a record may hold in the place of anything."""


@st.composite
def changed(draw: st.DrawFn, record: dict[str, Any]) -> dict[str, Any]:
    """A record in which something is replaced, doubled, renamed or taken away."""
    made = deepcopy(record)
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, made)
    return made


def _change(draw: st.DrawFn, record: Any) -> None:
    place: Any = record
    while True:
        if not place:
            return
        names = list(place) if isinstance(place, dict) else list(range(len(place)))
        name = draw(st.sampled_from(names))
        inner = place[name]
        if not isinstance(inner, dict | list) or draw(st.integers(0, 3)) == 0:
            break
        place = inner
    way = draw(st.sampled_from(["replace", "replace", "replace", "take", "add"]))
    if way == "replace":
        place[name] = deepcopy(draw(st.sampled_from(ODD)))
    elif way == "take":
        del place[name]
    elif isinstance(place, dict):
        place[draw(st.sampled_from(["a", "", "\x00", "base", "study"]))] = deepcopy(inner)
    else:
        place.append(deepcopy(inner))


def is_read_or_refused(read: Callable[[], Any]) -> None:
    """Read, and show what was read, as a session would."""
    try:
        said = repr(read())
    except CranfieldError as error:
        said = str(error)
    assert 0 < len(said) < LONGEST_MESSAGE


def fuzz(record: dict[str, Any], write: Callable[[Any], None], read: Callable[[], Any]) -> None:
    write(record)
    read()

    @settings(fuzzed, max_examples=CASES if FRESH else 25)  # whole folders take longer
    @given(changed(record))
    def case(made: dict[str, Any]) -> None:
        write(made)
        is_read_or_refused(read)

    case()


@pytest.mark.parametrize("asked", ["run", "study", "tuned", "data sets"])
def test_records_of_results_are_read_or_refused(asked: str, tmp_path: Path) -> None:
    answers: dict[str, dict[str, Any]] = {
        "run": {},
        "study": {"study": {"vary": {"cutoff": [3, 5]}, "draws": 0}},
        "tuned": {"systems": {"kNN": "user-kNN(k=tune(2..9))"}, "tuning": {"budget": 2}},
        "data sets": {"data": ["simulated(size=tiny)", "simulated(size=tiny, seed=2)"]},
    }
    ask: Any = {"study": cf.study, "data sets": cf.study_data_sets}.get(asked, cf.run)
    cf.write_results(ask(table_of(**answers[asked])), tmp_path)
    path = tmp_path / "results.json"
    fuzz(
        json.loads(path.read_text(encoding="utf-8")),
        lambda record: _write(path, record),
        lambda: cf.read_results(tmp_path),
    )


def test_records_of_splits_are_read_or_refused(tmp_path: Path) -> None:
    cf.write_split(cf.split(cf.read("simulated(size=tiny)"), "per-user"), tmp_path)
    path = tmp_path / split_files.RECORD
    record = json.loads(path.read_text(encoding="utf-8"))
    del record["fingerprint"]
    fuzz(
        record,
        lambda made: _write(path, {**made, "fingerprint": split_files._seal(made)}),
        lambda: cf.read_split(tmp_path),
    )


def test_plans_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    fuzz(PLAN, lambda made: _write(path, _sealed(made)), lambda: read_plan(path))


def _sealed(record: dict[str, Any]) -> dict[str, Any]:
    """A plan with the fingerprint of what it says, where it has one."""
    try:
        plan: Plan = restored(Plan, record)
        return {**record, "fingerprint": plan.fingerprint}
    except (KeyError, TypeError, ValueError):
        return record


def _write(path: Path, record: Any) -> None:
    path.write_text(json.dumps(record), encoding="utf-8")
