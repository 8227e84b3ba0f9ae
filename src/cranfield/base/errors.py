"""Every error that a user can cause, each with the sentence that it prints.

    CranfieldError
    ├── InputError                 a file or table that cannot be read as asked
    │   ├── MissingFile
    │   ├── MissingDataSet         known by name, but only its publisher can give it
    │   ├── IncompleteDataSet      some of its files without the others
    │   ├── NotATable              an object that is no table
    │   ├── NotARun                an object that is no run
    │   ├── NotColumns             an array or matrix of another shape than columns have
    │   ├── UnreadableFile         binary, truncated, of an unknown format
    │   ├── EmptyInput
    │   ├── MissingColumn
    │   ├── BadValue               one cell: file, line, column, value
    │   ├── DuplicatePairs
    │   ├── NoCommonIds            a run of other users or items than the collection's
    │   ├── OddRun                 a run with rows that are to be refused
    │   ├── FingerprintMismatch    what was read is not what was recorded
    │   ├── BadExperiment          a definition of an experiment, all its problems at once
    │   ├── RatingsForDefinition   ratings where a definition is expected
    │   ├── MissingObjects         a definition whose tables were in Python
    │   ├── Unverified             results that are not reproduced
    │   └── OtherData              what was made for some data, used with other data
    ├── OptionError                a decision answered wrongly
    │   ├── BadDecisions           several decisions at once, each with its path
    │   ├── UnknownDecision
    │   ├── UnknownTerm            not in the glossary
    │   ├── UnknownOption
    │   ├── UnknownParameter
    │   ├── MissingParameter
    │   ├── BadParameter
    │   ├── BadSpelling
    │   └── BadStore               a place that no store can have
    ├── NothingLeft                a filter that no rating passes
    ├── InfeasibleSplit
    ├── UnmappableRating           a rating that a gain cannot map
    ├── MissingPopularity
    ├── BadPropensity              a chance to be observed that is unknown, 0 or above 1
    ├── UnsuitableTargets          targets that a metric or criterion is not defined for
    ├── NoExpectation              a metric without an exact mean over tie orders
    ├── MissingFacts               an aggregation or run metric that must know more
    ├── MissingTimestamps
    ├── UnsuitableRatings          training ratings that a recommender cannot learn from
    ├── UnsuitableScores           scores that cannot be compared
    ├── BadPredictions             what a model predicts is nothing to rank by
    ├── UnknownUserCode            a user that a fitted recommender does not have
    ├── SystemsFailed              so many systems failed that nothing can be said
    ├── TooFew                     fewer systems or users than a comparison needs
    ├── TooLarge                   more than memory is meant to hold
    ├── ForkedProcess              a copy of a process whose threads it lacks
    ├── WorkerError                work that workers cannot do
    │   ├── Unsendable             a model that cannot be sent to workers
    │   └── WorkerLost             a task whose workers ended again and again
    ├── NotRecorded                a part of results that their folder does not hold
    ├── MissingLibrary             an optional library that this feature needs
    ├── DownloadError
    │   ├── UnreachableDataSet     a data set that is neither here nor to be fetched
    │   └── ChecksumMismatch
    └── OutputError                a place that cannot be written

A message says where, what came, and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import accumulate
from math import log10
from typing import Any, Self


class CranfieldError(Exception):
    """An error that the user can correct; a command prints its text and nothing else.

    ``problems`` are all that is wrong, each with the path of the decision at fault, empty
    where no single one is: a file that holds the decision puts its own path before it.
    """

    _problems: tuple[tuple[str, str], ...] = ()

    def __init__(self, *said: str) -> None:
        super().__init__(*map(shortened, said))

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is, to other processes: its text is made, and takes no arguments any more."""
        return _restored, (type(self), self.args, vars(self))

    @property
    def problems(self) -> tuple[tuple[str, str], ...]:
        """Path and text of each problem."""
        return self._problems or (("", str(self)),)

    def within(self, path: str) -> Self:
        """The same error, for a decision at a path within a larger one."""
        self._problems = tuple((_joined(path, inner), text) for inner, text in self.problems)
        return self


def _restored(kind: type[CranfieldError], said: tuple[str, ...], facts: Any) -> CranfieldError:
    """An error that another process raised."""
    error = kind.__new__(kind, *said)
    vars(error).update(facts)
    return error


_LONGEST_LINE, _LONGEST = 800, 3000
"""Characters of a line of a message, and of all its lines."""


