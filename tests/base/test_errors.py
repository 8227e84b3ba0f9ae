from __future__ import annotations

import re

import pytest

from cranfield.base import errors
from cranfield.base.errors import (
    BadExperiment,
    BadParameter,
    BadSpelling,
    BadValue,
    ChecksumMismatch,
    CranfieldError,
    DownloadError,
    DuplicatePairs,
    EmptyInput,
    FingerprintMismatch,
    InfeasibleSplit,
    InputError,
    MissingColumn,
    MissingFile,
    MissingLibrary,
    MissingTimestamps,
    OptionError,
    OutputError,
    UnknownDecision,
    UnknownOption,
    UnknownParameter,
    UnknownUserCode,
    UnreadableFile,
    shown,
)

CLASSES = {
    name: cls
    for name, cls in vars(errors).items()
    if isinstance(cls, type) and issubclass(cls, CranfieldError)
}


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MissingFile("x.csv"), "x.csv: there is no such file."),
        (
            MissingFile("ml-1n", ["ml-1m", "jester"]),
            'ml-1n: there is no such file, and no data set of that name. Did you mean "ml-1m"?',
        ),
        (UnreadableFile("x.gz", "it is cut short"), "x.gz: it is cut short."),
        (
            UnreadableFile("x.gz", "it is cut short", "Fetch it again."),
            "x.gz: it is cut short. Fetch it again.",
        ),
        (EmptyInput("x.csv"), "x.csv: there are no ratings. At least one is needed."),
        (EmptyInput("x", "topics"), "x: there are no topics. At least one is needed."),
        (
            MissingColumn("x.csv", "user_id", ["a", "b"]),
            (
                'x.csv: no column for "user_id" among "a", "b". '
                "Name it, as in --columns user_id=NAME "
                "(in Python: columns={'user_id': 'NAME'})."
            ),
        ),
        (
            MissingColumn("x.csv", "user_id", []),
            (
                'x.csv: no column for "user_id" among none. Name it, as in --columns user_id=NAME '
                "(in Python: columns={'user_id': 'NAME'})."
            ),
        ),
        (
            MissingColumn("x.csv", "user_id", ["who", "what"], named="whom"),
            (
                'x.csv: no column is called "whom", which was named for "user_id". '
                'Did you mean "who"? The columns are: "who", "what".'
            ),
        ),
        (
            BadValue("x.csv", "rating", "five", "a number", line=4812),
            'x.csv, line 4812, column "rating": "five" is not a number.',
        ),
        (BadValue("x", "rating", 1.5, "whole"), 'x, column "rating": 1.5 is not whole.'),
        (BadValue("x", "user", None, "an id"), 'x, column "user": nothing is not an id.'),
        (
            DuplicatePairs("x.csv", 37, "u12", "i907", (88, 1204)),
            (
                "x.csv: 37 pairs occur more than once, first u12 and i907 (lines 88 and 1204). "
                'Choose duplicates = "last", "first", "max", "mean", "sum", or "events" for a log, '
                'as in "file(path=FILE, duplicates=last)" (in Python: read(…, duplicates="last")).'
            ),
        ),
        (
            DuplicatePairs("table", 1, 3, 4),
            (
                "table: 1 pair occurs more than once, first 3 and 4. "
                'Choose duplicates = "last", "first", "max", "mean", "sum", or "events" for a log, '
                'as in "file(path=FILE, duplicates=last)" (in Python: read(…, duplicates="last")).'
            ),
        ),
        (
            FingerprintMismatch("train.parquet", "aa", "bb"),
            (
                "train.parquet: the fingerprint is bb, recorded was aa. "
                "The file was changed after it was written; write it again."
            ),
        ),
        (
            UnknownDecision("metrc", ["metric", "split"]),
            'no decision is called "metrc". Did you mean "metric"? `cranfield options` lists all.',
        ),
        (
            UnknownOption("metric", "NDGC", ["nDCG", "P"]),
            (
                'no metric is called "NDGC". Did you mean "nDCG"? '
                "`cranfield options metric` lists all 2."
            ),
        ),
        (
            UnknownParameter("nDCG", "gian", ["cutoff", "gain"]),
            'nDCG has no parameter "gian". Did you mean "gain"? Its parameters are: cutoff, gain.',
        ),
        (UnknownParameter("P", "x", []), 'P has no parameter "x". It has no parameters.'),
        (
            BadParameter("uniform", "test_share", 1.2, "a number above 0 and below 1"),
            "uniform, test_share: 1.2 is not a number above 0 and below 1.",
        ),
        (BadParameter("P", "x", None, "text"), "P, x: none is not text."),
        (BadParameter("P", "x", True, "text"), "P, x: true is not text."),
        (
            BadSpelling("P(", 2, "a value"),
            (
                'cannot read "P(" as an option: at character 3 a value is expected. '
                "The form is Name(parameter=value, …)."
            ),
        ),
        (
            InfeasibleSplit("uniform", "0.35 cannot be reached", "Lower test_share"),
            "uniform split: 0.35 cannot be reached. Lower test_share.",
        ),
        (
            MissingTimestamps("temporal"),
            (
                "temporal needs a timestamp for every rating, and these ratings have none. "
                "Name the column with --columns timestamp=NAME, or choose an option without time."
            ),
        ),
        (
            MissingLibrary("a pandas table", "pandas"),
            "a pandas table needs pandas. Install it: pip install pandas",
        ),
        (
            DownloadError("http://x", "the line went dead"),
            (
                "http://x: the line went dead. What was downloaded is kept; run the command again "
                "to resume."
            ),
        ),
        (
            ChecksumMismatch("http://x", "aa", "bb"),
            (
                "http://x: the checksum is bb, expected aa. The file was discarded; either the "
                "transfer was damaged (run again) or the publisher changed the file."
            ),
        ),
        (
            UnknownUserCode(7, 5),
            (
                "no user has the code 7. The recommender was fitted to 5 users, "
                "whose codes are 0 to 4."
            ),
        ),
        (
            OutputError("out", "No space left on device"),
            "out: cannot be written (No space left on device). Nothing was left behind.",
        ),
    ],
)
def test_each_error_says_where_what_came_and_what_would_be_right(
    error: CranfieldError, sentence: str
) -> None:
    assert str(error) == sentence


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    drawn: dict[str, str] = {}
    branch = ["CranfieldError"]
    for line in (errors.__doc__ or "").splitlines():
        found = re.search(r"[├└]── (\w+)", line)
        if found:
            depth = (found.start() - 4) // 4 + 1
            branch[depth:] = [found[1]]
            drawn[found[1]] = branch[depth - 1]
    parents = {name: cls.__mro__[1].__name__ for name, cls in CLASSES.items()}
    parents.pop("CranfieldError")
    assert drawn == parents


