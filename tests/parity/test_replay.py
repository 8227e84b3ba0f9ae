"""What models of RePlay recommend is a run, and it has the values that RePlay's metrics give."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield as cf
from cranfield.base.ids import Ids
from cranfield.recommendation.runs.files import read_run

metrics: Any = pytest.importorskip("replay.metrics", reason="RePlay is not installed")
sql: Any = pytest.importorskip("pyspark.sql", reason="models of RePlay need Spark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

# starting Java takes longer than all the rest
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

USERS, ITEMS, DEPTH = range(12), range(15), 4
RATED = [(u, i, float(u * i % 5 + 1)) for u in USERS for i in ITEMS if (u + i) % 3]
TRUTH = pl.DataFrame(
    [(u, i) for u in USERS for i in ITEMS if (u + i) % 3 == 0],
    schema=["query_id", "item_id"],
    orient="row",
)


@pytest.fixture(scope="module")
def recommended() -> Iterator[Any]:
    """What neighbours of items recommend, as the DataFrame of Spark that RePlay gives."""
    from replay.data import Dataset, FeatureHint, FeatureInfo, FeatureSchema, FeatureType
    from replay.models import ItemKNN
    from replay.utils.session_handler import State

    builder = sql.SparkSession.builder.master("local[1]")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    State(session)
    schema = FeatureSchema(
        [
            FeatureInfo("query_id", FeatureType.CATEGORICAL, FeatureHint.QUERY_ID),
            FeatureInfo("item_id", FeatureType.CATEGORICAL, FeatureHint.ITEM_ID),
            FeatureInfo("rating", FeatureType.NUMERICAL, FeatureHint.RATING),
        ]
    )
    rows = session.createDataFrame(RATED, ["query_id", "item_id", "rating"])
    data = Dataset(feature_schema=schema, interactions=rows, check_consistency=False)
    yield ItemKNN(num_neighbours=15).fit_predict(data, k=DEPTH).cache()
    session.stop()


def in_form(recommended: Any, form: str, folder: Path) -> Any:
    if form == "Spark":
        return recommended
    if form == "pandas":
        return recommended.toPandas()
    if form == "Polars":
        return pl.DataFrame(recommended.toPandas())
    recommended.write.parquet(str(folder / "run"))
    return folder / "run"


@pytest.mark.parametrize("form", ["Spark", "pandas", "Polars", "Parquet"])
def test_its_lists_are_a_run(form: str, recommended: Any, tmp_path: Path) -> None:
    ids: Any = {"user_ids": Ids(pl.Series(USERS)), "item_ids": Ids(pl.Series(ITEMS))}
    made = read_run(in_form(recommended, form, tmp_path), **ids, system="kNN").run
    found = made.table(ids["user_ids"], ids["item_ids"])
    mine = {(row["user_id"], row["item_id"]): row["score"] for row in found.rows(named=True)}
    theirs = {(row.query_id, row.item_id): row.rating for row in recommended.collect()}
    assert mine == theirs
    assert len(theirs) > len(USERS)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Precision", "P@3"),
        ("Recall", "Recall@3"),
        ("HitRate", "Success@3"),
        ("MRR", "RR@3"),
        ("NDCG", "nDCG(gain=binary)@3"),
    ],
)
def test_means_over_users_are_those_of_its_metrics(
    theirs: str, ours: str, recommended: Any
) -> None:
    lists = pl.DataFrame(recommended.toPandas()).sort("rating", "item_id", descending=True)
    lists = lists.with_columns(rating=-pl.int_range(pl.len()).over("query_id").cast(pl.Float64))
    names = {"query_column": "query_id", "item_column": "item_id", "rating_column": "rating"}
    expected = getattr(metrics, theirs)([3], **names)(lists, TRUTH)
    test = TRUTH.with_columns(rating=pl.lit(5.0))
    made = cf.evaluate(test, {"kNN": lists}, [ours], relevance=4)
    assert made.summary.row("kNN", ours).value == pytest.approx(
        next(iter(expected.values())), abs=1e-9
    )
