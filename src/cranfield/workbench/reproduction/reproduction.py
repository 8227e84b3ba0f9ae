"""Reproduction: a table or figure of a paper as an experiment, with the claims drawn from it.

Every file of ``reproductions/`` is an experiment or a study as any user would write it, and
under ``reproduction`` what the paper shows: panels (data sets, with stand-ins where one is
absent), the numbers that are printed, what to show, and claims. What is shown and claimed
is a question in SQL to the figures that the run gives (`frames.py`) and to ``split``, the
test ratings of each item (`split_curves.py`), so that no table or figure has code of its own.
A claim may be held to more than our figures: to those that the authors published (``authors``)
or printed, and to ours with a ``fault`` of the tool behind the paper.
What the files of a paper share, such as its systems, stands in one file without a number, which
they name under ``based_on``; a file may also be based on another table or figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from importlib.resources import files
from typing import Any, Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import fold
from cranfield.base.errors import OptionError, near
from cranfield.workbench.definition.files import parse_definition

Answers = Mapping[str, Any]
Kind = Literal["table", "lines", "bars"]


@dataclass(frozen=True)
class Show:
    """One thing to show: the rows that ``select`` gives.

    ``lines`` have columns x, y and series, in this order, ``bars`` group, value and series,
    and perhaps a column panel: then each panel has a picture of its own. A ``table`` shows
    all columns.
    """

    title: str
    select: str
    kind: Kind = "table"
    x: str = ""
    y: str = ""


@dataclass(frozen=True)
class Claim:
    """What a paper concludes: ``test`` gives rows with a column ``holds``, and the figures.

    ``authors`` is such a question to the numbers that the paper prints, where these alone
    decide whether its own figures bear it out; it comes before the question to files that
    the authors published. ``authors_of`` names the other paper whose figures are asked where
    this one has none. ``reason`` says why our figures do not bear it out, where a
    computation shows it, and ``note`` what else is known of it or was tried.
    """

    says: str
    test: str
    authors: str = ""
    authors_of: str = ""
    reason: str = ""
    note: str = ""

    @property
    def told(self) -> str:
        """The reason and what else is known, in one line."""
        return " ".join(f"{self.reason} {self.note}".split())


@dataclass(frozen=True)
class Fault:
    """A fault of the ``tool`` behind a paper's figures, and the answers that copy it.

    ``small`` are the answers in the small edition, where others are quicker.
    """

    tool: str
    says: str
    answers: Answers
    small: Answers = field(default_factory=dict)


@dataclass(frozen=True)
class AuthorsFiles:
    """Tables that the authors published, by data set: p-values, and means by popularity.

    ``metrics`` are their columns, and what these metrics are called here; ``paper`` is the
    one that they were published with.
    """

    metrics: Mapping[str, str]
    p_values: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    paper: str = ""


@dataclass(frozen=True)
class Panel:
    """One data set of a table or figure: answers that make the experiment its own.

    ``stand_in`` are answers for when the data are absent; such a panel reproduces nothing.
    """

    name: str
    answers: Answers
    stand_in: Answers | None = None
    stand_in_name: str = ""


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A table or figure of a paper: its definition, panels, printed numbers and claims.

    ``definition`` is the table of the experiment or study. ``small`` are answers that make
    it quick, on built-in data. ``tables`` are questions whose answers are shown and claimed
    of by name, each with those before it. ``published`` are rows of numbers that the paper
    prints, ``authors`` the tables that its authors published. ``called`` are spellings of
    metrics, and what questions call them. ``fault`` is one of the tool behind the paper.
    ``later`` are answers for the draws after the first, where fewer designs decide the claims.
    ``differs`` says why figures differ from print, as far as it is known.
    """

    paper: str
    item: str
    title: str
    definition: Mapping[str, Any]
    panels: tuple[Panel, ...]
    small: Answers
    shows: tuple[Show, ...]
    claims: tuple[Claim, ...]
    tables: Mapping[str, str] = field(default_factory=dict)
    published: tuple[Mapping[str, Any], ...] = ()
    authors: AuthorsFiles | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    fault: Fault | None = None
    later: Answers = field(default_factory=dict)
    differs: str = ""

    @property
    def name(self) -> str:
        """Paper and item as one word, such as canamares2020-figure-2."""
        return f"{self.paper}-{fold_item(self.item)}"


def run_alike(made: Reproduction) -> list[Reproduction]:
    """Tables and figures of other papers that are the same experiment, asked the same."""
    return [
        each
        for each in find_reproductions()
        if each.paper != made.paper
        and replace(made, paper=each.paper, item=each.item, title=each.title, differs=each.differs)
        == each
    ]


