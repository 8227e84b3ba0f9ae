from __future__ import annotations

import io
import re
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from cranfield.base import progress
from cranfield.base.progress import Bar, Notebook, bar, progress_as, screen, track


class Clock:
    """A clock that stands still until told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr(time, "monotonic", stopped)
    return stopped


class Terminal(io.StringIO):
    """A stream that a bar takes for a terminal."""

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """The error stream from here on; pytest sets it anew before each test begins."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def test_nothing_is_shown_off_a_terminal(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with bar("reading", 10) as shown:
        for _ in range(10):
            clock.now += 5
            shown.advance()
    assert capsys.readouterr() == ("", "")


def test_short_work_shows_no_bar(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    with bar("reading", 10) as shown:
        clock.now += 1.9
        shown.advance()
    assert terminal.getvalue() == ""


def test_long_work_shows_a_bar_on_the_error_stream_and_wipes_it(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal(monkeypatch)
    with bar("reading", 4) as shown:
        clock.now += 3
        shown.advance()
    assert (
        terminal.getvalue() == f"\r\x1b[Kreading  {'━' * 6}{'╌' * 18}  25%  3 s, 9 s left\r\x1b[K"
    )


def test_the_bar_is_drawn_ten_times_a_second_at_most(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal(monkeypatch)
    with bar("reading", 1000) as shown:
        clock.now += 3
        for _ in range(100):
            clock.now += 0.01
            shown.advance()
    drawn = re.findall("reading", terminal.getvalue())
    assert 5 <= len(drawn) <= 11


def test_the_bar_is_wiped_away_after_an_error(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal(monkeypatch)

    def fail() -> None:
        with bar("reading", 4) as shown:
            clock.now += 3
            shown.advance()
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_bar_says_how_far_the_work_is(clock: Clock) -> None:
    shown = Bar("reading", 200, "", None)
    assert str(shown) == f"reading  {'╌' * 24}   0%  0 s, 0 s left"
    clock.now += 30
    shown.advance(150)
    assert str(shown) == f"reading  {'━' * 18}{'╌' * 6}  75%  30 s, 10 s left"
    shown.advance(500)
    assert str(shown) == f"reading  {'━' * 24} 100%  30 s, 0 s left"


def test_a_bar_says_what_is_done_just_now_in_a_few_words(clock: Clock) -> None:
    shown = Bar("running", 4, "", None)
    shown.describe("kNN on process 7")
    assert str(shown).endswith("left  kNN on process 7")
    shown.describe("x" * 100)
    assert str(shown).endswith("  " + "x" * 59 + "…")
    shown.describe("")
    assert str(shown).endswith("left")


def test_a_bar_without_a_total_counts(clock: Clock) -> None:
    shown = Bar("fetching", None, "bytes", None)
    clock.now += 2
    shown.advance(12345)
    assert str(shown) == "fetching  12,345 bytes  2 s"
    assert str(Bar("fetching", None, "", None)) == "fetching  0  0 s"


def test_tracking_passes_everything_through() -> None:
    assert list(track(iter("abc"), "reading", 3)) == ["a", "b", "c"]
    assert list(track([], "reading")) == []


class Output:
    """The output of a cell: every text that its one line has shown."""

    def __init__(self, text: str) -> None:
        self.shown = [text]

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(data["text/plain"])


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A notebook in place of the terminal: its shell, and the outputs of its cells."""
    outputs: list[Output] = []
    shell = SimpleNamespace(kernel=object(), execution_count=1)

    def display(data: dict[str, str], *, raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        outputs.append(Output(data["text/plain"]))
        return outputs[-1]

    package, module = ModuleType("IPython"), ModuleType("IPython.display")
    vars(package).update(get_ipython=lambda: shell, display=module)
    vars(module).update(display=display)
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(progress, "_displays", {})
    return SimpleNamespace(shell=shell, outputs=outputs)


def test_a_notebook_shows_one_line_for_all_bars_of_a_cell(
    clock: Clock, notebook: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        with bar("reading <b>", 4) as shown:
            clock.now += 3
            shown.advance()
    [output] = notebook.outputs
    line = f"reading <b>  {'━' * 6}{'╌' * 18}  25%  3 s, 9 s left"
    assert output.shown == [line, "", line, ""]
    assert capsys.readouterr() == ("", "")


def test_the_next_cell_has_a_line_of_its_own(clock: Clock, notebook: SimpleNamespace) -> None:
    for cell in (1, 2):
        notebook.shell.execution_count = cell
        with bar("reading", 4) as shown:
            clock.now += 3
            shown.advance()
    assert [len(output.shown) for output in notebook.outputs] == [2, 2]


def test_short_work_shows_nothing_in_a_notebook(clock: Clock, notebook: SimpleNamespace) -> None:
    with bar("reading", 4) as shown:
        shown.advance()
    assert notebook.outputs == []


def test_an_interrupted_cell_loses_its_bar(clock: Clock, notebook: SimpleNamespace) -> None:
    def work() -> None:
        with bar("reading", 4) as shown:
            clock.now += 3
            shown.advance()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert notebook.outputs[0].shown[-1] == ""


def test_bars_are_shown_where_somebody_looks(
    monkeypatch: pytest.MonkeyPatch, notebook: SimpleNamespace
) -> None:
    assert isinstance(screen(), Notebook)
    monkeypatch.delattr(notebook.shell, "kernel")  # IPython on a terminal, or in a pipe
    on_terminal(monkeypatch)
    assert isinstance(screen(), progress.Terminal)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert screen() is None


def test_a_log_has_a_line_now_and_then(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress_as("log"), bar("reading", 100) as shown:
        for _ in range(100):
            clock.now += 1
            shown.advance()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10  # after 3 s, then every 10 s
    form = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  reading    3%  3 s, 97 s left"
    assert re.fullmatch(form, lines[0])
    assert "reading   93%  93 s, 7 s left" in lines[-1]


def test_nothing_is_shown_where_none_is_asked_for(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal(monkeypatch)
    with progress_as("none"), bar("reading", 10) as shown:
        clock.now += 5
        shown.advance()
    assert terminal.getvalue() == ""
    assert isinstance(screen(), progress.Terminal), "as before, after the block"
