"""``cranfield options``: what can be decided, and the answers there are."""

from __future__ import annotations

import argparse
import inspect

from cranfield.base import options
from cranfield.base.spelling import write_value
from cranfield.view.tables import terminal as tables


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("decision", nargs="?", metavar="DECISION", help="list its answers")
    parser.add_argument("name", nargs="?", metavar="OPTION", help="explain this answer in full")


def run(arguments: argparse.Namespace) -> None:
    """Print the decisions, the answers to one, or one answer with its parameters."""
    if arguments.decision is None:
        tables.show(_decisions())
    elif arguments.name is None:
        tables.show(_options(_decision(arguments.decision)))
    else:
        tables.show(_option(options.find(_decision(arguments.decision), arguments.name)))


def _decision(name: str) -> str:
    """The decision that a name means, however it is capitalised and hyphenated."""
    known = {options.fold(decision): decision for decision in options.decisions()}
    return known.get(options.fold(name), name)


def _decisions() -> str:
    rows = [
        (decision, str(len(options.options(decision))), options.describe(decision))
        for decision in options.decisions()
    ]
    table = tables.render(
        rows, ("decision", "options", "what it decides"), left=(0, 2), width=tables.terminal_width()
    )
    return f"{table}\n\n`cranfield options DECISION` lists the options of one."


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
