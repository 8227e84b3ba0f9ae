"""Comparisons as tables: all pairs, and systems marked by those that they beat."""

from __future__ import annotations

from math import isnan

from cranfield.significance.comparison import Comparison, Pair
from cranfield.view.tables.latex import escaped, latex_table
from cranfield.view.tables.terminal import render

_LETTERS = "abcdefghijklmnoprstuvwxyz"
_RAISED = dict(zip(_LETTERS, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
_RAISED |= dict(zip("0123456789,", "⁰¹²³⁴⁵⁶⁷⁸⁹˒", strict=True))
"""Marks and how a terminal raises them; there is no raised q."""


def pairs_table(comparison: Comparison, *, width: int | None = None) -> str:
    """All pairs: direction, difference and its interval, p-values, effect, users."""
    several = any(not isnan(pair.rejecting_subsets) for pair in comparison.pairs)
    rows = [_pair_row(pair, several) for pair in comparison.pairs]
    headings = (
        "metric", "first", "", "second", "difference", "95 % interval", "p", "adjusted p", "d_z",
        "wins/ties/losses", *(["subsets"] if several else []),
    )  # fmt: skip
    return render(rows, headings, left=(0, 1, 2, 3), width=width)


def _pair_row(pair: Pair, several: bool) -> list[str]:
    sign = direction(pair)
    row = [
        pair.metric,
        pair.first,
        sign if pair.significant or sign == "=" else f"{sign}?",
        pair.second,
        f"{pair.difference:+.4f}",
        f"{pair.low:+.4f} to {pair.high:+.4f}",
        p_text(pair.p_value),
        p_text(pair.adjusted) + ("*" if pair.significant else " "),
        "–" if isnan(pair.effect) else f"{pair.effect:+.3f}",
        outcomes_text(pair),
    ]
    return [*row, f"{pair.rejecting_subsets:.0%}"] if several else row


def direction(pair: Pair) -> str:
    """Which of two systems is better: ">" the first, "<" the second, "=" neither."""
    return "=" if pair.better is None else ">" if pair.better == pair.first else "<"


def outcomes_text(pair: Pair, between: str = "/") -> str:
    """Wins, ties and losses; a dash where users' scores do not add to the value."""
    counts = pair.wins, pair.ties, pair.losses
    return "–" if pair.wins is None else between.join(f"{count:,}" for count in counts)


def p_text(p_value: float) -> str:
    """A p-value with the digits that matter.

    >>> [p_text(p) for p in (0.0312, 0.00001, 1.0)]
    ['0.0312', '1e-05', '1.0000']
    """
    if isnan(p_value):
        return "–"
    return f"{p_value:.0e}" if 0 < p_value < 0.0001 else f"{p_value:.4f}"


def marks(count: int) -> list[str]:
    """One mark for each system: letters, or numbers where letters do not suffice."""
    letters = list(_LETTERS[:count])
    return letters if len(letters) == count else [str(number) for number in range(1, count + 1)]


def marked_table(comparison: Comparison, *, width: int | None = None) -> str:
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
    table = render(rows, ("system", *comparison.metrics), left=range(99), width=width)
    return f"{table}\n\n{_caption(comparison)}"


def comparison_latex(comparison: Comparison) -> str:
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
    return latex_table(alignment, ["", "", *names], rows, note=_caption(comparison))


def _caption(comparison: Comparison) -> str:
    choice = comparison.choice
    return (
        f"A raised mark: significantly above that system ({choice.test}, correction "
        f"{choice.correction}, α = {choice.alpha:g})."
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
