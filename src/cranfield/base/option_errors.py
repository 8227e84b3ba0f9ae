"""Errors of decisions: options and parameters that do not exist, or not like that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.base.error import CranfieldError, near, shown


class OptionError(CranfieldError):
    """A decision answered wrongly.

    ``parameter`` is the one that is wrong, where there is one, and ``problem`` what is
    wrong with it: a file that holds the decision says by itself where they stand.
    """

    parameter: str | None = None
    problem: str | None = None


class UnknownDecision(OptionError):
    """A decision that nobody has to take."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(
            f'no decision is called "{name}".{near(name, known)} `cranfield options` lists all.'
        )


class UnknownOption(OptionError):
    """An answer that a decision does not have.

    Some answers are parts of one: ``parts`` are the decisions that list them.
    """

    def __init__(
        self, decision: str, name: str, known: Iterable[str], *, parts: Sequence[str] = ()
    ) -> None:
        names = list(known)
        commands = [f"`cranfield options {each}`" for each in parts or (decision,)]
        *first, last = commands
        listing = f"{', '.join(first)} and {last} list" if first else f"{last} lists"
        super().__init__(
            f'no {decision} is called "{name}".{near(name, names)} {listing} all {len(names)}.'
        )


class UnknownParameter(OptionError):
    """A parameter that an option does not have."""

    def __init__(self, option: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        listed = ", ".join(names)
        rest = f"Its parameters are: {listed}." if names else "It has no parameters."
        self.parameter = name
        self.problem = f'{option} has no parameter "{name}".{near(name, names)} {rest}'
        super().__init__(self.problem)


class BadParameter(OptionError):
    """A parameter with a value it cannot take."""

    def __init__(self, option: str, name: str, value: object, wanted: str) -> None:
        self.parameter = name
        self.problem = f"{shown(value)} is not {wanted}."
        super().__init__(f"{option}, {name}: {self.problem}")


class BadSpelling(OptionError):
    """Text that does not follow the grammar Name(parameter=value, …)@cutoff."""

    def __init__(self, text: str, position: int, wanted: str) -> None:
        super().__init__(
            f"cannot read {text!r} as an option: at character {position + 1} {wanted} is expected. "
            f"The form is Name(parameter=value, …)."
        )
