"""The same ranked lists in every form in which other tools leave them."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import scipy.sparse

Lists = Mapping[int, list[tuple[int, float]]]
"""For each user the items with their scores, best first."""


class Form(NamedTuple):
    """How lists are put, whether scores and empty lists are still there, and ids are text."""

    make: Callable[[Lists, Path], Any]
    scores: bool = True
    empty: bool = False
    text: bool = False


class Prediction(NamedTuple):
    """What Surprise predicts for a pair."""

    uid: Any
    iid: Any
    r_ui: float | None
    est: float
    details: dict[str, bool]


class Row(tuple[Any, ...]):
    """A row of Spark, which knows the names of its fields."""

    fields: tuple[str, ...]

    def __new__(cls, **values: Any) -> Row:
        made = super().__new__(cls, tuple(values.values()))
        made.fields = tuple(values)
        return made

    def asDict(self, recursive: bool = False) -> dict[str, Any]:
        def plain(value: Any) -> Any:
            if isinstance(value, Row):
                return value.asDict(recursive)
            deep = recursive and isinstance(value, list)
            return [plain(each) for each in value] if deep else value

        return {name: plain(each) for name, each in zip(self.fields, self, strict=True)}


class RanxRun:
    """A run of ranx, as far as anyone looks at it."""

    def __init__(self, lists: Mapping[str, Mapping[str, float]], name: str | None = None) -> None:
        self.lists, self.name = lists, name

    def to_dict(self) -> dict[str, dict[str, float]]:
        made: dict[str, dict[str, float]] = defaultdict(dict)
        for user, items in self.lists.items():
            made[user] = dict(items)
        return made


class ItemListCollection:
    """Lists of LensKit, as far as anyone looks at them."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def to_arrow(self) -> pa.Table:
        return self.table


class SparkFrame(ItemListCollection):
    """A table of Spark, as far as anyone looks at it."""

    def toArrow(self) -> pa.Table:
        return self.table


RanxRun.__module__, ItemListCollection.__module__ = "ranx.data_structures.run", "lenskit.data"
SparkFrame.__module__ = "pyspark.sql.dataframe"


def table(lists: Lists) -> pl.DataFrame:
    """One row per item, as most tools write it."""
    rows = [
        (user, item, score, rank)
        for user, each in lists.items()
        for rank, (item, score) in enumerate(each, start=1)
    ]
    kinds = {"user_id": pl.Int64, "item_id": pl.Int64, "score": pl.Float64, "rank": pl.Int64}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def lenskit(lists: Lists) -> pa.Table:
    """LensKit's own layout, a list of structs for each user."""
    struct = pa.struct([("item_id", pa.int64()), ("score", pa.float64()), ("rank", pa.int32())])
    packed = [
        [
            {"item_id": item, "score": score, "rank": rank}
            for rank, (item, score) in enumerate(each, start=1)
        ]
        for each in lists.values()
    ]
    return pa.table(
        {"user_id": pa.array(lists, pa.int64()), "items": pa.array(packed, pa.list_(struct))}
    )


def spark(lists: Lists) -> pa.Table:
    """What ``recommendForAllUsers`` of Spark gives."""
    struct = pa.struct([("item", pa.int64()), ("rating", pa.float64())])
    packed = [[{"item": item, "rating": score} for item, score in each] for each in lists.values()]
    users = pa.array(lists, pa.int64())
    return pa.table({"user": users, "recommendations": pa.array(packed, pa.list_(struct))})


def in_columns(lists: Lists) -> dict[str, list[Any]]:
    items = [[item for item, _ in each] for each in lists.values()]
    scores = [[score for _, score in each] for each in lists.values()]
    return {"user": list(lists), "items": items, "scores": scores}


def implicit(lists: Lists) -> tuple[Any, ...]:
    """Numbers of items and scores in rows of one length, as implicit fills them up."""
    names = sorted({item for each in lists.values() for item, _ in each}, reverse=True)
    width = max(map(len, lists.values()))
    ids = np.full((len(lists), width), -1)
    scores = np.full((len(lists), width), float(np.finfo(np.float32).min))
    for row, each in enumerate(lists.values()):
        ids[row, : len(each)] = [names.index(item) for item, _ in each]
        scores[row, : len(each)] = [score for _, score in each]
    return ids, scores, np.array(list(lists)), np.array(names)


