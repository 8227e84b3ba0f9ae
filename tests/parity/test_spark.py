"""Lists of Spark's ALS are read in every form in which Spark gives them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.ids import Ids
from cranfield.recommendation.runs.files import read_run

sql: Any = pytest.importorskip("pyspark.sql", reason="Spark is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

# starting Java takes longer than all the rest
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

USERS, ITEMS, DEPTH = range(12), range(100, 115), 5
IDS: Any = {"user_ids": Ids(pl.Series(USERS)), "item_ids": Ids(pl.Series(ITEMS))}


@pytest.fixture(scope="module")
def recommended() -> Iterator[Any]:
    """What a tiny model recommends, as a DataFrame of Spark."""
    from pyspark.ml.recommendation import ALS

    builder = sql.SparkSession.builder.master("local[1]")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rows = [(u, i, float(u * i % 5 + 1)) for u in USERS for i in ITEMS if (u + i) % 3]
    ratings = session.createDataFrame(rows, ["user", "item", "rating"])
    names = {"userCol": "user", "itemCol": "item", "ratingCol": "rating"}
    model = ALS(rank=3, maxIter=2, seed=1, **names).fit(ratings)
    yield model.recommendForAllUsers(DEPTH).cache()
    session.stop()


@pytest.mark.parametrize("form", ["Parquet", "DataFrame", "rows", "pandas", "pandas by Arrow"])
def test_lists_are_those_of_spark(form: str, recommended: Any, tmp_path: Path) -> None:
    if form == "Parquet":
        recommended.repartition(2).write.parquet(str(tmp_path / "run"))
        given: Any = tmp_path / "run"
    elif form.startswith("pandas"):
        setting = "spark.sql.execution.arrow.pyspark.enabled"
        recommended.sparkSession.conf.set(setting, str(form == "pandas by Arrow").lower())
        given = recommended.toPandas()
    else:
        given = recommended.collect() if form == "rows" else recommended
    run = read_run(given, **IDS, system="ALS").run
    found = run.table(IDS["user_ids"], IDS["item_ids"])
    lists = {row.user: row.recommendations for row in recommended.collect()}
    assert set(lists) == set(USERS)
    for user, theirs in lists.items():
        mine = found.filter(pl.col("user_id") == user).sort("rank")
        assert mine["item_id"].to_list() == [each.item for each in theirs]
        assert mine["score"].to_list() == [each.rating for each in theirs]
        assert len(theirs) == DEPTH
