"""Questions: the items of a checklist, read from the files that ship, or from one of the user's."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadExperiment, BadParameter, near, shown
from cranfield.base.packed import reading, require_file
from cranfield.workbench.review.facts import FACTS

ALL = "all"
"""The checklist of every item."""
_ITEMS = "items"
_KEYS = ("title", "source", "extends", "items", "item", "sources", "answers")
_ITEM_KEYS = {"name": str, "topic": str, "asks": str, "do": str, "facts": list, "sources": list}


@dataclass(frozen=True, kw_only=True)
class Question:
    """One item: what is asked, which facts answer it, what to do without them, and who asks.

    ``answer`` is what the authors say themselves.
    """

    name: str
    topic: str
    asks: str
    facts: tuple[str, ...] = ()
    do: str = ""
    sources: tuple[str, ...] = ()
    answer: str = ""


@dataclass(frozen=True)
class Questions:
    """The items of one checklist, and the key of who asks for them all, if it is one.

    ``sources`` are citations by the keys that items name.
    """

    title: str
    source: str
    items: tuple[Question, ...]
    sources: Mapping[str, str]


def venues() -> tuple[str, ...]:
    """The checklists that ship with the package."""
    found = (each.name for each in _folder().iterdir() if each.name.endswith(".toml"))
    return tuple(sorted(name.removesuffix(".toml") for name in found if name != f"{_ITEMS}.toml"))


def read_questions(name: str | Path) -> Questions:
    """The checklist of a venue, or of a file in TOML that the user wrote.

    A file has a ``title`` and ``items``, by their names in those that ship; ``item`` are its
    own. It may take those of another with ``extends``, and give ``answers`` by item.

    >>> read_questions("acm").items[-1].name
    'exercisable'
    """
    if str(name) in venues():
        return _questions(_shipped(str(name)), f"{name}.toml")
    place = Path(name)
    if not place.suffix:
        wanted = f"one of {', '.join(venues())}, or a file such as mine.toml"
        raise BadParameter("checklist", "for", name, wanted, hint=near(str(name), venues()))
    require_file(place)
    with reading(place):
        data = place.read_bytes()
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadExperiment(str(place), [("", f"{error}.")]) from None
    return _questions(table, str(place))


def _folder() -> Any:
    return files("cranfield.workbench.review").joinpath("checklists")


@cache
def _shipped(name: str) -> Mapping[str, Any]:
    text = _folder().joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _questions(table: Mapping[str, Any], where: str) -> Questions:
    """The checklist that a table spells; all that is wrong is said at once."""
    problems = list(_problems(table))
    if problems:
        raise BadExperiment(where, problems)
    above = table.get("extends")
    before = None if above is None else _questions(_shipped(above), f"{above}.toml")
    own = {each["name"]: _question(each) for each in table.get("item", ())}
    known = {**_known(), **own}
    names = dict.fromkeys(
        [*(q.name for q in (before.items if before else ())), *table.get("items", ()), *own]
    )
    answers, sources = table.get("answers", {}), {**_shipped(_ITEMS)["sources"]}
    if wrong := [name for name in answers if name not in names]:
        texts = [(f"answers.{name}", f"it has no such item.{near(name, names)}") for name in wrong]
        raise BadExperiment(where, texts)
    title = table.get("title") or (before.title if before else "")
    items = tuple(_answered(known[name], answers.get(name, "")) for name in names)
    source = table.get("source") or (before.source if before else "")
    return Questions(str(title), str(source), items, {**sources, **table.get("sources", {})})


def _answered(question: Question, answer: str) -> Question:
    return Question(**{**vars(question), "answer": answer}) if answer else question


@cache
def _known() -> dict[str, Question]:
    """Every item that ships, by name."""
    return {each["name"]: _question(each) for each in _shipped(_ITEMS)["items"]}


def _question(given: Mapping[str, Any]) -> Question:
    lists = {name: tuple(given.get(name, ())) for name in ("facts", "sources")}
    return Question(**{"topic": "Further", **given, **lists})


def _problems(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with a file, by path."""
    for name in table:
        if name not in _KEYS:
            yield name, f"a checklist has no such key.{near(name, _KEYS)}"
    above = table.get("extends")
    if above is not None and above not in venues():
        yield "extends", f"{shown(above)} is not one of {', '.join(venues())}."
    for name in ("title", "source"):
        if not isinstance(table.get(name, ""), str):
            yield name, f"{shown(table[name])} is not text."
    for name in ("answers", "sources"):
        given = table.get(name, {})
        if not isinstance(given, Mapping) or not all(isinstance(v, str) for v in given.values()):
            yield name, "it is not a table of texts."
    yield from _wrong_items(table)


def _wrong_items(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    listed, own = table.get("items", []), table.get("item", [])
    if not isinstance(own, list) or not all(isinstance(each, Mapping) for each in own):
        yield "item", "it is not a list of tables: write [[item]]."
        own = []
    for place, each in enumerate(own):
        yield from ((f"item[{place}].{path}", text) for path, text in _wrong_item(each))
    known = [*_known(), *(str(each.get("name")) for each in own)]
    for name in listed if isinstance(listed, list) else [listed]:
        if not isinstance(name, str) or name not in known:
            hint = near(name, known) if isinstance(name, str) else ""
            yield "items", f"there is no item {shown(name)}.{hint}"
    if not listed and not own and table.get("extends") is None:
        yield "items", f"at least one is needed, such as {listed_names(known[:3])}."


def listed_names(names: list[str]) -> str:
    """Names as a list in TOML."""
    return f"[{', '.join(map(shown, names))}]"


def _wrong_item(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        kind = _ITEM_KEYS.get(name)
        if kind is None:
            yield name, f"an item has no such key.{near(name, _ITEM_KEYS)}"
        elif not isinstance(value, kind):
            yield name, f"{shown(value)} is not {'text' if kind is str else 'a list'}."
    for name in ("name", "asks"):
        if not given.get(name):
            yield name, "it is needed."
    asked = given.get("facts", [])
    for fact in asked if isinstance(asked, list) else ():
        if fact not in FACTS:
            yield "facts", f"there is no fact {shown(fact)}.{near(str(fact), FACTS)}"
    if not given.get("facts") and not given.get("do"):
        yield "do", "say what to do, as no fact answers it."