def fold_item(item: str) -> str:
    """An item as part of a name: "Figure 2" is figure-2."""
    return item.lower().replace(" ", "-").replace("–", "-")


def find_reproductions(paper: str | None = None, item: str | None = None) -> list[Reproduction]:
    """All reproductions, those of a paper, or the one of a table or figure."""
    every = [read_reproduction(name) for name in names()]
    papers = list(dict.fromkeys(each.paper for each in every))
    if paper is not None:
        if fold(paper) not in map(fold, papers):
            listed = ", ".join(papers)
            raise OptionError(
                f'no paper is called "{paper}".{near(paper, papers)} There are {listed}.'
            )
        every = [each for each in every if fold(each.paper) == fold(paper)]
    if item is not None:
        items = [each.item for each in every]
        every = [each for each in every if fold(item) in _spellings(each.item)]
        if not every:
            listed = ", ".join(items)
            raise OptionError(f'{paper} has no "{item}".{near(item, items)} There are {listed}.')
    return every


def _spellings(item: str) -> set[str]:
    """How a table or figure may be called: Figure 2, fig2, figure-2."""
    whole = fold(item)
    return {
        whole,
        whole.replace("figure", "fig"),
        whole.replace("figure", "fig."),
        whole.replace("table", "tab"),
    }


def names() -> list[str]:
    """The names of all reproductions, by paper and then by item; not of what they share."""
    folder = files("cranfield.workbench.reproduction").joinpath("papers")
    found = [each.name.removesuffix(".toml") for each in folder.iterdir()]
    return sorted((name for name in found if "-" in name), key=_in_order)


def _in_order(name: str) -> tuple[str, str, int, str]:
    paper, _, item = name.partition("-")
    kind, _, number = item.partition("-")
    digits = number.partition("-")[0]
    return paper, "0" if kind == "table" else kind, int(digits) if digits.isdigit() else 0, number


def read_reproduction(name: str) -> Reproduction:
    """One reproduction that ships with the package."""
    table = _read(name)
    given = table.pop("reproduction")
    panels = given.get("panels") or {"": {}}
    authors = AuthorsFiles(**given["authors"]) if given.get("authors") else None
    return Reproduction(
        paper=given["paper"],
        item=given["item"],
        title=given["title"],
        definition=table,
        panels=tuple(_panel(key, value) for key, value in panels.items()),
        small=given.get("small", {}),
        shows=tuple(Show(**each) for each in given.get("shows", ())),
        claims=tuple(_claim(each, given["paper"], authors) for each in given.get("claims", ())),
        tables=given.get("tables", {}),
        published=tuple(given.get("published", ())),
        authors=authors,
        called=given.get("called", {}),
        fault=Fault(**given["fault"]) if "fault" in given else None,
        later=given.get("later", {}),
        differs=_differs(given),
    )


def _claim(given: Mapping[str, Any], paper: str, authors: AuthorsFiles | None) -> Claim:
    """A claim, and the other paper whose files are asked if this one prints nothing on it."""
    claim = Claim(**given)
    if claim.authors or authors is None or authors.paper in ("", paper):
        return claim
    return replace(claim, authors_of=authors.paper)


def _differs(given: Mapping[str, Any]) -> str:
    """Why figures differ from print, and which designs the draws after the first have."""
    said: str = given.get("differs", "")
    fewer = [
        f"{path.removeprefix('study.vary.')} is {', '.join(map(str, answers))}"
        for path, answers in given.get("later", {}).items()
    ]
    if not fewer:
        return said
    return f"{said}To save time the draws after the first have fewer designs: {'; '.join(fewer)}.\n"


def _read(name: str) -> dict[str, Any]:
    """The table of a file, over that of the one it is based on.

    Small editions, panels, authors' files and names are taken together; an empty table takes
    away what is shared.
    """
    place = files("cranfield.workbench.reproduction").joinpath("papers", f"{name}.toml")
    table: dict[str, Any] = dict(parse_definition(f"{name}.toml", place.read_bytes()))
    given = dict(table.get("reproduction", {}))
    base = given.pop("based_on", None)
    if base is None:
        return table
    below = _read(base)
    common = below.get("reproduction", {})
    both = {
        key: {**common.get(key, {}), **given.get(key, {})}
        for key in ("small", "panels", "authors", "called")
        if common.get(key) and given.get(key)
    }
    return {**below, **table, "reproduction": {**common, **given, **both}}


def _panel(name: str, given: Mapping[str, Any]) -> Panel:
    answers = {key: value for key, value in given.items() if not key.startswith("stand_in")}
    return Panel(name, answers, given.get("stand_in"), given.get("stand_in_name", ""))
