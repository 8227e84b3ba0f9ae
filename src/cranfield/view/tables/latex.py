"""Tables for LaTeX, in which what comes from data stays text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is; what cannot be printed becomes a question mark.

    >>> print(escaped("50 % of A_1"))
    50 \% of A\_1
    """
    return "".join(_SPECIAL.get(c, c) if c.isprintable() else "?" for c in text)


def latex_table(
    alignment: str,
    headings: Sequence[str],
    *parts: Iterable[Sequence[str]],
    note: str = "",
) -> str:
    r"""A table with booktabs rules, one between parts; headings are escaped, cells are LaTeX.

    A note follows as a comment.

    >>> print(latex_table("lr", ["", "P@10"], [["A", r"\textbf{0.5}"]]))
    \begin{tabular}{lr}
    \toprule
     & P@10 \\
    \midrule
    A & \textbf{0.5} \\
    \bottomrule
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", _row(map(escaped, headings))]
    for part in parts:
        lines += [r"\midrule", *map(_row, part)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*lines, *([f"% {note}"] if note else [])])


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
