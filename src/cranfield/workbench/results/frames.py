"""Frames: the figures of a run or study as tables that SQL can be asked about.

    designs     a row per design: its decisions, then a column per system with its value
    figures     a row per design and system: decisions, topics, system, value
    pairs       a row per design and pair: decisions, first, second, effect, p, users
    summary     of the base: a row per system and metric, all columns of a summary
    lists       of the base: a row per system and run metric, value
    data        one row: users, items, ratings, density, gini_users, gini_items, …
    segments    items by popularity, in segments: rank, positive_ratio
    popularity  items by popularity, one by one: rank, ratings
    positives   items by positive ratings, one by one: rank, ratings; none without any
    activity    users by activity, one by one: rank, ratings
    <criterion>_<name>          each table of an assessment, such as robustness_curves
    <criterion>_<name>_wide     the same as readers see a long one, with columns side by side
    published   the numbers that a paper prints

With several panels every table has a column ``panel``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import polars.selectors as cs

from cranfield.base.errors import MissingLibrary
from cranfield.collection.ratings import Ratings
from cranfield.collection.statistics.statistics import describe
from cranfield.validity.assessment import Assessment, side_by_side
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults, assessments_of

Frames = dict[str, pl.DataFrame]

_NESTED = re.compile(r"\([^()]*\)")
_SHUFFLING = re.compile(r"\b(?:JOIN|GROUP|DISTINCT)\b", re.IGNORECASE)
_ORDERING = re.compile(r"\bORDER\s+BY\b", re.IGNORECASE)


def frames_of(made: Results | StudyResults, ratings: Ratings) -> Frames:
    """Every table of one run or study."""
    base = made.base if isinstance(made, StudyResults) else made
    lists = [
        {"system": system, "metric": metric, "value": value}
        for system, values in base.lists.items()
        for metric, value in values.items()
    ]
    found = {
        "summary": base.summary.to_polars(),
        "lists": pl.DataFrame(
            lists, schema={"system": pl.String, "metric": pl.String, "value": pl.Float64}
        ),
        **_data(ratings, base.experiment.relevance),
        **assessment_frames(assessments_of(made)),
    }
    if isinstance(made, StudyResults):
        return {**found, **_designs(made)}
    values = base.summary.to_polars().select("metric", "system", "value")
    pairs = {} if base.comparison is None else {"pairs": _pairs_of_run(base)}
    wide = values.pivot("system", index="metric", values="value", maintain_order=True)
    return {**found, "figures": values, "designs": wide, **pairs}


def _pairs_of_run(base: Results) -> pl.DataFrame:
    assert base.comparison is not None
    wanted = ("metric", "first", "second", "difference", "effect", "users")
    table = base.comparison.to_polars()
    return table.select(*wanted, pl.col("p_value").alias("p"))


def _designs(made: StudyResults) -> Frames:
    designs = made.designs
    decisions = designs.decisions
    values = pl.DataFrame(
        {
            system: pl.Series(designs.values[:, place]).fill_nan(None)
            for place, system in enumerate(designs.systems)
        }
    )
    wide = decisions.hstack(values)
    pairs = [
        decisions.with_columns(
            first=pl.lit(designs.systems[first]),
            second=pl.lit(designs.systems[second]),
            difference=pl.Series(designs.differences[:, place]).fill_nan(None),
            effect=pl.Series(designs.effects[:, place]).fill_nan(None),
            p=pl.Series(designs.p_values[:, place]).fill_nan(None),
            users=pl.Series(designs.users),
        )
        for place, (first, second) in enumerate(designs.pairs)
    ]
    counted = (
        wide if designs.topics is None else wide.with_columns(topics=pl.Series(designs.topics))
    )
    long = counted.unpivot(
        on=list(designs.systems),
        index=[each for each in counted.columns if each not in designs.systems],
        variable_name="system",
        value_name="value",
    )
    return {"designs": wide, "figures": long, "pairs": pl.concat(pairs)}


def _data(ratings: Ratings, relevance: float) -> Frames:
    """Statistics of the ratings: figures, and curves over items by popularity."""
    found = describe(ratings, relevance)
    plain = {key: value for key, value in found.to_dict().items() if isinstance(value, int | float)}
    ratio = found.positive_ratio
    return {
        "data": pl.DataFrame([plain]),
        "segments": pl.DataFrame({"rank": ratio.x, "positive_ratio": ratio.y}),
        "popularity": ranked_counts(ratings.item_counts),
        "positives": ranked_counts(found.liked.item_counts),
        "activity": ranked_counts(ratings.user_counts),
    }


def ranked_counts(counts: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Counts other than 0 by rank, the largest first."""
    known = np.sort(counts[counts > 0])[::-1]
    return pl.DataFrame({"rank": np.arange(1, len(known) + 1), "ratings": known})


