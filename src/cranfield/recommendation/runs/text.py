"""Runs in text files: TREC, three columns, or a header; packed or plain.

A plain file is read in one pass, its ids numbered on the way. Any other is read as files of
ratings are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from cranfield.base.errors import EmptyInput
from cranfield.base.ids import Numbered
from cranfield.base.schema import ITEM, USER
from cranfield.base.text_ids import ids_from_text
from cranfield.collection.text.exact import line_of
from cranfield.collection.text.fast import read_delimited
from cranfield.collection.text.layout import TextLayout
from cranfield.collection.text.parsing import parse
from cranfield.recommendation.runs.table import RunTable
from cranfield.recommendation.runs.text_layout import (
    WHAT,
    RunFormat,
    layout_of_run,
    without_ranks,
)


def read_text(
    path: Path,
    format: RunFormat,  # noqa: A002
    columns: Mapping[str, str] | None,
    *,
    ranks: bool = True,
) -> RunTable:
    """The table of a run in a text file.

    Without ``ranks`` they are not read where there are scores, if that makes it faster.
    """
    return read_lines(path, layout_of_run(path, format, columns), ranks=ranks)


def read_lines(path: Path, layout: TextLayout, *, ranks: bool = True) -> RunTable:
    """The table of a run in a file of lines that are laid out so."""
    lines = partial(line_of, path, layout)
    needed = layout if ranks else without_ranks(layout)
    parsed = parse(path, needed)
    if parsed is not None:
        numbered = {role: Numbered.in_order(coded) for role, coded in parsed.ids.items()}
        return RunTable(parsed.frame(needed), needed.roles, str(path), lines, numbered)
    table = read_delimited(path, layout)
    if table.is_empty():
        raise EmptyInput(str(path), WHAT)
    ids = [ids_from_text(table[layout.roles[role]]) for role in (USER, ITEM)]
    return RunTable(table.with_columns(ids), layout.roles, str(path), lines)
