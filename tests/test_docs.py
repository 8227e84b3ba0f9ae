"""Pages that are written from the code say what the code says."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_of_metrics_is_what_the_code_says() -> None:
    made = runpy.run_path(str(DOCS / "metrics.py"))["page"]()
    assert (DOCS / "4-metrics.md").read_text(encoding="utf-8") == made, "run docs/metrics.py"
