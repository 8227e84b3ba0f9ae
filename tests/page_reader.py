"""Reads a page as a browser would, and notes what breaks the rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_EMPTY = {"meta", "link", "br", "img", "input"}


@dataclass
class Element:
    """One element: its name, attributes and the text within it, its children's too."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    inside: tuple[str, ...] = ()


@dataclass
class PageReader(HTMLParser):
    """All elements of a page in the order in which they start; tags must match."""

    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = tuple(element.name for element in self.open)
        made = Element(tag, {key: value or "" for key, value in attrs}, inside=inside)
        self.elements.append(made)
        if tag not in _EMPTY:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> ends nothing"
        assert self.open[-1].name == tag, f"</{tag}> ends <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def all(self, name: str) -> list[Element]:
        """All elements of one name."""
        return [element for element in self.elements if element.name == name]

    def rows(self, caption: str) -> list[list[str]]:
        """The cells of the table whose caption starts so, row by row, its headings first."""
        rows: list[list[str]] = []
        within = False
        for element in self.elements:
            if element.name == "caption":
                within = element.text.startswith(caption)
            elif within and element.name == "tr":
                rows.append([])
            elif within and element.name in ("td", "th"):
                rows[-1].append(element.text)
        return rows


def read_page(text: str) -> PageReader:
    """A page that is whole: every element that starts also ends."""
    reader = PageReader()
    reader.feed(text)
    reader.close()
    assert not reader.open, f"<{reader.open[-1].name}> never ends"
    return reader
