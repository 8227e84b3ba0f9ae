"""Text that is read ahead is what is read when it is asked for, and read once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cranfield.base.schema import ITEM, SCORE, USER
from cranfield.collection.text import ahead, parsing
from cranfield.collection.text.ahead import reading_ahead, take_columns
from cranfield.collection.text.layout import TextLayout
from cranfield.collection.text.parsing import Parsed, parse
from cranfield.collection.text.plain_columns import read_plain
from cranfield.recommendation.runs.text_layout import layout_of_run

LINES = "".join(f"u{k % 7} Q0 item-{k % 11} {k} {k / 4} mine\n" for k in range(500))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run.trec"
    path.write_text(LINES)
    return path


@pytest.fixture
def layout(run: Path) -> TextLayout:
    return layout_of_run(run, "auto", None)


@pytest.fixture
def begun(run: Path, layout: TextLayout, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The run is read ahead, and the other thread is done with it."""
    done = threading.Event()

    def noted(path: Path, layout: TextLayout) -> object:
        try:
            return read_plain(path, layout)
        finally:
            done.set()

    monkeypatch.setattr(ahead, "read_plain", noted)
    with reading_ahead({run: layout}):
        assert done.wait(60)
        yield


def refuse(*_: object) -> None:
    raise AssertionError("it is read again")


def assert_same(one: Parsed | None, other: Parsed | None) -> None:
    assert one is not None
    assert other is not None
    for role in (USER, ITEM):
        assert one.ids[role].ids == other.ids[role].ids
        assert np.array_equal(one.ids[role].rows, other.ids[role].rows)
    assert np.array_equal(one.numbers[SCORE], other.numbers[SCORE])


@pytest.mark.usefixtures("begun")
def test_what_was_read_ahead_is_not_read_again(
    run: Path, layout: TextLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(parsing, "read_plain", refuse)
        early = parse(run, layout)
    assert_same(early, parse(run, layout))


@pytest.mark.usefixtures("begun")
def test_a_file_that_is_asked_for_otherwise_is_read_so(run: Path, layout: TextLayout) -> None:
    roles = {role: name for role, name in layout.roles.items() if role != SCORE}
    assert take_columns(run, replace(layout, roles=roles)) is None
    made = parse(run, replace(layout, roles=roles))
    assert made is not None
    assert SCORE not in made.numbers


def test_a_file_that_goes_before_it_is_read_fails_where_it_is_asked_for(
    run: Path, layout: TextLayout
) -> None:
    run.unlink()
    with reading_ahead({run: layout}), pytest.raises(Exception, match="No such file"):
        parse(run, layout)


def test_nothing_is_left_when_the_block_ends(run: Path, layout: TextLayout) -> None:
    with reading_ahead({run: layout}):
        pass
    assert take_columns(run, layout) is None