def test_what_a_user_gave_wrongly_can_be_caught_by_kind() -> None:
    assert issubclass(BadValue, InputError)
    assert issubclass(BadSpelling, OptionError)
    assert issubclass(ChecksumMismatch, DownloadError)


def test_long_text_is_cut_in_messages() -> None:
    shown = str(BadValue("x", "rating", "y" * 100, "a number"))
    assert shown == f'x, column "rating": "{"y" * 57}…" is not a number.'
    assert "y" * 60 in str(BadValue("x", "rating", "y" * 60, "a number"))


def test_no_near_name_is_offered_when_none_is_near() -> None:
    assert "Did you mean" not in str(UnknownOption("metric", "zzz", ["nDCG", "P"]))
    assert "Did you mean" not in str(UnknownOption("metric", "zzz", []))


def test_a_message_is_of_bounded_length_whatever_it_names() -> None:
    long = "x" * 6000
    for error in (
        MissingFile(long),
        BadSpelling(long, 5999, "the end"),
        UnknownOption("a", long, []),
    ):
        assert len(str(error)) < 1000
        assert " … " in str(error)
    columns = MissingColumn("t.csv", "user_id", [f"c{n}" for n in range(5000)])
    assert str(columns).startswith('t.csv: no column for "user_id" among "c0", "c1"')
    assert str(columns).endswith("(in Python: columns={'user_id': 'NAME'}).")


def test_the_first_of_many_problems_are_told_and_the_rest_counted() -> None:
    problems = [(f"systems.s{n}", "it is wrong.") for n in range(1000)]
    told = str(BadExperiment("a.toml", problems)).split("\n")
    assert told[0] == "a.toml, systems.s0: it is wrong."
    assert told[-1] == f"… and {1000 - len(told) + 1} more"
    assert sum(map(len, told)) < 3100


def test_values_are_shown_in_few_characters() -> None:
    assert shown(10**57 - 1) == "9" * 57
    assert shown(10**5000) == "a number of 5,000 digits"
    assert shown("y" * 61) == f'"{"y" * 57}…"'
    assert shown([1] * 40) == "[" + "1, " * 18 + "1,…"
