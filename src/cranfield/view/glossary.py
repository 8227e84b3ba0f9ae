"""The glossary: every term of reports and commands, defined once, in ``glossary.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnknownTerm


@dataclass(frozen=True)
class Term:
    """A term: its definition, the forms in which it is recognised, and where more is said.

    ``see`` is a page of the documentation.
    """

    name: str
    group: str
    text: str
    spellings: tuple[str, ...]
    see: str

    @property
    def anchor(self) -> str:
        """The name as a place on a page.

        >>> find_term("1R").anchor
        'one-relevant-1r'
        """
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, group by group, in the order of the pipeline."""
    read = tomllib.loads(files("cranfield.view").joinpath("glossary.toml").read_text("utf-8"))
    return tuple(
        Term(name, group, said["text"], tuple(said.get("spellings", _usual(name))), said["see"])
        for group, terms in read.items()
        for name, said in terms.items()
    )


def find_term(name: str) -> Term:
    """The term of that name or spelling, whatever its case; else an error with the near one."""
    found = _by_name().get(name.strip().casefold())
    if found is None:
        raise UnknownTerm(name, sorted(_by_name()))
    return found


def defines(name: str) -> Term | None:
    """The term that is written so, if there is one."""
    return _by_name().get(name.casefold())


def terms_in(text: str) -> Iterator[tuple[re.Match[str], Term]]:
    """The terms that occur in a text, where they do, from left to right.

    >>> [term.name for _, term in terms_in("Targets of each topic; untargeted")]
    ['targets', 'topic']
    """
    for match in _pattern().finditer(text):
        spelling = match[0]
        term = _by_spelling().get(spelling) or _by_spelling()[spelling[0].lower() + spelling[1:]]
        yield match, term


def _usual(name: str) -> tuple[str, str]:
    return (name, f"{name}s")


@cache
def _by_spelling() -> dict[str, Term]:
    return {spelling: term for term in glossary() for spelling in term.spellings}


@cache
def _by_name() -> dict[str, Term]:
    """Terms by every spelling and name, and by what a name has in brackets."""
    found = {spelling.casefold(): term for spelling, term in _by_spelling().items()}
    for term in glossary():
        plain, _, inside = term.name.rstrip(")").partition(" (")
        names = (term.name, plain, *(inside.split(", ") if inside else ()))
        found.update({name.casefold(): term for name in names})
    return found


@cache
def _pattern() -> re.Pattern[str]:
    """Any spelling as whole words, the longest first; a sentence may begin with it."""
    written = {*_by_spelling(), *(form[0].upper() + form[1:] for form in _by_spelling())}
    forms = sorted(written, key=len, reverse=True)
    either = (re.escape(form) for form in forms)
    return re.compile(rf"(?<![\w@./-])(?:{'|'.join(either)})(?![\w@(/-])")
