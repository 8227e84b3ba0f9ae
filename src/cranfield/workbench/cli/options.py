"""``cranfield options``: what can be decided, and the answers there are."""

from __future__ import annotations

import argparse
import inspect

from cranfield.base import options
from cranfield.base.decisions import Decision, declared
from cranfield.base.spelling import write_value
from cranfield.view.tables import terminal as tables
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("decision", nargs="?", metavar="DECISION", help="list its answers")
    parser.add_argument("name", nargs="?", metavar="OPTION", help="explain this answer in full")


def run(arguments: argparse.Namespace) -> None:
    """Print the decisions, the answers to one, or one answer with its parameters."""
    if arguments.decision is None:
        tables.show(_decisions())
    elif closed := _closed_list(arguments.decision):
        if arguments.name is not None:
            closed.check(arguments.name)
        tables.show(_answers(closed))
    elif arguments.name is None:
        tables.show(_options(_decision(arguments.decision)))
    else:
        tables.show(_option(options.find(_decision(arguments.decision), arguments.name)))


def _decision(name: str) -> str:
    """The decision that a name means, however it is capitalised and hyphenated."""
    known = {options.fold(decision): decision for decision in options.decisions()}
    return known.get(options.fold(name), name)


def _closed_lists() -> list[Decision]:
    """The decisions of experiments and studies whose answers are words of a closed list."""
    study = [each for each in declared(Study, "study") if each.path != "study.base"]
    return [each for each in (*declared(Experiment), *study) if each.answers]


def _closed_list(name: str) -> Decision | None:
    """The decision that a path such as comparison.family, or its last word, means."""
    sought = options.fold(name)
    for each in _closed_lists():
        if sought in (options.fold(each.path), options.fold(each.name)):
            return each
    return None


def _answers(decision: Decision) -> str:
    """The words of a closed list, and what each means."""
    rows = [
        (f"{word} (default)" if word == decision.default else word, decision.texts.get(word, ""))
        for word in decision.answers
    ]
    headings = (decision.path, decision.text)
    return tables.render(rows, headings, left=(0, 1), width=tables.terminal_width())


def _decisions() -> str:
    rows = [
        (decision, str(len(options.options(decision))), options.describe(decision))
        for decision in inventory.decisions()
    ]
    words = [(each.path, ", ".join(each.answers), each.text) for each in _closed_lists()]
    width = tables.terminal_width()
    found = (
        tables.render(rows, ("decision", "options", "what it decides"), left=(0, 2), width=width),
        tables.render(
            words, ("decision", "answers", "what it decides"), left=(0, 1, 2), width=width
        ),
        "`cranfield options DECISION` lists the answers to one.",
    )
    return "\n\n".join(found)


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
    rows = [(options.written(p.name), _default(p), p.text) for p in known]
    text = inspect.getdoc(cls) or ""
    if not rows:
        return f"{text}\n\nIt has no parameters."
    headings = ("parameter", "default", "meaning")
    table = tables.render(rows, headings, left=(0, 1, 2), width=tables.terminal_width())
    return f"{text}\n\n{table}"


def _signature(cls: type) -> str:
    inside = ", ".join(
        options.written(p.name) + ("" if p.required else f"={_default(p)}")
        for p in options.parameters(cls)
    )
    return f"({inside})" if inside else ""


def _default(known: options.Decision) -> str:
    return "(needed)" if known.required else write_value(known.default)


def _first_line(cls: type) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0]
