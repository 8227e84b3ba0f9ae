"""Terms on a page: each leads to its definition at the end, and shows it under the pointer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cranfield.view.glossary import Term, defines, glossary, terms_in
from cranfield.view.markup import Markup, element, joined
from cranfield.view.page.parts import Section, paragraph

_TAG = re.compile(r"(<[^>]*>)")
"""Text within elements and attributes is escaped, so that this finds every tag."""
_OPAQUE = (
    "a", "blockquote", "button", "caption", "h2", "h3", "label", "legend", "noscript", "option",
    "pre", "script", "style", "summary", "svg", "td",
)  # fmt: skip
"""Elements whose text stays as it is: data, what is copied, and what is clicked."""
_OPENING = re.compile(rf"<(?P<name>{'|'.join(_OPAQUE)}|th(?= scope=\"row\"))[ >]")
_LINKED = re.compile(r'href="#term-([a-z0-9-]+)"')


def defined(name: str) -> str:
    """The name of a decision, linked where the glossary has it."""
    term = defines(name)
    return name if term is None else _link(name, term)


def with_glossary(sections: Sequence[Section]) -> list[Section]:
    """Sections in which the first mention of each term is a link, and the terms they use."""
    linked = [replace(each, body=link_terms(each.body)) for each in sections]
    used = {anchor for section in linked for anchor in _LINKED.findall(section.body)}
    terms = [term for term in glossary() if term.anchor in used]
    return [*linked, Section("glossary", "Glossary", _definitions(terms))] if terms else linked


def link_terms(body: Markup) -> Markup:
    """The body of a section with the first mention of each term as a link.

    >>> print(link_terms(Markup("<p>Targets of a topic</p><td>topic</td>")).count("<a "))
    2
    """
    seen: set[Term] = set()
    within, depth = "", 0
    parts = []
    for part in _TAG.split(body):
        tag = part.startswith("<")
        if within and tag:
            depth += part.startswith((f"<{within} ", f"<{within}>"))
            depth -= part.startswith(f"</{within}>")
            within = within if depth else ""
        elif not within and tag and (opened := _OPENING.match(part)):
            within, depth = opened["name"], 1
        parts.append(part if tag or within else _linked(part, seen))
    return Markup("".join(parts))


def _linked(text: str, seen: set[Term]) -> str:
    """Text that is escaped already, its terms as links unless they were seen before."""
    parts, end = [], 0
    for match, term in terms_in(text):
        if term not in seen:
            seen.add(term)
            parts += [text[end : match.start()], _link(Markup(match[0]), term)]
            end = match.end()
    return "".join([*parts, text[end:]])


def _link(said: str, term: Term) -> Markup:
    plain = term.text.replace("`", "")
    return element("a", said, class_="term", href=f"#term-{term.anchor}", title=plain)


def _definitions(terms: Iterable[Term]) -> Markup:
    said = paragraph(
        "The terms that are underlined with dots above. ",
        element("code", "cranfield glossary"),
        " explains them on the command line.",
    )
    parts = [
        element(
            "div",
            element("dt", term.name, id=f"term-{term.anchor}"),
            element("dd", *_with_code(term.text)),
        )
        for term in terms
    ]
    return joined(said, element("dl", joined(*parts)))


def _with_code(text: str) -> list[Markup | str]:
    """A text whose commands stand between backticks, these as code."""
    pieces = text.split("`")
    return [element("code", each) if place % 2 else each for place, each in enumerate(pieces)]
