"""A strict reader of LaTeX tables: what pdflatex would stumble over is an error here."""

from __future__ import annotations

import re

_PRINTED = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
    "textgreater": ">", "textbar": "|", "ldots": "…", "&": "&", "%": "%", "$": "$", "#": "#",
    "_": "_", "{": "{", "}": "}", ",": " ",
}  # fmt: skip
_TOKEN = re.compile(r"\\([a-zA-Z]+|.)(\{\})?|(.)", re.DOTALL)
_RULES = r"\\(?:toprule|midrule|bottomrule)"


def printed(latex: str) -> str:
    """What LaTeX prints for text that was escaped; whatever it would act on is refused."""
    assert latex.isascii()
    plain, depth = [], 0
    for token in _TOKEN.finditer(re.sub(r"\$\\[a-zA-Z]+\$|\$-\$", "M", latex)):
        name, letter = token[1], token[3]
        if name is not None:
            assert name in _PRINTED, f"\\{name}"
            plain.append(_PRINTED[name])
            continue
        assert letter not in "&%$#_~^<>|\\", f"{letter} in {latex}"
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
        plain.append("" if letter in "{}" else letter)
    assert depth == 0
    return "".join(plain)


def rows_of(latex: str) -> list[list[str]]:
    """The cells of a table, row by row; no row may begin with an argument of the last."""
    assert latex.isascii()
    assert not re.search(r"\\\\\s*[\[*]", latex)
    assert not re.search(rf"{_RULES}\s*\[", latex)
    found = re.search(r"\\begin\{tabular\}\{([lrc]+)\}(.*)\\end\{tabular\}", latex, re.DOTALL)
    assert found is not None
    body = re.sub(_RULES, "", found[2])
    rows = [row for row in re.split(r"\\\\\n", body) if row.strip()]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)&", row)] for row in rows]
    assert all(len(row) == len(found[1]) for row in cells)
    return cells
