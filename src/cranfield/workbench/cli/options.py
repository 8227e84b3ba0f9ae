"""``cranfield options``: the decisions and their answers; an answer is found by its name too."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterator

from cranfield.base import options
from cranfield.base.checking.spelling import write_value
from cranfield.base.decisions import Decision
from cranfield.base.errors import UnknownDecision
from cranfield.base.options import contract_of
from cranfield.view.tables import terminal as tables
from cranfield.workbench import inventory
from cranfield.workbench.cli.glossary import terms_line
from cranfield.workbench.definition.definition import every_decision, find_decision


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "decision", nargs="?", metavar="DECISION",
        help="list the answers to this decision; or, given the name of an answer, explain it",
    )  # fmt: skip
    parser.add_argument("name", nargs="?", metavar="OPTION", help="explain this answer in full")


def run(arguments: argparse.Namespace) -> None:
    """Print the decisions, the answers to one, or one answer with its parameters."""
    if arguments.decision is None:
        tables.show(_decisions())
        return
    kinds = {options.fold(kind): kind for kind in options.decisions()}
    kind = kinds.get(options.fold(arguments.decision))
    if kind is None:
        said = _named(arguments.decision, arguments.name)
    elif arguments.name is not None:
        said = _option(options.find(kind, arguments.name))
    else:
        said = _options(kind)
    tables.show("\n".join(filter(None, (said, terms_line(said)))))


def _decisions() -> str:
    """All decisions: those with options, then those with a closed list, a number or a text."""
    rows = [
        (kind, str(len(options.options(kind))), options.describe(kind))
        for kind in inventory.decisions()
    ]
    rows += [
        (each.path, str(len(each.answers) or "–"), each.text)
        for each in every_decision()
        if contract_of(each.type) is None
    ]
    table = tables.render(
        rows, ("decision", "answers", "what it decides"), left=(0, 2), width=tables.terminal_width()
    )
    return f"{table}\n\n`cranfield options DECISION` lists the answers to one."


def _named(name: str, answer: str | None) -> str:
    """A decision without options by its name; else every answer of that name."""
    try:
        return _answers(find_decision(name), answer)
    except UnknownDecision:
        if answer is None and (found := [*_options_called(name), *_answers_called(name)]):
            return "\n\n".join(found)
        raise UnknownDecision(name, _all_names()) from None


def _all_names() -> list[str]:
    """The names of decisions and of all their options."""
    kinds = inventory.decisions()
    own = [each.name for each in every_decision()]
    return [*kinds, *own, *(name for kind in kinds for name in options.options(kind))]


def _options_called(name: str) -> Iterator[str]:
    """The options of that name, whatever they decide; a cut-off or parameters may follow it."""
    wanted = options.fold(re.split("[(@]", name)[0])
    for kind in inventory.decisions():
        for cls in options.options(kind).values():
            names = (cls.option_name, *cls.option_aliases)  # type: ignore[attr-defined]
            if wanted in map(options.fold, names):
                yield f"{kind} {names[0]}\n\n{_option(cls)}"


def _answers_called(name: str) -> Iterator[str]:
    """The answers of that name in closed lists."""
    for each in every_decision():
        for answer in each.answers:
            if options.fold(str(answer)) == options.fold(name):
                yield f"{each.path} = {answer}: {each.texts.get(answer, '')}".rstrip(": ")


def _answers(decision: Decision, answer: str | None) -> str:
    """The answers to a decision that has a closed list, or one; or what it takes instead."""
    head = f"{decision.path}: {decision.text}"
    if decision.required:
        head += " It is required."
    elif decision.default not in (None, {}, ()):
        head += f" By default: {write_value(decision.default)}."
    if answer is not None and decision.answers:
        return f"{decision.path} = {answer}: {decision.texts.get(decision.check(answer), '')}"
    if contract := contract_of(decision.type):
        return f"{head}\n\n`cranfield options {contract}` lists the answers."
    if not decision.answers:
        bounds = str(decision.bounds)
        return f"{head} It takes values {bounds}." if bounds else head
    rows = [(str(each), decision.texts.get(each, "")) for each in decision.answers]
    width = tables.terminal_width()
    table = tables.render(rows, (decision.path, "meaning"), left=(0, 1), width=width)
    return f"{head}\n\n{table}"


def _options(decision: str) -> str:
    rows = [
        (f"{name}{_signature(cls)}", _first_line(cls))
        for name, cls in options.options(decision).items()
    ]
    table = tables.render(
        rows, (decision, options.describe(decision)), left=(0, 1), width=tables.terminal_width()
    )
    return f"{table}\n\n`cranfield options {decision} OPTION` explains one in full."


def _option(cls: type) -> str:
    known = options.parameters(cls)
    tuned = any(p.tune for p in known)
    rows = [
        (options.written(p.name), _default(p), *([p.tune or "–"] if tuned else []), p.text)
        for p in known
    ]
    text = inspect.getdoc(cls) or ""
    if not rows:
        return f"{text}\n\nIt has no parameters."
    headings = ("parameter", "default", *(["tune"] if tuned else []), "meaning")
    every = tuple(range(len(headings)))
    table = tables.render(rows, headings, left=every, width=tables.terminal_width())
    how = f"\n\n{cls.option_name}(tune) tunes it over these ranges." if tuned else ""  # type: ignore[attr-defined]
    return f"{text}\n\n{table}{how}"


def _signature(cls: type) -> str:
    inside = ", ".join(
        options.written(p.name) + ("" if p.required else f"={_default(p)}")
        for p in options.parameters(cls)
    )
    return f"({inside})" if inside else ""


def _default(known: Decision) -> str:
    return "(needed)" if known.required else write_value(known.default)


def _first_line(cls: type) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0]