def shortened(text: str) -> str:
    """A message without the middle of long lines, and without the last of many lines."""
    ends = _LONGEST_LINE * 3 // 4, _LONGEST_LINE // 4
    lines = [
        line if len(line) <= _LONGEST_LINE else f"{line[: ends[0]]} … {line[-ends[1] :]}"
        for line in text.split("\n")
    ]
    fitting = max(1, sum(end <= _LONGEST for end in accumulate(len(line) + 1 for line in lines)))
    more = [f"… and {len(lines) - fitting:,} more"] if fitting < len(lines) else []
    return "\n".join([*lines[:fitting], *more])


def _joined(path: str, inner: str) -> str:
    return f"{path}{'' if not path or not inner or inner[0] == '[' else '.'}{inner}"


def near(name: str, known: Iterable[str]) -> str:
    """A hint at the closest known name, or nothing."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return f' Did you mean "{by_folded[close[0]]}"?' if close else ""


_MOST_BITS = 190
"""Bits of a number of at most 57 digits; Python refuses to write those of some thousands."""


def shown(value: object) -> str:
    """A value as a user would recognise it: text in quotes, numbers bare, what is long cut.

    What takes several lines, such as a table, is called by its type.
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"a number of {int(value.bit_length() * log10(2)):,} digits"
    text = str(value)
    if "\n" in text and not isinstance(value, str):
        return f"a {type(value).__name__}"
    cut = text if len(text) <= 60 else text[:57] + "…"
    return f'"{cut}"' if isinstance(value, str) else cut


class InputError(CranfieldError):
    """A file or table that cannot be read as asked."""


class MissingFile(InputError):
    """Neither a file nor the name of a data set."""

    def __init__(self, name: str, known: Iterable[str] = (), *, advice: str = "") -> None:
        self.name = name
        if name == "-":
            advice = "Standard input cannot be read. Write it to a file first."
        hint = f" {advice}" if advice else near(name, known)
        super().__init__(
            f"{name}: there is no such file{', and no data set of that name' if known else ''}."
            f"{hint}"
        )


def _put_at(place: str, name: str) -> str:
    """Where a data set is looked for, and what there is without it."""
    return (
        f"put its ratings at {place}, or in the folder {name} of $CRANFIELD_DATA. Without data, "
        "try simulated(size=medium)."
    )


class MissingDataSet(InputError):
    """A data set that is known by name but cannot be downloaded."""

    def __init__(self, name: str, home: str, place: str, lacking: str = "") -> None:
        super().__init__(
            f"{name}: {lacking}this data set cannot be downloaded directly. Get it from {home} "
            f"and {_put_at(place, name)} `cranfield datasets {name}` says how to obtain it."
        )


class IncompleteDataSet(InputError):
    """A data set of several files, of which some are there."""

    def __init__(self, name: str, folder: str, lacking: Sequence[str], obtain: str) -> None:
        files = " and ".join(lacking)
        super().__init__(
            f"{name}: {files} {'is' if len(lacking) == 1 else 'are'} not in {folder}, where its "
            f"other files are. {obtain}"
        )


class UnreadableFile(InputError):
    """A file whose bytes are not what its name or format promises."""

    def __init__(self, where: str, problem: str, remedy: str = "") -> None:
        super().__init__(f"{where}: {problem}.{' ' + remedy if remedy else ''}")


class NotATable(InputError, TypeError):
    """Something in Python that is no table."""

    def __init__(self, where: str, given: object) -> None:
        super().__init__(
            f"{where}: {type(given).__name__} is not a table. "
            "Give a table of Polars, pandas, Arrow or DuckDB, an array, or a mapping of columns."
        )


RUN_FORMS = (
    "a file, a table, a Run, {user: {item: score}}, {user: [items]}, a list of rows, what "
    "LensKit, ranx, Surprise or Spark return, or (ids, scores, users, items) of implicit"
)
"""The forms of a run, as messages name them."""


class NotARun(InputError, TypeError):
    """Something in Python that is no run."""

    def __init__(self, where: str, given: object) -> None:
        super().__init__(f"{where}: {shown(given)} is not a run: give {RUN_FORMS}.")


class NotColumns(InputError):
    """An array or matrix whose shape is not that of a table of these columns."""

    def __init__(self, where: str, shape: Iterable[int], columns: Sequence[str]) -> None:
        sizes = " × ".join(map(str, shape))
        if not columns:
            wanted = "Give a table whose columns have names"
        else:
            least = ", ".join(columns[:2])
            more = "".join(f", {name}" for name in columns[2:])
            wanted = (
                f"Give an array with a column each for {least} (then{more[1:]} if known), "
                "or a sparse matrix of users by items"
            )
        super().__init__(f"{where}: an array of {sizes} is not a table. {wanted}.")


