"""What the page on recommendation says of models: its table, and its script."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]


def _part(name: str) -> str:
    text = (ROOT / "docs" / "3-recommendation.md").read_text(encoding="utf-8")
    return text.partition(f"<!-- {name}: begin -->")[2].partition(f"<!-- {name}: end -->")[0]


def models_table() -> list[list[str]]:
    """The rows of the table of forms: form, model, how it is asked, and the test."""
    rows = [line for line in _part("models").splitlines() if line.startswith("| ")][2:]
    return [[cell.strip(" `") for cell in row.strip("|").split(" | ")] for row in rows]


def recbole_script() -> str:
    """The script that writes a run of a checkpoint of RecBole."""
    return _part("recbole").partition("```python\n")[2].partition("```")[0]
