"""Tables for LaTeX, in which what comes from data stays text, and all of it is ASCII."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from unicodedata import normalize

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
    "|": r"\textbar{}",
    # After the end of a row, a bracket or an asterisk would be read as its argument.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    '"': "{''}",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "∼": r"$\sim$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "’": "{'}",
    "‘": "{`}",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        (
            "alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota",
            "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "varphi",
            "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi",
            "Psi", "Omega",
        ),
        strict=True,
    )
)  # fmt: skip
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c",
}  # fmt: skip


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is, in ASCII.

    Letters of other scripts are written by their number, and what cannot be printed becomes
    a question mark.

    >>> print(escaped("50 % of A_1"), escaped("é, α, 中"))
    50 \% of A\_1 \'{e}, $\alpha$, (U+4E2D)
    """
    whole = normalize("NFC", text)
    apart = (_apart(*pair) for pair in zip(f" {whole}", whole, strict=False))
    return "".join(f"{gap}{_letter(letter)}" for gap, letter in zip(apart, whole, strict=True))


def _apart(before: str, letter: str) -> str:
    """What keeps two signs apart of which LaTeX would make another, as of two hyphens."""
    return "{}" if before in "-'`,?!" and letter in "-'`,’‘" else ""


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if not letter.isprintable():
        return "?"
    if letter in _GREEK:
        return rf"$\{_GREEK[letter]}$"
    return letter if letter.isascii() else _of_latin(letter)


def _of_latin(letter: str) -> str:
    """A letter with accents, or one that stands for plain ones; else its number."""
    base, marks = normalize("NFD", letter)[0], normalize("NFD", letter)[1:]
    if marks and base.isascii() and base.isalpha() and all(mark in _ACCENTS for mark in marks):
        for mark in marks:
            base = rf"\{_ACCENTS[mark]}{{{base}}}"
        return base
    plain = normalize("NFKD", letter).replace("\u2044", "/")
    if not marks and plain.isascii() and plain.strip():
        return "".join(_SPECIAL.get(each, each) for each in plain)
    return f"(U+{ord(letter):04X})"


def latex_table(
    alignment: str,
    headings: Sequence[str],
    *parts: Iterable[Sequence[str]],
    caption: str = "",
    label: str = "",
) -> str:
    r"""A table with booktabs rules, one between parts; headings are escaped, cells are LaTeX.

    With a caption, which is escaped too, it floats; the label is made of plain letters.

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
    if caption:
        named = [rf"\label{{tab:{label_of(label)}}}"] if label else []
        start = [r"% needs \usepackage{booktabs}", r"\begin{table}", r"\centering"]
        lines = [*start, rf"\caption{{{escaped(caption)}}}", *named, *lines, r"\end{table}"]
    return "\n".join(lines)


def label_of(title: str) -> str:
    """A title as a label: small letters and digits, joined by hyphens.

    >>> label_of("Été: 2 % of_it")
    'ete-2-of-it'
    """
    plain = normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    return "-".join(re.findall("[a-z0-9]+", plain)) or "results"


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