def sparse(lists: Lists) -> Any:
    rows = table(lists)
    places = rows["user_id"].to_numpy(), rows["item_id"].to_numpy()
    return scipy.sparse.coo_array((rows["score"].to_numpy(), places))


def text(suffix: str, line: str, header: str = "") -> Callable[[Lists, Path], Path]:
    """A file with one line per item."""

    def make(lists: Lists, folder: Path) -> Path:
        path = folder / f"run{suffix}"
        lines = [
            line.format(user=user, item=item, rank=rank, score=repr(score))
            for user, each in lists.items()
            for rank, (item, score) in enumerate(each, start=1)
        ]
        return written(path, "\n".join([*([header] if header else []), *lines]) + "\n")

    return make


def written(path: Path, content: str) -> Path:
    data = content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def parquet(made: Any, path: Path) -> Path:
    pa.parquet.write_table(made.to_arrow() if isinstance(made, pl.DataFrame) else made, path)
    return path


def json_lines(lists: Lists) -> str:
    columns = in_columns(lists)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def parts(lists: Lists, folder: Path, suffix: str) -> Path:
    """A folder of two parts, which divide the rows anywhere, beside a note of the writer."""
    rows, place = table(lists), folder / "run"
    place.mkdir(exist_ok=True)
    (place / "_SUCCESS").touch()
    half = (len(rows) + 1) // 2
    for number, part in enumerate((rows[:half], rows[half:] if len(rows) > half else rows[:0])):
        path = place / f"part-{number:05}{suffix}"
        if suffix == ".parquet":
            part.write_parquet(path)
        elif len(part):
            part.write_csv(path)
    return place


def folder_of_json(lists: Lists, folder: Path) -> Path:
    place = folder / "run"
    place.mkdir(exist_ok=True)
    for number, (user, each) in enumerate(lists.items()):
        written(place / f"part-{number}.json", json_lines({user: each}))
    return place


def replay(lists: Lists) -> pl.DataFrame:
    names = {"user_id": "query_id", "score": "rating"}
    return table(lists).drop("rank").rename(names)


def scores_of(lists: Lists, kind: type = int) -> dict[Any, dict[Any, float]]:
    return {kind(user): {kind(item): score for item, score in each} for user, each in lists.items()}


def items_of(lists: Lists) -> dict[int, list[int]]:
    return {user: [item for item, _ in each] for user, each in lists.items()}


def predictions(lists: Lists) -> list[Prediction]:
    return [
        Prediction(str(user), str(item), None, score, {"was_impossible": False})
        for user, each in lists.items()
        for item, score in each
    ]


def spark_rows(lists: Lists) -> list[Row]:
    return [
        Row(user=user, recommendations=[Row(item=item, rating=score) for item, score in each])
        for user, each in lists.items()
    ]


def in_pandas(made: pa.Table) -> pd.DataFrame:
    """What Spark makes of lists of structs by way of Arrow: arrays of mappings in cells."""
    cells = [np.array(each, dtype=object) for each in made["recommendations"].to_pylist()]
    return pd.DataFrame({"user": made["user"].to_pylist(), "recommendations": cells})


