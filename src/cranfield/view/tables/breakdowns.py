"""Tables of breakdowns: values by group, and which groups are apart from all others."""

from __future__ import annotations

from cranfield.scoring.breakdown import Breakdown, BreakdownRow
from cranfield.view.names import Label, metric_label
from cranfield.view.numbers import fixed, interval, p_phrase, signed
from cranfield.view.tables.terminal import render, wrapped

_APART = "†"
"""What marks the value of a group that is significantly apart from all other users."""
_LEVEL = 0.05


def breakdown_table(
    breakdown: Breakdown, *, width: int | None = None, label: Label = metric_label
) -> str:
    """Groups by systems and metrics, with the number of users of each group."""
    headings, rows = breakdown_rows(breakdown, label)
    table, note = render(rows, headings, width=width), gap_note(breakdown, label)
    return f"{table}\n{wrapped(note, width)}" if note else table


def breakdown_rows(
    breakdown: Breakdown, label: Label = metric_label
) -> tuple[list[str], list[list[str]]]:
    """The headings and rows of a breakdown, for the terminal and the page."""
    parts = breakdown.parts
    columns = list(dict.fromkeys((part.system, part.metric) for part in parts))
    found = {(part.group, part.system, part.metric): part for part in parts}
    alone = len({system for system, _ in columns}) == 1
    names = {metric: label(metric) for _, metric in columns}
    headings = [names[m] if alone else f"{system} {names[m]}" for system, m in columns]
    rows = []
    for group in dict.fromkeys(part.group for part in parts):
        cells = [found[group, *column] for column in columns]
        rows.append([group, f"{cells[0].users:,}", *map(_cell, cells)])
    return [breakdown.name, "users", *headings], rows


def gap_note(breakdown: Breakdown, label: Label = metric_label) -> str:
    """What the mark means and the widest marked gap; nothing where none is marked."""
    marked = [part for part in breakdown.parts if _is_apart(part)]
    if not marked:
        return ""
    widest = max(marked, key=lambda part: abs(part.gap))
    ends = interval(widest.gap_low, widest.gap_high, signed)
    return (
        f"{_APART} apart from all other users (Welch's t, Holm, p < {_LEVEL}). Widest: "
        f"{widest.system} by {label(widest.metric)}, {breakdown.name} {widest.group}: "
        f"{signed(widest.gap)} ({ends}), {p_phrase(widest.gap_p)}."
    )


def _cell(part: BreakdownRow) -> str:
    return f"{fixed(part.value)}{_APART if _is_apart(part) else ''}"


def _is_apart(part: BreakdownRow) -> bool:
    return part.gap_p < _LEVEL
