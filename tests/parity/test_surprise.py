"""What Surprise predicts is read as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from cranfield.base.ids import Ids
from cranfield.recommendation.runs.files import read_run

surprise: Any = pytest.importorskip("surprise", reason="Surprise is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_its_predictions_are_a_run() -> None:
    rng = np.random.default_rng(1)
    pairs = [(user, item) for user in range(1, 9) for item in range(20) if rng.random() < 0.7]
    rows = [(user, item, int(rng.integers(1, 6))) for user, item in pairs]
    table = pd.DataFrame(rows, columns=["user", "item", "rating"])
    data = surprise.Dataset.load_from_df(table, surprise.Reader(rating_scale=(1, 5)))
    algorithm = surprise.BaselineOnly(verbose=False).fit(data.build_full_trainset())
    predictions = algorithm.test([(user, item, 3.0) for user, item, _ in rows])
    named: Any = {"user_ids": Ids(pl.Series(range(1, 9))), "item_ids": Ids(pl.Series(range(20)))}
    columns = {"user": [p.uid for p in predictions], "item": [p.iid for p in predictions]}
    flat = {**columns, "score": [p.est for p in predictions]}
    made = read_run(predictions, system="A", **named)
    assert made.run == read_run(flat, system="A", **named).run
    assert made.report.rows == len(rows)
