"""Errors of what is read: files, tables, runs, records."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.base.error import CranfieldError, near, shown


class InputError(CranfieldError):
    """A file or table that cannot be read as asked."""


class MissingFile(InputError):
    """Neither a file nor the name of a data set."""

    def __init__(self, name: str, known: Iterable[str] = (), *, advice: str = "") -> None:
        self.name = name
        hint = f" {advice}" if advice else near(name, known)
        super().__init__(
            f"{name}: there is no such file{', and no data set of that name' if known else ''}."
            f"{hint}"
        )


class MissingDataSet(InputError):
    """A data set that is known by name but cannot be downloaded."""

    def __init__(self, name: str, home: str, place: str) -> None:
        super().__init__(
            f"{name}: this data set cannot be downloaded directly. Get it from {home} "
            f"and put its ratings at {place}."
        )


class UnreadableFile(InputError):
    """A file whose bytes are not what its name or format promises."""

    def __init__(self, where: str, problem: str, remedy: str = "") -> None:
        super().__init__(f"{where}: {problem}.{' ' + remedy if remedy else ''}")


class EmptyInput(InputError):
    """A file or table without a single rating."""

    def __init__(self, where: str, what: str = "ratings") -> None:
        super().__init__(f"{where}: there are no {what} in it. At least one is needed.")


class MissingColumn(InputError):
    """A table without a column for a role that is needed, or without the one named for it."""

    def __init__(
        self, where: str, role: str, columns: Iterable[str], *, named: str | None = None
    ) -> None:
        names = list(columns)
        found = ", ".join(f'"{name}"' for name in names) or "none"
        if named is not None:
            super().__init__(
                f'{where}: no column is called "{named}", which was named for "{role}".'
                f"{near(named, names)} The columns are: {found}."
            )
            return
        super().__init__(
            f'{where}: no column for "{role}" among {found}. '
            f"Name it, as in --columns {role}=NAME (in Python: columns={{'{role}': 'NAME'}})."
        )


class BadValue(InputError):
    """One cell that does not hold what its column must hold."""

    def __init__(
        self, where: str, column: str, value: object, wanted: str, *, line: int | None = None
    ) -> None:
        place = where if line is None else f"{where}, line {line}"
        found = "nothing" if value is None else shown(value)
        super().__init__(f'{place}, column "{column}": {found} is not {wanted}.')


class DuplicatePairs(InputError):
    """The same user and item more than once, with nothing said about which to keep."""

    def __init__(
        self, where: str, count: int, user: object, item: object, lines: tuple[int, ...] = ()
    ) -> None:
        times = "pair occurs" if count == 1 else "pairs occur"
        at = f" (lines {' and '.join(map(str, lines))})" if lines else ""
        super().__init__(
            f"{where}: {count} {times} more than once, first {user} and {item}{at}. "
            f'Choose duplicates = "last", "first", "max" or "mean".'
        )


class NoCommonIds(InputError):
    """A run that shares not one user, or not one item, with the collection."""

    def __init__(self, where: str, kind: str, theirs: object, ours: object) -> None:
        super().__init__(
            f"{where}: no {kind} of it is in the collection. It has ids such as {shown(theirs)}, "
            f"the collection such as {shown(ours)}. Give the run the collection's ids."
        )


class OddRun(InputError):
    """A run with what its reader was told to refuse, or cannot choose for itself."""

    def __init__(self, where: str, problem: str, remedy: str) -> None:
        super().__init__(f"{where}: {problem}. {remedy}.")


class FingerprintMismatch(InputError):
    """What was read is not what was recorded when it was written."""

    def __init__(self, where: str, recorded: str, found: str) -> None:
        super().__init__(
            f"{where}: the fingerprint is {found}, recorded was {recorded}. "
            f"The file was changed after it was written; make it anew."
        )


class OtherData(InputError):
    """What was made for some data is used with other data."""

    def __init__(self, where: str, what: str, recorded: str, found: str) -> None:
        super().__init__(
            f"{where}: it was made for other {what} (fingerprint {recorded}, here {found}). "
            f"Give the same data, or make it anew."
        )


class BadExperiment(InputError):
    """A definition of an experiment with problems: all of them, each with its path."""

    def __init__(self, where: str, problems: Iterable[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            "\n".join(
                f"{where}{', ' if path else ''}{path}: {text}" for path, text in self.problems
            )
        )


class Unverified(InputError):
    """Results that do not come out again as they were recorded."""

    def __init__(self, where: str, different: Iterable[str]) -> None:
        super().__init__(f"{where}: made again, it differs in {', '.join(different)}.")
