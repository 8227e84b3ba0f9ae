"""Comparisons as tables: all pairs, and systems marked by those that they beat."""

from __future__ import annotations

from math import isnan

from cranfield.collection.topics import UserCounts
from cranfield.significance.comparison import Comparison
from cranfield.significance.pair import Pair
from cranfield.view.names import Label, metric_label
from cranfield.view.numbers import interval, p_value, signed
from cranfield.view.pairs import Kinds, higher_first, in_order, users_text
from cranfield.view.prose import correction_name, p_heading, p_note, test_name
from cranfield.view.tables.latex import escaped, latex_table
from cranfield.view.tables.terminal import fits, render, wrapped
from cranfield.view.tables.users import users_line

_LETTERS = "abcdefghijklmnoprstuvwxyz"
_RAISED = dict(zip(_LETTERS, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
_RAISED |= dict(zip("0123456789,", "⁰¹²³⁴⁵⁶⁷⁸⁹˒", strict=True))
"""Marks and how a terminal raises them; there is no raised q."""


def pairs_table(
    comparison: Comparison,
    *,
    width: int | None = None,
    label: Label = metric_label,
    kinds: Kinds | None = None,
) -> str:
    """All pairs, a table for each metric: the higher system first, pairs of baselines last.

    What the columns mean stands below.
    """
    several = any(not isnan(pair.rejecting_subsets) for pair in comparison.pairs)
    pairs = [higher_first(pair) for pair in in_order(comparison.pairs, kinds)]
    headings = [
        "higher", "lower", "difference", "95 % interval", p_heading(comparison.choice),
        "users + / = / −", *(["subsets"] if several else []), "effect d_z",
    ]  # fmt: skip
    rows = {pair: _pair_row(pair, several) for pair in pairs}
    if not fits(list(rows.values()), headings, width, left=(0, 1)):
        headings.pop()  # the effect is in the JSON too
        rows = {pair: row[:-1] for pair, row in rows.items()}
    tables = [
        render(
            [row for pair, row in rows.items() if pair.metric == metric],
            headings, title=label(metric), left=(0, 1), width=width,
        )
        for metric in comparison.metrics
    ]  # fmt: skip
    return "\n\n".join([*tables, wrapped(p_note(comparison.choice), width)])


def _pair_row(pair: Pair, several: bool) -> list[str]:
    row = [
        pair.first,
        pair.second,
        signed(pair.difference),
        interval(pair.low, pair.high, signed),
        p_value(pair.adjusted) + ("*" if pair.significant else " "),
        users_text(pair, "/"),
    ]
    repeated = [f"{pair.rejecting_subsets:.0%}"] if several else []
    return [*row, *repeated, signed(pair.effect, 3)]


def marks(count: int) -> list[str]:
    """One mark for each system: letters, or numbers where letters do not suffice."""
    letters = list(_LETTERS[:count])
    return letters if len(letters) == count else [str(number) for number in range(1, count + 1)]


def marked_table(
    comparison: Comparison, *, width: int | None = None, label: Label = metric_label
) -> str:
    """Systems by metrics, each value with the marks of systems that it is significantly above."""
    rows = [
        (
            f"{mark} {system}",
            *(
                value + "".join(_RAISED[letter] for letter in beaten)
                for value, beaten in _values(comparison, system)
            ),
        )
        for system, mark in _marks_of(comparison).items()
    ]
    headings = ("system", *map(label, comparison.metrics))
    widest = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lined = [[cell.ljust(most) for cell, most in zip(row, widest, strict=True)] for row in rows]
    table = render(lined, headings, width=width)
    return f"{table}\n\n{wrapped(marks_note(comparison), width)}"


def comparison_latex(
    comparison: Comparison, *, label: Label = metric_label, users: UserCounts | None = None
) -> str:
    """The table for a paper: booktabs rules, superscripts for systems significantly beaten."""
    rows = [
        [
            f"${mark}$",
            escaped(system),
            *(
                value + (rf"$^{{{beaten}}}$" if beaten else "")
                for value, beaten in _values(comparison, system)
            ),
        ]
        for system, mark in _marks_of(comparison).items()
    ]
    names = comparison.metrics
    alignment = f"ll{'l' * len(names)}"
    headings = ["", "", *map(label, names)]
    entered = "" if users is None else f" {users_line(users).removeprefix('Warning: ')}"
    note = f"Comparison of systems. {marks_note(comparison)}{entered}"
    return latex_table(alignment, headings, rows, caption=note, label="comparison")


def marks_note(comparison: Comparison) -> str:
    """What a raised mark means."""
    choice = comparison.choice
    return (
        f"A raised mark: significantly above that system ({test_name(choice.test)}, "
        f"{correction_name(choice.correction)}, level {choice.alpha:g})."
    )


def _marks_of(comparison: Comparison) -> dict[str, str]:
    return dict(zip(comparison.systems, marks(len(comparison.systems)), strict=True))


def _values(comparison: Comparison, system: str) -> list[tuple[str, str]]:
    """By each metric, the value of a system and the marks of the systems that it beats."""
    values = comparison.values[:, comparison.systems.index(system)].tolist()
    return [
        (f"{value:.4f}", beaten_marks(comparison, metric, system))
        for metric, value in zip(comparison.metrics, values, strict=True)
    ]


def beaten_marks(comparison: Comparison, metric: str, system: str) -> str:
    """The marks of the systems that one is significantly above by a metric."""
    known = _marks_of(comparison)
    beaten = comparison.beaten(metric, system)
    numbers = len(comparison.systems) > len(_LETTERS)
    return ("," if numbers else "").join(known[other] for other in beaten)
