"""Notebooks in MyST Markdown: their cells, and what running them shows.

Cells run in this process, one after the other in one namespace, so that no kernel has to start
and warnings are errors as in any test. The site runs the same files in Jupyter.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


@dataclass
class Played:
    """A notebook that was run: its names, and the values that its cells showed."""

    names: dict[str, Any] = field(default_factory=dict)
    shown: list[Any] = field(default_factory=list)


def cells_of(path: Path) -> list[str]:
    """The code of each cell, from top to bottom."""
    return _CELL.findall(path.read_text(encoding="utf-8"))


def play(path: Path) -> Played:
    """Run all cells; the value of a last line that is an expression is shown."""
    done = Played()
    for number, code in enumerate(cells_of(path), start=1):
        where = f"{path.name}, cell {number}"
        parsed = ast.parse(code, where)
        last = parsed.body.pop() if isinstance(parsed.body[-1], ast.Expr) else None
        exec(compile(parsed, where, "exec"), done.names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), done.names)
            done.shown.extend([] if value is None else [value])
    return done
