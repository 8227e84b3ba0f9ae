"""Who interrupts a call, as by the stop button of a notebook, can make it again."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.api import rank, run, split, study
from cranfield.workbench.execution.experiment import comparing
from cranfield.workbench.store.store import Store
from experiment_cases import same_scores, table_of


class Stopped:
    """A model during whose work the user presses stop, once, at a call of a given number."""

    def __init__(self, at: int) -> None:
        self.at, self.calls = at, 0

    def __call__(self, train: Ratings, users: Any) -> Any:
        self.calls += 1
        if self.calls == self.at:
            signal.raise_signal(signal.SIGINT)
        return [train.item_counts] * len(users)


@pytest.fixture(autouse=True)
def _heeded() -> Iterator[None]:
    """Heed interrupts, also where the tests are run in the background and ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("at", [1, 7, 20])
@pytest.mark.parametrize("stored", [False, True])
def test_an_interrupted_run_can_be_made_again(at: int, stored: bool, tmp_path: Path) -> None:
    store = tmp_path / "store" if stored else None
    mine, never = Stopped(at), Stopped(0)
    systems = {"kNN": "user-kNN(k=5)", "mine": adapt(mine, batch=1), "Random": "Random"}
    with pytest.raises(KeyboardInterrupt):
        run(table_of(systems=systems), store=store)
    again = run(table_of(systems=systems), store=store)
    whole = run(table_of(systems={**systems, "mine": adapt(never, batch=1)}))
    assert same_scores(again.scores, whole.scores)
    assert again.summary.to_polars().equals(whole.summary.to_polars())
    if store is not None:
        assert not [path for path in store.rglob("*") if path.name.startswith(".cranfield")]
        assert Store(store).folder == store


def test_an_interrupted_study_can_be_made_again(tmp_path: Path) -> None:
    vary = {"study": {"vary": {"relevance": [3, 4], "cutoff": [3, 5]}, "draws": 100}}
    mine = Stopped(3)
    asked = {**table_of(systems={"kNN": "user-kNN(k=5)", "mine": adapt(mine, batch=1)}), **vary}
    with pytest.raises(KeyboardInterrupt):
        study(asked, store=tmp_path)
    made = study(asked, store=tmp_path)
    assert len(made.designs) == 4
    assert made.conclusion.verdict.sentence == study(asked).conclusion.verdict.sentence


def test_an_interrupt_while_systems_are_compared_leaves_what_is_needed_to_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = run(table_of())
    with monkeypatch.context() as patched:
        patched.setattr(comparing, "compare", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(table_of(), store=tmp_path)
    again = run(table_of(), store=tmp_path)
    assert again.comparison is not None
    assert whole.comparison is not None
    assert again.comparison.to_dict() == whole.comparison.to_dict()


def _interrupt(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


def test_an_interrupted_ranking_can_be_made_again() -> None:
    from cranfield.collection.judgments import judge
    from cranfield.workbench.api import read

    parts = split(read("simulated(size=tiny)"), "per-user", seed=1)
    judgments, mine = judge(parts.test, relevance=4), Stopped(2)
    with pytest.raises(KeyboardInterrupt):
        rank(parts.train, judgments, {"mine": adapt(mine, batch=1)}, depth=5)
    made = rank(parts.train, judgments, {"mine": adapt(mine, batch=1)}, depth=5)
    assert len(made["mine"].run) > 0


def test_an_error_is_no_interrupt() -> None:
    def broken(train: Ratings, users: Any) -> Any:
        raise ValueError("mine")

    made = run(table_of(systems={"broken": broken, "Random": "Random"}))
    assert made.failed == {"broken": "ValueError: mine."}
    assert "failed: broken)" in repr(made).splitlines()[0]
    assert run(table_of()).summary.rows
