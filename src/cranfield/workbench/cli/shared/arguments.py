"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import math
from typing import get_args

from cranfield.base.checking.spelling import split_list
from cranfield.base.errors import BadParameter, OptionError, UnknownParameter, shown
from cranfield.base.schema import RATING_COLUMNS
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.source import Source, read_ratings, source_of
from cranfield.workbench.definition.workers import read_workers


def data_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, and how to read it."""
    parser.add_argument(
        "data",
        metavar="FILE",
        help="a file of ratings, the name of a data set (ml-1m), or a source such as "
        '"simulated(size=small)"',
    )
    columns_argument(parser)
    parser.add_argument(
        "--duplicates",
        choices=get_args(Duplicates),
        default="auto",
        help="what to keep where a user rated an item more than once: a rating, their sum, or all "
        "as the events of a log (default: events where there are times and no ratings, else refuse "
        "the file)",
    )


def definition_arguments(parser: argparse.ArgumentParser) -> None:
    """The file of a definition, and other answers than it gives."""
    parser.add_argument(
        "file", metavar="FILE", help="the definition of an experiment or a study, TOML or YAML"
    )
    parser.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        help="override a decision, as in split.test_share=0.1 (repeatable)",
    )


def columns_argument(parser: argparse.ArgumentParser) -> None:
    """The columns of the files that are read."""
    parser.add_argument(
        "--columns",
        metavar="ROLE=NAME,…",
        default="",
        help="which column is which, as in user_id=who,item_id=what",
    )


def read_data(arguments: argparse.Namespace) -> Ratings:
    """The ratings that FILE and its arguments name."""
    columns = column_mapping(arguments.columns)
    return read_ratings(arguments.data, columns=columns, duplicates=arguments.duplicates)


def file_source(name: str, arguments: argparse.Namespace) -> Source:
    """One of several files, to be read; refused if it is missing."""
    columns = column_mapping(arguments.columns)
    return source_of(name, **({"columns": columns} if columns else {}))


def seed_argument(parser: argparse.ArgumentParser) -> None:
    """The seed of every random choice."""
    parser.add_argument(
        "--seed", type=seed, default=0, metavar="N", help="the seed of every random choice (0)"
    )


def store_argument(parser: argparse.ArgumentParser) -> None:
    """Where what is computed is cached."""
    parser.add_argument(
        "--store", metavar="DIR", help="the folder of the cache, or an address in a bucket"
    )


def workers_argument(parser: argparse._ActionsContainer) -> None:
    """Who shares the work."""
    parser.add_argument(
        "--workers", type=workers, metavar="N",
        help="share the work among N processes, or the nodes of a Ray cluster: ray, or "
        "ray://HOST:PORT; results are the same, bit for bit",
    )  # fmt: skip


def workers(text: str) -> int | str | None:
    """A number of processes, or a cluster."""
    try:
        return read_workers(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("workers: ")) from None


def threshold(text: str) -> float:
    """A rating: a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a number")
    return value


def seed(text: str) -> int:
    """A seed: a whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number of at least 0")
    return int(text)


def whole_number(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number of at least 1")
    return int(text)


def column_mapping(text: str) -> dict[str, str]:
    """The columns that ``--columns`` names.

    >>> column_mapping("user_id=who, item_id=what")
    {'user_id': 'who', 'item_id': 'what'}
    """
    mapping: dict[str, str] = {}
    for part in split_list(text) if text.strip() else ():
        role, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise BadParameter("--columns", part or "nothing", part, "of the form ROLE=NAME")
        if role not in RATING_COLUMNS:
            raise UnknownParameter("--columns", role, RATING_COLUMNS)
        mapping[role] = name
    return mapping
