"""Arguments that several commands share."""

from __future__ import annotations

import argparse

from cranfield.base.errors import BadParameter, UnknownParameter
from cranfield.base.schema import RATING_COLUMNS
from cranfield.base.spelling import split_list
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_ratings


def data_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, and how to read it."""
    parser.add_argument(
        "data",
        metavar="FILE",
        help="a file of ratings, the name of a data set (ml-1m), or a source such as "
        '"simulated(size=small)"',
    )
    parser.add_argument(
        "--columns",
        metavar="ROLE=NAME,…",
        default="",
        help="which column is which, as in user_id=who,item_id=what",
    )
    parser.add_argument(
        "--duplicates",
        choices=("refuse", "last", "first", "max", "mean"),
        default="refuse",
        help="which rating to keep where a user rated an item more than once "
        "(default: refuse the file)",
    )


def read_data(arguments: argparse.Namespace) -> Ratings:
    """The ratings that FILE and its arguments name."""
    columns = column_mapping(arguments.columns)
    return read_ratings(arguments.data, columns=columns, duplicates=arguments.duplicates)


def seed_argument(parser: argparse.ArgumentParser) -> None:
    """The seed of every random choice."""
    parser.add_argument(
        "--seed", type=_seed, default=0, metavar="N", help="the seed of every random choice (0)"
    )


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def column_mapping(text: str) -> dict[str, str]:
    """The columns that ``--columns`` names.

    >>> column_mapping("user_id=who, item_id=what")
    {'user_id': 'who', 'item_id': 'what'}
    """
    mapping: dict[str, str] = {}
    for part in split_list(text) if text.strip() else ():
        role, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            raise BadParameter("--columns", part or "nothing", part, "of the form ROLE=NAME")
        if role not in RATING_COLUMNS:
            raise UnknownParameter("--columns", role, RATING_COLUMNS)
        mapping[role] = name
    return mapping
