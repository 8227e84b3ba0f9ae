"""``cranfield glossary``: the terms of reports and commands, and what they mean."""

from __future__ import annotations

import argparse
from itertools import groupby

from cranfield.view.glossary import Term, find_term, glossary, terms_in
from cranfield.view.tables import terminal as tables


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("term", nargs="*", metavar="TERM", help="explain this term")


def run(arguments: argparse.Namespace) -> None:
    """Print all terms, or the one that is asked for."""
    tables.show(_explained(find_term(" ".join(arguments.term))) if arguments.term else _listed())


def terms_line(text: str) -> str:
    """The terms that a text uses, and how to have them explained; nothing where it uses none."""
    names = list(dict.fromkeys(term.name for _, term in terms_in(text)))
    listed = ", ".join(names)
    return f"`cranfield glossary TERM` explains: {listed}." if names else ""


def _listed() -> str:
    parts = []
    for group, terms in groupby(glossary(), key=lambda term: term.group):
        rows = [(term.name, term.text.partition(". ")[0].rstrip(".")) for term in terms]
        width = tables.terminal_width()
        parts.append(tables.render(rows, (group.lower(), "meaning"), left=(0, 1), width=width))
    return "\n\n".join([*parts, "`cranfield glossary TERM` explains one in full."])


def _explained(term: Term) -> str:
    others = {each.name: each for _, each in terms_in(term.text) if each is not term}
    related = f"\nSee also: {', '.join(others)}." if others else ""
    return f"{term.name}: {term.text}{related}\nDocumentation: {term.see}"