class EmptyInput(InputError):
    """A file or table without a single rating."""

    def __init__(self, where: str, what: str = "ratings") -> None:
        super().__init__(f"{where}: there are no {what}. At least one is needed.")


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
            f'Choose duplicates = "last", "first", "max", "mean", "sum", or "events" for a log, '
            'as in "file(path=FILE, duplicates=last)" (in Python: read(…, duplicates="last")).'
        )


class NoCommonIds(InputError):
    """A run that shares not one user, or not one item, with the collection."""

    def __init__(self, where: str, kind: str, theirs: object, ours: object) -> None:
        super().__init__(
            f"{where}: no {kind} of it is in the collection. It has ids such as {shown(theirs)}, "
            f"the collection such as {shown(ours)}. Give the run the collection's ids."
        )


class OddRun(InputError):
    """A run with rows that are to be refused, or that leave a choice open."""

    def __init__(self, where: str, problem: str, remedy: str) -> None:
        super().__init__(f"{where}: {problem}. {remedy}.")


class FingerprintMismatch(InputError):
    """What was read is not what was recorded when it was written."""

    def __init__(self, where: str, recorded: str, found: str) -> None:
        super().__init__(
            f"{where}: the fingerprint is {found}, recorded was {recorded}. "
            f"The file was changed after it was written; write it again."
        )


class OtherData(InputError):
    """What was made for some data is used with other data."""

    def __init__(self, where: str, what: str, recorded: str, found: str) -> None:
        super().__init__(
            f"{where}: it was made for other {what} (fingerprint {recorded}, here {found}). "
            f"Give the same data, or create it again."
        )


class BadExperiment(InputError):
    """A definition of an experiment with problems: all of them, each with its path."""

    def __init__(self, where: str, problems: Iterable[tuple[str, str]]) -> None:
        self._problems = tuple(problems)
        super().__init__(_lines(where, self._problems))


class RatingsForDefinition(InputError):
    """A file of ratings in the place of the definition of an experiment."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where}: this looks like ratings, not like the definition of an experiment. Write "
            f'one in TOML with data = "{where}" in it. `cranfield stats` describes ratings.'
        )


class MissingObjects(InputError):
    """A definition that names what was given in Python, which no file holds."""

    def __init__(self, where: str, decisions: Sequence[str]) -> None:
        asked = ", ".join(f"{name}=…" for name in decisions)
        *first, last = decisions
        named = f"{', '.join(first)} and {last} were" if first else f"{last} was"
        super().__init__(
            f"{where}: {named} given in Python, and the file has only the "
            f"fingerprint. Give the same objects again from Python: cranfield.verify(folder, "
            f"{asked})."
        )


class Unverified(InputError):
    """Results that are not reproduced as they were recorded, maybe by other libraries."""

    def __init__(self, where: str, different: Iterable[str], others: Iterable[str] = ()) -> None:
        made = ", ".join(_few(others))
        super().__init__(
            f"{where}: the recomputed results differ in {', '.join(_few(different))}."
            f"{made and f' They were made with other versions, which may be why: {made}.'}"
        )


def _few(names: Iterable[str], most: int = 12) -> list[str]:
    """The first of many names, and how many more there are."""
    every = list(names)
    more = [f"{len(every) - most:,} more"] if len(every) > most else []
    return [*every[:most], *more]


class OptionError(CranfieldError):
    """A decision answered wrongly."""


class BadDecisions(OptionError):
    """Several decisions answered wrongly: all of them, each with its path."""

    def __init__(self, title: str, problems: Iterable[tuple[str, str]]) -> None:
        self._problems = tuple(problems)
        super().__init__(_lines(title, self._problems))


def _lines(where: str, problems: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{where}{', ' if path else ''}{path}: {text}" for path, text in problems)


class UnknownDecision(OptionError):
    """A decision that nobody has to take."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(
            f'no decision is called "{name}".{near(name, known)} `cranfield options` lists all.'
        )


