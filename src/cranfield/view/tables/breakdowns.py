"""Tables of breakdowns: values by group, and which groups are apart from all others."""

from __future__ import annotations

from math import isnan

from cranfield.scoring.breakdown import Breakdown, BreakdownRow
from cranfield.significance.group_spread import group_spreads
from cranfield.view.names import Label, metric_label
from cranfield.view.numbers import fixed, interval, p_phrase, p_value, signed
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
    shown = f"{table}\n{wrapped(note, width)}" if note else table
    names, spreads = spread_rows(breakdown, label)
    if not spreads:
        return shown
    said = wrapped(spread_note(breakdown), width)
    return f"{shown}\n\n{render(spreads, names, width=width)}\n{said}"


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


def spread_rows(
    breakdown: Breakdown, label: Label = metric_label
) -> tuple[list[str], list[list[str]]]:
    """How far groups are apart, by system and metric; no rows with fewer than two groups."""
    headings = ["system", "metric", "MAD", "lowest", "highest", "gap", "ratio", "p"]
    rows = [
        [
            each.system,
            label(each.metric),
            _with_ends(each.mad, each.mad_low, each.mad_high),
            each.lowest,
            each.highest,
            _with_ends(each.gap, each.gap_low, each.gap_high),
            _with_ends(each.ratio, each.ratio_low, each.ratio_high),
            p_value(each.p),
        ]
        for each in group_spreads(breakdown)
    ]
    return headings, rows


def spread_note(breakdown: Breakdown) -> str:
    """What the columns of `spread_rows` are."""
    said = (
        f"Between groups by {breakdown.name}. MAD: mean absolute difference of all pairs of "
        "groups. Gap and ratio: of the highest and the lowest group, which is served worst where "
        "higher is better."
    )
    if all(isnan(part.gap) for part in breakdown.parts):
        return said
    return (
        f"{said} In brackets: 95 % intervals for all pairs together (Welch's t, Bonferroni). p: of "
        "no difference between any two groups."
    )


def _with_ends(value: float, low: float, high: float) -> str:
    return fixed(value) if isnan(low) else f"{fixed(value)} ({interval(low, high)})"


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
