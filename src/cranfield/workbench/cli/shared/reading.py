"""Runs read by another thread, while the first one still loads.

A third of the time of an evaluation goes by before anything is read, as Python loads modules on
one processor. The kernels that read plain text need few of these modules: they are loaded first,
and from then on another thread reads the runs that the words of the command name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.base.threads import thread_count
from cranfield.scoring.kernels.cached import are_cached
from cranfield.workbench.cli.shared.glance import glance

if TYPE_CHECKING:
    from cranfield.collection.text.layout import TextLayout

_MOST_BYTES = 1 << 26
"""Bytes of text that may be read ahead: more than can be while modules load."""
_SECONDS = 0.0005
"""How long a thread that loads modules keeps one that reads waiting."""


@contextmanager
def reading_runs(given: Sequence[str]) -> Iterator[None]:
    """Have the runs that the words of a command name read, if there is a thread for it.

    What is wrong with a run, and what is no plain text, is left to where it is needed.
    """
    files = _files_of(given)
    if not files or thread_count() == 1 or not are_cached():
        yield
        return
    from cranfield.collection.text.ahead import reading_ahead  # which loads the compiler

    before = sys.getswitchinterval()
    sys.setswitchinterval(_SECONDS)
    try:
        with reading_ahead(_layouts(files)):
            yield
    finally:
        sys.setswitchinterval(before)


def _files_of(given: Sequence[str]) -> list[Path]:
    """The first files of runs that are read as they are, and whole; those of others are none."""
    seen = glance(given)
    if seen.command != "evaluate" or seen.columns or seen.workers:
        return []
    from cranfield.workbench.cli.shared.named_runs import named_runs

    found, left = [], _MOST_BYTES
    with suppress(Exception):  # it is met again, and told, where the runs are opened
        for path in (Path(run).expanduser() for run in named_runs(list(seen.runs)).values()):
            left -= path.stat().st_size if path.is_file() else 0
            found += [path] if path.is_file() and left >= 0 else []
    return found


def _layouts(files: Sequence[Path]) -> dict[Path, TextLayout]:
    from cranfield.recommendation.runs.text_layout import layout_of_run

    layouts: dict[Path, TextLayout] = {}
    for path in files:
        with suppress(Exception):
            layouts[path] = layout_of_run(path, "auto", None)
    return layouts
