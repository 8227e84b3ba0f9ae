"""Writes glossary.md from the definitions that reports and commands show.

python docs/glossary.py
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from cranfield.view.glossary import Term, glossary, terms_in

PAGE = Path(__file__).with_name("glossary.md")

_HEAD = """# Glossary

<!-- Written by docs/glossary.py from src/cranfield/view/glossary.toml. -->

The terms of reports, commands and these pages. In a report every term leads to its definition; on
the command line `cranfield glossary TERM` prints it.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for group, terms in groupby(glossary(), key=lambda term: term.group):
        parts += [f"## {group}\n", *(entry(term) for term in terms)]
    return "\n".join(parts)


def entry(term: Term) -> str:
    """A heading, the definition with links to the terms it uses, and where to read on."""
    return f"### {term.name}\n\n{_linked(term)} [More]({term.see})\n"


def _linked(term: Term) -> str:
    """The definition, the first mention of every other term being a link."""
    said, end, seen = "", 0, {term}
    for match, other in terms_in(term.text):
        if other not in seen:
            seen.add(other)
            said += f"{term.text[end : match.start()]}[{match[0]}](#{other.anchor})"
            end = match.end()
    return said + term.text[end:]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
