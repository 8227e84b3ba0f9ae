"""Text for LaTeX: what comes from data stays text."""

from __future__ import annotations

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
