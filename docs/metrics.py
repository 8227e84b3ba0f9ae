"""Writes 4-metrics.md: metrics, and all options that they have, from their docstrings.

python docs/metrics.py
"""

from __future__ import annotations

import inspect
from pathlib import Path

from cranfield.base import options
from cranfield.base.checking.spelling import write_value
from cranfield.workbench import inventory

PAGE = Path(__file__).with_name("4-metrics.md")
_HEAD = """# 4 Metrics: formula, range, source

Written from the code by `python docs/metrics.py`. `cranfield options metric nDCG` shows
the same. Words and decisions: [4 Scoring](4-scoring.md).
"""
_TITLES = {
    "metric": "Metrics of one ranking",
    "gain": "Gains: what a rating is worth",
    "estimator": "Estimators: how propensities correct a metric",
    "propensity": "Propensities: how likely ratings were to be observed",
    "run-metric": "Metrics of all lists of a system",
    "item-groups": "Item groups: which items are compared",
    "discount": "Discounts: the attention of a rank",
    "aggregation": "Aggregations: from scores to one value",
}


def page() -> str:
    """The whole page."""
    inventory.load("gain", "metric", "run-metric", "aggregation")
    parts = [_HEAD]
    for decision, title in _TITLES.items():
        parts.append(f"## {title}\n")
        parts += [_section(name, cls) for name, cls in options.options(decision).items()]
    return "\n".join(parts)


def _section(name: str, cls: type) -> str:
    known = options.parameters(cls)
    lines = (inspect.getdoc(cls) or "").partition("\n>>> ")[0].strip()
    rows = [
        f"- `{options.written(p.name)}` "
        f"({'needed' if p.required else write_value(p.default)}): {p.text}"
        for p in known
    ]
    return "\n".join(
        [f"### {name}\n", lines, "", *rows, ""] if rows else [f"### {name}\n", lines, ""]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