FORMS: dict[str, Form] = {
    "TREC": Form(text(".run", "{user} Q0 {item} {rank} {score} sys")),
    "Elliot": Form(text(".tsv", "{user}\t{item}\t{score}")),
    "WarpRec": Form(text(".tsv", "{user}\t{item}\t{score}", "user_id\titem_id\trating")),
    "RecTools": Form(text(".csv", "{user},{item},{score},{rank}", "user_id,item_id,score,rank")),
    "RecBole": Form(
        text(".inter", "{user}\t{item}\t{score}", "user_id:token\titem_id:token\tscore:float")
    ),
    "packed text": Form(text(".csv.gz", "{user},{item},{score}", "user,item,score")),
    "ranks alone": Form(text(".csv", "{user},{item},{rank}", "user,item,rank"), scores=False),
    "Parquet": Form(lambda lists, folder: parquet(table(lists), folder / "run.parquet")),
    "LensKit Parquet": Form(
        lambda lists, folder: parquet(lenskit(lists), folder / "run.parquet"), empty=True
    ),
    "LensKit ItemListCollection": Form(
        lambda lists, _: ItemListCollection(lenskit(lists)), empty=True
    ),
    "Spark Parquet": Form(
        lambda lists, folder: parquet(spark(lists), folder / "run.parquet"), empty=True
    ),
    "Spark DataFrame": Form(lambda lists, _: SparkFrame(spark(lists)), empty=True),
    "Spark rows": Form(lambda lists, _: spark_rows(lists), empty=True),
    "Spark in pandas": Form(
        lambda lists, _: pd.DataFrame([row.asDict() for row in spark_rows(lists)]), empty=True
    ),
    "Spark in pandas by Arrow": Form(lambda lists, _: in_pandas(spark(lists)), empty=True),
    "RePlay": Form(lambda lists, _: replay(lists)),
    "RePlay in pandas": Form(lambda lists, _: pd.DataFrame(replay(lists).to_dict(as_series=False))),
    "Surprise predictions": Form(lambda lists, _: predictions(lists), text=True),
    "scores by user": Form(lambda lists, _: scores_of(lists), empty=True),
    "pairs by user": Form(lambda lists, _: dict(lists), empty=True),
    "items by user": Form(lambda lists, _: items_of(lists), scores=False, empty=True),
    "arrays by user": Form(
        lambda lists, _: {user: np.array(each, int) for user, each in items_of(lists).items()},
        scores=False,
        empty=True,
    ),
    "ranx Run": Form(lambda lists, _: RanxRun(scores_of(lists, str)), empty=True, text=True),
    "ranx JSON": Form(
        lambda lists, folder: written(folder / "run.json", json.dumps(scores_of(lists, str))),
        empty=True,
        text=True,
    ),
    "implicit arrays": Form(lambda lists, _: implicit(lists), empty=True),
    "JSON lines of lists": Form(
        lambda lists, folder: written(folder / "run.jsonl", json_lines(lists)), empty=True
    ),
    "JSON lines, packed": Form(
        lambda lists, folder: written(folder / "run.jsonl.gz", json_lines(lists)), empty=True
    ),
    "JSON lines of rows": Form(
        lambda lists, folder: written(folder / "run.jsonl", table(lists).write_ndjson())
    ),
    "columns of lists": Form(lambda lists, _: pl.DataFrame(in_columns(lists)), empty=True),
    "list of rows": Form(lambda lists, _: table(lists).rows(named=True)),
    "list of triples": Form(lambda lists, _: table(lists).drop("rank").rows()),
    "part folder": Form(lambda lists, folder: parts(lists, folder, ".parquet")),
    "part folder of text": Form(lambda lists, folder: parts(lists, folder, ".csv")),
    "part folder of JSON": Form(folder_of_json, empty=True),
    "pattern": Form(lambda lists, folder: f"{parts(lists, folder, '.parquet')}/part-*.parquet"),
    "address": Form(
        lambda lists, folder: f"file://{parquet(table(lists), folder / 'run.parquet')}"
    ),
    "address of text": Form(lambda lists, folder: f"file://{FORMS['TREC'].make(lists, folder)}"),
    "address of JSON": Form(
        lambda lists, folder: f"file://{written(folder / 'run.jsonl', json_lines(lists))}",
        empty=True,
    ),
    "Polars": Form(lambda lists, _: table(lists)),
    "Polars lazy": Form(lambda lists, _: table(lists).lazy()),
    "pandas": Form(lambda lists, _: pd.DataFrame(table(lists).to_dict(as_series=False))),
    "Arrow": Form(lambda lists, _: table(lists).to_arrow()),
    "mapping of columns": Form(lambda lists, _: table(lists).to_dict(as_series=False)),
    "NumPy": Form(lambda lists, _: table(lists).drop("rank").to_numpy()),
    "SciPy sparse": Form(lambda lists, _: sparse(lists)),
}
"""Every form, by the name that the documentation has for it."""