class UnknownTerm(OptionError):
    """A term that the glossary does not define."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(
            f"the glossary has no term {shown(name)}.{near(name, known)} "
            "`cranfield glossary` lists all."
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
    """A parameter that an option does not have, or a decision that an experiment does not."""

    def __init__(
        self, option: str, name: str, known: Iterable[str], *, what: str = "parameter"
    ) -> None:
        names = list(known)
        rest = f"Its {what}s are: {', '.join(names)}." if names else f"It has no {what}s."
        text = f'{option} has no {what} "{name}".{near(name, names)} {rest}'
        self._problems = ((name, text),)
        super().__init__(text)


class MissingParameter(OptionError):
    """A parameter that has no default and was not given."""

    def __init__(self, option: str, name: str, text: str) -> None:
        super().__init__(f"{option} needs {name}: {text or 'it has no default'}")


class BadParameter(OptionError):
    """A parameter with a value it cannot take; ``hint`` may say what was meant."""

    def __init__(
        self, option: str, name: str, value: object, wanted: str, *, hint: str = ""
    ) -> None:
        problem = f"{shown(value)} is not {wanted}.{hint}"
        self._problems = ((name, problem),)
        super().__init__(f"{option}, {name}: {problem}")


class BadSpelling(OptionError):
    """Text that does not follow the grammar Name(parameter=value, …)@cutoff."""

    def __init__(self, text: str, position: int, wanted: str) -> None:
        super().__init__(
            f'cannot read "{text}" as an option: at character {position + 1} {wanted} is expected. '
            f"The form is Name(parameter=value, …)."
        )


class BadStore(OptionError):
    """A place that no store can have; the text says what would be right."""

    def __init__(self, where: str, problem: str, remedy: str) -> None:
        super().__init__(f"{where}: {problem}. {remedy}")


class NothingLeft(CranfieldError):
    """A filter that no rating passes."""

    def __init__(self, filter_: str, ratings: int) -> None:
        super().__init__(
            f"filter {filter_}: it removes every rating ({ratings:,}). Use a weaker filter."
        )


class InfeasibleSplit(CranfieldError):
    """A split whose constraint the data cannot meet."""

    def __init__(self, split: str, problem: str, remedy: str) -> None:
        super().__init__(f"{split} split: {problem}. {remedy}.")


class UnmappableRating(CranfieldError):
    """A rating, or a rating scale, that a gain cannot map."""

    def __init__(self, gain: str, rating: float, wanted: str) -> None:
        super().__init__(
            f"gain {gain}: cannot map the rating {rating:g}; it needs {wanted}. "
            f"Choose gain=binary or gain=table, or shift the ratings."
        )


class MissingPopularity(CranfieldError):
    """A metric that weighs items by popularity, where popularity is not known."""

    def __init__(self, metric: str) -> None:
        super().__init__(
            f"{metric} needs the popularity of the judged items. Give the training ratings."
        )


class BadPropensity(CranfieldError):
    """Propensities that are unknown, not above 0, or above 1."""

    def __init__(self, model: str, pair: str, value: str, count: int, *, missing: bool) -> None:
        others = f" ({count:,} such)" if count > 1 else ""
        has = "has no propensity" if missing else f"has the propensity {value}"
        super().__init__(
            f"propensity {model}: {pair} {has}{others}. "
            f"Every test rating needs one above 0 and at most 1."
        )


class UnsuitableTargets(CranfieldError):
    """Targets for which a corrected metric, or an assessment of samples, is not defined."""

    def __init__(self, asker: str, needed: str, remedy: str) -> None:
        super().__init__(f"{asker} needs {needed}. Choose {remedy}.")


class NoExpectation(CranfieldError):
    """A metric without an exact mean over the orders of tied items."""

    def __init__(self, metric: str) -> None:
        super().__init__(
            f"{metric} has no exact expected value over the orders of tied items. "
            f'Choose another way to break ties than "expected", or leave this metric out.'
        )


class MissingFacts(CranfieldError):
    """An aggregation or a run metric that must know more than it is given."""

    def __init__(self, asker: str, needed: str, remedy: str) -> None:
        super().__init__(f"{asker} needs {needed}. Give {remedy}.")


class MissingTimestamps(CranfieldError):
    """A question about time, asked of ratings that have none."""

    def __init__(self, asker: str, *, positions: bool = False) -> None:
        have = "only positions in each user's own order" if positions else "none"
        super().__init__(
            f"{asker} needs a timestamp for every rating, and these ratings have {have}. "
            f"Name the column with --columns timestamp=NAME, or choose an option without time."
        )


class UnsuitableRatings(CranfieldError):
    """Training ratings that a recommender cannot learn from."""

    def __init__(self, asker: str, needed: str) -> None:
        super().__init__(
            f"{asker} needs {needed}. Filter or shift the ratings, or let each count 1 "
            f"where the recommender has a parameter for it (binarised=true)."
        )


class UnsuitableScores(CranfieldError):
    """Scores that cannot be compared."""

    def __init__(self, asker: str, problem: str, remedy: str) -> None:
        super().__init__(f"{asker}: {problem}. {remedy}.")


class BadPredictions(CranfieldError):
    """What a model predicts is nothing to rank by."""

    def __init__(self, model: str, problem: str, wanted: str) -> None:
        super().__init__(f"{model}: {problem}. {wanted}.")


class UnknownUserCode(CranfieldError, IndexError):
    """A user that a fitted recommender does not have."""

    def __init__(self, code: int, users: int) -> None:
        super().__init__(
            f"no user has the code {code}. The recommender was fitted to {users:,} users, "
            f"whose codes are 0 to {users - 1}."
        )


class SystemsFailed(CranfieldError):
    """Systems that failed, each with its reason, and too few are left."""

    def __init__(self, reasons: Mapping[str, str], problem: str = "") -> None:
        self.reasons = dict(reasons)
        lines = [f"{name} failed: {reason}" for name, reason in reasons.items()]
        super().__init__("\n".join([problem or "every system failed.", *lines]))


class TooFew(CranfieldError):
    """Fewer systems, users or pairs than a comparison needs."""

    def __init__(self, asker: str, what: str, needed: int, found: int) -> None:
        super().__init__(f"{asker} needs at least {needed} {what}; here {found} can be used.")


class TooLarge(CranfieldError):
    """More than memory is meant to hold."""

    def __init__(self, asker: str, problem: str, remedy: str) -> None:
        super().__init__(f"{asker}: {problem}. {remedy}.")


class ForkedProcess(CranfieldError):
    """A process forked from one that had threads at work: it would wait for them for ever."""

    def __init__(self) -> None:
        super().__init__(
            "this process was forked from one that has used Cranfield, and the threads of Polars "
            "do not survive that. Use spawn or forkserver, as in "
            'multiprocessing.get_context("spawn").'
        )


class WorkerError(CranfieldError):
    """Work that workers cannot do."""


class Unsendable(WorkerError):
    """A model that cannot be sent to workers."""

    def __init__(self, system: str, why: str) -> None:
        super().__init__(
            f"{system}: it cannot be sent to workers ({why}). Define it in a module that they can "
            "import, or run without workers."
        )


class WorkerLost(WorkerError):
    """A task whose workers ended, as often as it was tried."""

    def __init__(self, system: str, tries: int, how: str) -> None:
        super().__init__(
            f"{system}: its worker ended {tries} times ({how}), which usually means that memory "
            "ran out. Use fewer workers, or run without them."
        )


class NotRecorded(CranfieldError):
    """A part of results that were read from a folder, which does not hold it."""

    def __init__(self, part: str) -> None:
        super().__init__(
            f"results: they were read from a folder, which has no {part}. Run the experiment "
            "again to have them."
        )


class MissingLibrary(CranfieldError):
    """An optional library that this feature needs."""

    def __init__(self, feature: str, library: str) -> None:
        super().__init__(f"{feature} needs {library}. Install it: pip install {library}")


class DownloadError(CranfieldError):
    """A file that could not be fetched."""

    def __init__(self, url: str, problem: str, kept: bool = True) -> None:
        rest = (
            "What was downloaded is kept; run the command again to resume."
            if kept
            else "Nothing was downloaded."
        )
        super().__init__(f"{url}: {problem}. {rest}")


class UnreachableDataSet(DownloadError):
    """A data set that is not here, and could not be fetched."""

    def __init__(self, name: str, error: DownloadError, place: str) -> None:
        CranfieldError.__init__(self, f"{error} Otherwise, {_put_at(place, name)}")


class ChecksumMismatch(DownloadError):
    """A file that arrived whole but is not the one that was registered."""

    def __init__(self, url: str, expected: str, found: str, source: str = "") -> None:
        stated = f" ({source})" if source else ""
        CranfieldError.__init__(
            self,
            f"{url}: the checksum is {found}, expected {expected}{stated}. The file was discarded; "
            f"either the transfer was damaged (run again) or the publisher changed the file.",
        )


class OutputError(CranfieldError):
    """A place that cannot be written."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: cannot be written ({problem}). Nothing was left behind.")


def counted(number: int, one: str, more: str | None = None) -> str:
    """A number and what is counted, whose plural has an s unless it is given.

    >>> counted(1, "row names", "rows name"), counted(1200, "fit")
    ('1 row names', '1,200 fits')
    """
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"
