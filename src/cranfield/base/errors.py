"""Every error that a user can cause, each with the sentence that it prints.

    CranfieldError
    ├── InputError                 a file or table that cannot be read as asked
    │   ├── MissingFile
    │   ├── MissingDataSet         known by name, but only its publisher can give it
    │   ├── UnreadableFile         binary, truncated, of an unknown format
    │   ├── EmptyInput
    │   ├── MissingColumn
    │   ├── BadValue               one cell: file, line, column, value
    │   ├── DuplicatePairs
    │   ├── NoCommonIds            a run of other users or items than the collection's
    │   ├── OddRun                 a run with what its reader was told to refuse
    │   ├── FingerprintMismatch    what was read is not what was recorded
    │   ├── BadExperiment          a definition of an experiment, all its problems at once
    │   ├── Unverified             results that do not come out again
    │   └── OtherData              what was made for some data, used with other data
    ├── OptionError                a decision answered wrongly
    │   ├── UnknownDecision
    │   ├── UnknownOption
    │   ├── UnknownParameter
    │   ├── BadParameter
    │   └── BadSpelling
    ├── NothingLeft                a filter that no rating passes
    ├── InfeasibleSplit
    ├── UnmappableRating           a rating that a gain cannot map
    ├── MissingPopularity
    ├── NoExpectation              a metric without an exact mean over tie orders
    ├── MissingFacts               an aggregation or run metric that must know more
    ├── MissingTimestamps
    ├── UnsuitableRatings          training ratings that a recommender cannot learn from
    ├── UnsuitableScores           scores that cannot be compared
    ├── BadPredictions             what a model predicts is nothing to rank by
    ├── TooFew                     fewer systems or users than a comparison needs
    ├── TooLarge                   more than memory is meant to hold
    ├── MissingLibrary             an optional library that this feature needs
    ├── DownloadError
    │   └── ChecksumMismatch
    └── OutputError                a place that cannot be written

A message says where, what came, and what would be right.
"""

from __future__ import annotations

from cranfield.base.error import CranfieldError
from cranfield.base.input_errors import (
    BadExperiment,
    BadValue,
    DuplicatePairs,
    EmptyInput,
    FingerprintMismatch,
    InputError,
    MissingColumn,
    MissingDataSet,
    MissingFile,
    NoCommonIds,
    OddRun,
    OtherData,
    UnreadableFile,
    Unverified,
)
from cranfield.base.option_errors import (
    BadParameter,
    BadSpelling,
    OptionError,
    UnknownDecision,
    UnknownOption,
    UnknownParameter,
)

__all__ = [
    "BadExperiment",
    "BadParameter",
    "BadPredictions",
    "BadSpelling",
    "BadValue",
    "ChecksumMismatch",
    "CranfieldError",
    "DownloadError",
    "DuplicatePairs",
    "EmptyInput",
    "FingerprintMismatch",
    "InfeasibleSplit",
    "InputError",
    "MissingColumn",
    "MissingDataSet",
    "MissingFacts",
    "MissingFile",
    "MissingLibrary",
    "MissingPopularity",
    "MissingTimestamps",
    "NoCommonIds",
    "NoExpectation",
    "NothingLeft",
    "OddRun",
    "OptionError",
    "OtherData",
    "OutputError",
    "TooFew",
    "TooLarge",
    "UnknownDecision",
    "UnknownOption",
    "UnknownParameter",
    "UnmappableRating",
    "UnreadableFile",
    "UnsuitableRatings",
    "UnsuitableScores",
    "Unverified",
]


class NothingLeft(CranfieldError):
    """A filter that no rating passes."""

    def __init__(self, filter_: str, ratings: int) -> None:
        super().__init__(
            f"filter {filter_}: none of {ratings:,} ratings is left by it. Filter less strictly."
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
            f"{metric} needs the popularity of the judged items, and it is not known here. "
            f"Give the training ratings."
        )


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
        super().__init__(f"{asker} needs {needed}, and it is not known here. Give {remedy}.")


class MissingTimestamps(CranfieldError):
    """A question about time, asked of ratings that have none."""

    def __init__(self, asker: str) -> None:
        super().__init__(
            f"{asker} needs a timestamp for every rating, and these ratings have none. "
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


class TooFew(CranfieldError):
    """Fewer systems, users or pairs than a comparison needs."""

    def __init__(self, asker: str, what: str, needed: int, found: int) -> None:
        super().__init__(f"{asker} needs at least {needed} {what}; here {found} can be used.")


class TooLarge(CranfieldError):
    """More than memory is meant to hold."""

    def __init__(self, asker: str, problem: str, remedy: str) -> None:
        super().__init__(f"{asker}: {problem}. {remedy}.")


class MissingLibrary(CranfieldError):
    """An optional library that this feature needs."""

    def __init__(self, feature: str, library: str) -> None:
        super().__init__(f"{feature} needs {library}. Install it: pip install {library}")


class DownloadError(CranfieldError):
    """A file that could not be fetched."""

    def __init__(self, url: str, problem: str, kept: bool = True) -> None:
        rest = "What arrived is kept; run again to resume." if kept else "Nothing was fetched."
        super().__init__(f"{url}: {problem}. {rest}")


class ChecksumMismatch(DownloadError):
    """A file that arrived whole but is not the one that was registered."""

    def __init__(self, url: str, expected: str, found: str) -> None:
        CranfieldError.__init__(
            self,
            f"{url}: the checksum is {found}, expected {expected}. The file was discarded; "
            f"either the transfer was damaged (run again) or the publisher changed the file.",
        )


class OutputError(CranfieldError):
    """A place that cannot be written."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: cannot be written ({problem}). Nothing was left behind.")
