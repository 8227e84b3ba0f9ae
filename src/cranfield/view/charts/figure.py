"""ChartFigure: a figure of matplotlib that is written without a date, and shown by notebooks."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from warnings import catch_warnings, filterwarnings

from matplotlib import rc_context
from matplotlib.figure import Figure

_FILE, _SCREEN = 200, 110
"""Dots per inch in a file, and in a notebook."""


class ChartFigure(Figure):
    """A figure that belongs to no window."""

    def write(self, target: Any, kind: str, dpi: int = _FILE) -> None:
        """Write it to a path or stream, without the date on which it was made.

        A letter that the font lacks is drawn as a box; matplotlib's warnings are muted.
        """
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
        settings: Any = {"svg.hashsalt": "cranfield", "svg.fonttype": "none", "pdf.fonttype": 42}
        with rc_context(settings), catch_warnings():
            filterwarnings("ignore", message="Glyph .* missing from font")
            self.savefig(target, format=kind, dpi=dpi, metadata=undated)

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.write(stream, "png", _SCREEN)
        return stream.getvalue()
