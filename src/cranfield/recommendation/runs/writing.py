"""Runs written to files that other tools read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl

from cranfield.base.errors import BadParameter, OutputError
from cranfield.base.files import writing
from cranfield.base.ids import Ids
from cranfield.base.schema import ITEM, RANK, SCORE, SYSTEM, USER
from cranfield.collection.text.writing import (
    BETWEEN_BLANKS,
    BETWEEN_TABS,
    FIRST_BETWEEN_TABS,
    QUOTED,
    refuse_ids,
    write_text,
)
from cranfield.recommendation.runs.run import Run
from cranfield.recommendation.runs.text_layout import NAMES, RunFormat

_BY_SUFFIX: dict[str, RunFormat] = {
    ".run": "trec",
    ".trec": "trec",
    ".txt": "trec",
    ".tsv": "tsv",
    ".csv": "csv",
    ".inter": "recbole",
    ".jsonl": "json",
    ".parquet": "parquet",
}
_TYPED = {USER: "user_id:token", ITEM: "item_id:token", SCORE: "score:float", RANK: "rank:float"}
_UNWRITABLE = {
    "trec": BETWEEN_BLANKS,
    "tsv": FIRST_BETWEEN_TABS,
    "recbole": BETWEEN_TABS,
    "csv": QUOTED,
}


_PLAIN_LINES = {"separator": "\t", "include_header": False, "quote_style": "never"}


def write_run(
    run: Run,
    path: Path | str,
    *,
    user_ids: Ids,
    item_ids: Ids,
    format: RunFormat = "auto",  # noqa: A002
) -> None:
    """Write a run as its suffix says: TREC (.run, .trec, .txt), user, item and score
    between tabs (.tsv, as Elliot), a table with a header (.csv, .parquet, as LensKit and
    RecTools; .inter, as RecBole), a list of each user on a line of JSON (.jsonl); text also
    packed (.gz, .zst). All or nothing.

    Numbers are written so that the same numbers are read back. TREC and .tsv need a score
    for every item: those without a prediction get scores below the run's lowest, falling
    down the list. The other formats leave their score empty and give the rank, or the place
    in the list. A list without items leaves no trace but in JSON. With ``ties="file"`` the
    same lists are read back.
    """
    target = Path(path)
    chosen = format_of(target, format)
    if run.topics.items is not None or run.topics.segments is not None:
        problem = "the run has several lists per user, and a file of runs has one"
        raise OutputError(str(target), problem)
    table = run.table(user_ids, item_ids)
    if chosen in _UNWRITABLE:
        refuse_ids(table, _UNWRITABLE[chosen], target)
    if chosen in ("trec", "tsv"):
        table = table.with_columns(pl.Series(SCORE, _finite_scores(run, target)))
    with writing(target) as aside:
        if chosen == "parquet":
            table.write_parquet(aside)
        elif chosen == "json":
            write_text(_as_json(run, table, user_ids), target, aside, **_PLAIN_LINES)
        else:
            _write_text(_layout(table, chosen, run.system), chosen, target, aside)


def format_of(target: Path, format: RunFormat = "auto") -> RunFormat:  # noqa: A002
    """The format that a file is to have, by its suffix unless it is given."""
    if format not in get_args(RunFormat):
        raise BadParameter("run", "format", format, f"one of {', '.join(get_args(RunFormat))}")
    suffixes = [suffix.lower() for suffix in target.suffixes]
    packed = bool(suffixes) and suffixes[-1] in (".gz", ".zst")
    suffix = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    chosen = _BY_SUFFIX.get(suffix) if format == "auto" else format
    if chosen is None or (packed and chosen == "parquet"):
        known = f"{', '.join(_BY_SUFFIX)}, and all but the last also with .gz or .zst"
        raise OutputError(str(target), f"the suffix must be one of {known}")
    return chosen


def _as_json(run: Run, table: pl.DataFrame, user_ids: Ids) -> pl.DataFrame:
    """One line of JSON for each list."""
    lists = table.group_by(USER, maintain_order=True).agg(
        pl.col(ITEM).alias("items"), pl.col(SCORE).alias("scores")
    )
    whose = pl.DataFrame({USER: user_ids.take(run.topics.users)})
    nothing = pl.lit([]).cast(lists.schema["items"]), pl.lit([]).cast(lists.schema["scores"])
    every = whose.join(lists, on=USER, how="left", maintain_order="left").with_columns(
        pl.col("items").fill_null(nothing[0]), pl.col("scores").fill_null(nothing[1])
    )
    return every.select(pl.struct(pl.all()).struct.json_encode().alias("line"))


def _finite_scores(run: Run, target: Path) -> Any:
    """Predictions, and below the lowest of them one for each item without."""
    found = run.predictions
    unscored = np.isnan(found)
    if not unscored.any():
        return found
    lowest = float(found[~unscored].min()) if not unscored.all() else 0.0
    # A step that is not lost when added to the lowest, however large that is.
    step = max(1.0, abs(lowest) * 2.0**-32)
    with np.errstate(over="ignore"):
        filled = np.where(unscored, lowest - step * run.ranks, found)
    if not np.isfinite(filled).all():
        problem = f"there is no number below the lowest prediction {lowest} for unscored items"
        raise OutputError(str(target), problem)
    return filled


def _layout(table: pl.DataFrame, format: RunFormat, system: str) -> pl.DataFrame:  # noqa: A002
    """The columns that a format has, in its order."""
    if format == "recbole":
        return table.rename(_TYPED)
    if format == "tsv":
        return table.select(NAMES[3])
    if format == "csv":
        return table
    tag = "_".join(system.replace(", ", ",").split()) or "run"
    constant = pl.lit("Q0").alias("iteration"), pl.lit(tag).alias(SYSTEM)
    return table.with_columns(constant).select(NAMES[6])


def _write_text(table: pl.DataFrame, format: RunFormat, target: Path, aside: Path) -> None:  # noqa: A002
    options: dict[str, Any] = {
        "separator": {"trec": " ", "csv": ","}.get(format, "\t"),
        "include_header": format in ("csv", "recbole"),
        "quote_style": "necessary" if format == "csv" else "never",
    }
    write_text(table, target, aside, **options)
