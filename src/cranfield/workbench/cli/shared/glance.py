"""A glance at the words of a command, before it is loaded: the runs that it will score."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple


class Glance(NamedTuple):
    """The metrics and runs of a command that scores runs, as they are given; those of others
    are none.
    """

    command: str = ""
    metrics: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    columns: str = ""
    workers: str = ""


def glance(given: Sequence[str]) -> Glance:
    """What the words of a command show.

    >>> glance(["evaluate", "--run", "mine=run.trec", "-m", "P@10"]).runs
    ('mine=run.trec',)
    """
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("command", nargs="?")
    parser.add_argument("-m", "--metric", action="append", default=[])
    parser.add_argument("--run", action="append", default=[])
    parser.add_argument("--columns", default="")
    parser.add_argument("--workers", default="")
    try:
        known = parser.parse_known_args(given)[0]
    except argparse.ArgumentError:
        return Glance()
    scores = known.command in {"evaluate", "compare"} and known.run and known.metric
    if not scores or {"-h", "--help"} & {*given}:
        return Glance()
    metrics, runs = tuple(known.metric), tuple(known.run)
    return Glance(known.command, metrics, runs, known.columns, known.workers)