def assessment_frames(assessments: Sequence[Assessment]) -> Frames:
    """The tables of assessments by criterion and name.

    Tables of one name, as several robustness studies have them, become one.
    """
    found: dict[str, list[pl.DataFrame]] = {}
    for made in assessments:
        for title, table in {**made.tables, **made.details}.items():
            name = frame_name(made.criterion, title)
            found.setdefault(name, []).append(table)
            if title in made.across:
                wide = side_by_side(table, made.across[title])
                found.setdefault(f"{name}_wide", []).append(wide)
    return {name: pl.concat(tables, how="diagonal_relaxed") for name, tables in found.items()}


def frame_name(criterion: str, table: str) -> str:
    """The name of an assessment's table, with the criterion said once.

    >>> frame_name("discriminative-power", "discriminative_power")
    'discriminative_power'
    >>> frame_name("robustness", "area")
    'robustness_area'
    """
    first = re.sub("[^a-z0-9]+", "_", criterion.lower()).strip("_")
    return table if table.startswith(first) else f"{first}_{table}"


def join_panels(panels: Mapping[str, Frames]) -> Frames:
    """The tables of all panels, each with a column that names its panel."""
    if list(panels) == [""]:
        return dict(panels[""])
    kinds = dict.fromkeys(kind for frames in panels.values() for kind in frames)
    return {
        kind: pl.concat(
            [
                frames[kind].with_columns(panel=pl.lit(name))
                for name, frames in panels.items()
                if kind in frames
            ],
            how="diagonal_relaxed",
        )
        for kind in kinds
    }


def ask(frames: Mapping[str, Any], question: str) -> pl.DataFrame:
    """The answer to a question in SQL; all numbers are whole or floating.

    Rows of a question that asks for no order are in that of the tables' words: joined and
    grouped ones come in another order each time. The SQL of Polars before 2.0 lacks what
    some questions of the papers use.
    """
    if int(pl.__version__.partition(".")[0]) < 2:
        raise MissingLibrary("reproduce", '"polars>=2"')
    with pl.SQLContext(frames=dict(frames), eager=True) as context:
        answer = context.execute(question).with_columns(cs.decimal().cast(pl.Float64))
    return answer if _has_order(question) else _in_order(answer, frames)


def _has_order(question: str) -> bool:
    """Whether rows come in one order: as asked for, or as in the only table.

    >>> _has_order("SELECT a FROM b ORDER BY a"), _has_order("SELECT a FROM b")
    (True, True)
    >>> _has_order("SELECT a FROM (SELECT a FROM b ORDER BY a) JOIN c")
    False
    """
    outer = question
    while (inner := _NESTED.sub(" ", outer)) != outer:
        outer = inner
    return bool(_ORDERING.search(outer)) or not _SHUFFLING.search(question)


def _in_order(rows: pl.DataFrame, frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Rows by where their words first stand in columns of the same name, then by all else."""
    keys = []
    for name in rows.select(cs.string()).columns:
        tables = [each for each in frames.values() if each.schema.get(name) == pl.String]
        words = dict.fromkeys(
            word for table in tables for word in table[name].unique(maintain_order=True)
        )
        places = {word: place for place, word in enumerate(words)}
        keys.append(pl.col(name).replace_strict(places, default=len(places), return_dtype=pl.Int64))
    return rows.sort(*keys, *rows.columns)
