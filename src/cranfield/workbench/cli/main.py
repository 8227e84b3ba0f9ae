"""``cranfield``: finds the command, runs it, and turns errors into one line."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from textwrap import fill
from typing import Any, NoReturn, get_args

from cranfield import __version__
from cranfield.base.errors import CranfieldError, near, shortened, shown
from cranfield.base.progress import Way, progress_as
from cranfield.view.tables.terminal import printable
from cranfield.workbench import inventory
from cranfield.workbench.cli.glossary import terms_line
from cranfield.workbench.cli.shared.compiling import compiling
from cranfield.workbench.cli.shared.interrupts import (
    INTERRUPTED,
    interrupt_no_more,
    interrupt_safely,
    leave_interrupted,
    say_interrupted,
    was_interrupted,
)
from cranfield.workbench.cli.shared.reading import reading_runs

COMMANDS = {
    "options": "list the decisions and their answers",
    "glossary": "explain the terms of reports and commands",
    "datasets": "list the data sets that are known by name",
    "stats": "describe a data set",
    "filter": "filter ratings and write the rest to a file",
    "split": "divide ratings into training and test",
    "rank": "fit systems and write their rankings as runs",
    "evaluate": "score runs against judgments",
    "compare": "test which differences between systems are real",
    "assess": "assess whether metrics and designs can be trusted",
    "recommend-design": "say which design to trust on data like yours",
    "plan": "freeze all decisions before any result is known",
    "run": "execute an experiment or a study from its definition",
    "verify": "recompute results and confirm that they are equal",
    "compare-results": "say how results differ, and what explains it",
    "checklist": "fill in a reviewers' checklist from results",
    "reproduce": "recompute the tables and figures of the papers",
    "schema": "print the JSON Schema of definitions, results or other records",
    "store": "show, check or prune the cache",
}

LONG = ("rank", "evaluate", "compare", "assess", "recommend-design", "run", "verify", "reproduce")
"""Commands that may take long, and show how far they are."""

_OBJECTS = 1_000_000
"""New objects after which Python looks for cycles."""
_HELP_WIDTH = 78
_USAGE_ERROR = 2
_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
"""How argparse refuses a command or a word that it does not know."""
_LONG_FLAG = re.compile(r"--[^\s=]+(=|$)")


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line that says how to get help.

    Its help ends with the terms that it uses, which the glossary explains.
    """

    def format_help(self) -> str:
        """The help, and its terms."""
        said = super().format_help()
        terms = fill(terms_line(said), _HELP_WIDTH, break_on_hyphens=False)
        return f"{said}\n{terms}\n" if terms else said

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Read the arguments, after a look for flags that do not exist.

        Without it, a misspelled flag is answered by what it left missing.
        """
        if self._subparsers is None:  # the flags of a command are its own parser's to judge
            self._refuse_unknown_flags(list(args or ()))
        return super().parse_known_args(args, namespace)

    def _refuse_unknown_flags(self, words: list[str]) -> None:
        given = takewhile(lambda word: word != "--", words)
        long = (word.partition("=")[0] for word in given if _LONG_FLAG.match(word))
        known = [flag for flag in self._option_string_actions if flag.startswith("--")]
        for name in long:
            if not any(flag.startswith(name) for flag in known):
                # The dashes that all flags share would make any two look alike.
                hint = near(name[2:], [flag[2:] for flag in known]).replace('"', '"--', 1)
                self._leave(f'no flag is called "{shortened(name)}".{hint}')

    def error(self, message: str) -> NoReturn:
        """Print the complaint and leave."""
        said = shortened(message.rstrip("."))
        wrong = _CHOICE.search(said)
        hint = near(wrong[1], re.findall(r"[\w-]+", wrong[2])) if wrong else ""
        if wrong and said.startswith("argument COMMAND"):
            said = f'no command is called "{wrong[1]}"'
        elif wrong:
            answers = wrong[2].replace("'", "")
            said = _CHOICE.sub(lambda _: f'"{wrong[1]}" is not one of {answers}', said)
        self._leave(f"{said}.{hint}")

    def _leave(self, complaint: str) -> NoReturn:
        sys.stderr.write(f"{self.prog}: {complaint} See `{self.prog} --help`.\n")
        raise SystemExit(_USAGE_ERROR)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 only if it did all that was asked.

    It is 1 if nothing was done, 2 if the command itself cannot be read, 3 if some systems
    failed and the others were evaluated, and 4 if a condition of ``--fail-if`` holds.
    """
    try:
        return _main(arguments)
    except BaseException as error:
        # Polars ends its work by an error of its own, or raises before Python does, so that
        # a second interrupt strikes where the first is dealt with.
        first = isinstance(error, KeyboardInterrupt)
        if not first and not (arguments is None and was_interrupted()):
            raise
    if arguments is None:
        leave_interrupted()
    say_interrupted()
    return INTERRUPTED


def _main(arguments: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        # In a process of its own, modules that stay are not searched for cycles over and
        # over while they load, nor all of them once more at the end: 0.4 s.
        gc.set_threshold(_OBJECTS)
        atexit.register(gc.freeze)
        interrupt_safely()
    try:
        with compiling(given), reading_runs(given):
            return _run(given)
    except CranfieldError as error:
        for line in str(error).splitlines():
            sys.stderr.write(f"cranfield: {printable(line)}\n")
    except BrokenPipeError:
        # The reader has gone, as with `cranfield options | head`: not our failure, and
        # Python must not complain again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # of whatever file; that of most is told in more words
        sys.stderr.write(f"cranfield: {printable(_file_error(error))}\n")
    finally:
        if arguments is None:
            interrupt_no_more()
    return 1


def _file_error(error: OSError) -> str:
    name = f"{shown(str(error.filename))[1:-1]}: " if error.filename is not None else ""
    return f"{name}{error.strerror or error}."


def _run(given: list[str]) -> int:
    """Load only the module of the command that was asked for, and the options it names."""
    parser = Parser(
        prog="cranfield",
        description="Offline evaluation of recommender systems: is A really better than B, "
        "or did the way we measured decide it?",
    )
    parser.add_argument("--version", action="version", version=f"cranfield {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    wanted = next((word for word in given if not word.startswith("-")), None)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=_capital(text))
        if name == wanted:
            module = import_module(f"cranfield.workbench.cli.{name.replace('-', '_')}")
            module.declare(command)
            if name in LONG:
                progress_argument(command)
            command.set_defaults(run=module.run, kinds=getattr(module, "KINDS", ()))
    parsed = parser.parse_args(given)
    if parsed.command is None:
        parser.print_help()
        return _USAGE_ERROR
    inventory.load(*parsed.kinds)
    with progress_as(getattr(parsed, "progress", "auto")):
        return int(parsed.run(parsed) or 0)


def progress_argument(command: argparse.ArgumentParser) -> None:
    """How progress is shown."""
    command.add_argument(
        "--progress", choices=get_args(Way), default="auto",
        help="how progress is shown: bars on a terminal (auto), lines on the error stream (log), "
            "or not at all (none)",
    )  # fmt: skip


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
