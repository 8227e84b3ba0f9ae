"""Metrics "as=lenskit" are those of LensKit, whose test items are all relevant."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.files import read_run
from hit_cases import trec_order
from peer_cases import own_scores, peer_case, with_relevant

metrics: Any = pytest.importorskip("lenskit.metrics.ranking", reason="LensKit is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

PAIRS = {
    ("Precision", 5): "P(as=lenskit)@5",
    ("Precision", 20): "P(as=lenskit)@20",
    ("Recall", 5): "Recall(as=lenskit)@5",
    ("AveragePrecision", 10): "AP(as=lenskit)@10",
    ("NDCG", 10): "nDCG(as=lenskit)@10",
    ("RecipRank", 10): "RR@10",
    ("Hit", 5): "Success@5",
}


@pytest.mark.parametrize(("theirs", "ours"), PAIRS.items())
def test_every_user_agrees(theirs: tuple[str, int], ours: str) -> None:
    from lenskit.data import ItemList

    qrels, run = peer_case()
    metric, own = getattr(metrics, theirs[0])(theirs[1]), own_scores(ours)
    for user in with_relevant():
        listed = ItemList(item_ids=trec_order(run[user]), ordered=True)
        liked = ItemList(item_ids=[item for item, rating in qrels[user].items() if rating >= 4])
        assert own[user] == pytest.approx(metric.measure_list(listed, liked), abs=1e-9), user


@pytest.mark.parametrize("name", ["Precision", "AveragePrecision"])
def test_an_empty_list_is_undefined(name: str) -> None:
    from lenskit.data import ItemList

    nothing, liked = ItemList(item_ids=[], ordered=True), ItemList(item_ids=["i1"])
    assert math.isnan(getattr(metrics, name)(5).measure_list(nothing, liked))


def test_lists_are_read_from_its_parquet_and_as_they_are(tmp_path: Path) -> None:
    from lenskit.data import ItemList, ItemListCollection

    lists = {1: {7: 0.5, 8: 0.25}, 2: {}, 3: {9: 0.125}}
    made = ItemListCollection.empty(["user_id"])
    for user, scores in lists.items():
        ids, values = np.array(list(scores), int), np.array(list(scores.values()), float)
        made.add(ItemList(item_ids=ids, scores=values, ordered=True), user_id=user)
    made.save_parquet(tmp_path / "run.parquet")
    made.save_parquet(tmp_path / "flat.parquet", layout="flat")
    named: Any = {"user_ids": Ids(pl.Series([1, 2, 3])), "item_ids": Ids(pl.Series([7, 8, 9]))}
    expected = read_run(lists, system="A", **named).run
    assert expected.lengths.tolist() == [2, 0, 1]
    assert read_run(made, system="A", **named).run == expected
    assert read_run(tmp_path / "run.parquet", system="A", **named).run == expected
    without = expected.for_users(Topics(np.array([0, 2], np.int32)))
    assert read_run(tmp_path / "flat.parquet", system="A", **named).run == without
