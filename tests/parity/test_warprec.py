"""The file of lists that WarpRec writes is a run with the values that WarpRec reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf

pipelines: Any = pytest.importorskip("warprec.pipelines", reason="WarpRec is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

_DRAWN = np.random.default_rng(7)
USERS, ITEMS = range(1, 31), range(100, 130)
RATED = {(u, i): float(_DRAWN.uniform(1, 5)) for u in USERS for i in ITEMS if _DRAWN.random() < 0.6}
"""Ratings of so many digits that no two predictions are equal."""
TRAIN = [(u, i, rating) for (u, i), rating in RATED.items() if (u + i) % 4]
TEST = [(u, i, 5.0) for u, i in RATED if (u + i) % 4 == 0]
CONFIGURATION = """
reader:
  loading_strategy: split
  data_type: transaction
  reading_method: local
  rating_type: explicit
  split: {{local_path: {folder}}}
writer:
  dataset_name: tiny
  writing_method: local
  local_experiment_path: {folder}/out
  recommendation: {{k: 5}}
models:
  ItemKNN: {{k: 10, similarity: cosine, meta: {{save_recs: true}}}}
evaluation: {{top_k: [3], metrics: [nDCG, Precision, Recall, MRR, HitRate]}}
general: {{device: cpu}}
"""
METRICS = {
    "nDCG": "nDCG(gain=binary)@3",
    "Precision": "P@3",
    "Recall": "Recall@3",
    "MRR": "RR@3",
    "HitRate": "Success@3",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where WarpRec evaluated a model and wrote its lists."""
    place = tmp_path_factory.mktemp("warprec")
    for name, rows in (("train", TRAIN), ("test", TEST)):
        table = pl.DataFrame(rows, schema=["user_id", "item_id", "rating"], orient="row")
        table.write_csv(place / f"{name}.tsv", separator="\t")
    (place / "eval.yml").write_text(CONFIGURATION.format(folder=place))
    pipelines.eval_pipeline(str(place / "eval.yml"))
    return place


@pytest.mark.parametrize(("theirs", "ours"), METRICS.items())
def test_values_are_those_that_warprec_reports(folder: Path, theirs: str, ours: str) -> None:
    (run,) = (folder / "out/tiny/recs").glob("ItemKNN_*.tsv")
    (reported,) = (folder / "out/tiny/evaluation").glob("Overall_Results_*.tsv")
    expected = pl.read_csv(reported, separator="\t")[theirs].item()
    made = cf.evaluate(folder / "test.tsv", {"kNN": run}, [ours], relevance=4)
    assert made.summary.row("kNN", ours).tied == 0
    assert made.summary.row("kNN", ours).value == pytest.approx(expected, abs=1e-6)


def test_its_lists_are_read_as_they_are_written(folder: Path) -> None:
    (run,) = (folder / "out/tiny/recs").glob("ItemKNN_*.tsv")
    written = pl.read_csv(run, separator="\t")
    test = folder / "test.tsv"
    as_table = cf.score(test, {"kNN": written}, list(METRICS.values()), relevance=4)
    as_file = cf.score(test, {"kNN": run}, list(METRICS.values()), relevance=4)
    assert len(written) == 5 * len(USERS)
    assert as_file.values.tobytes() == as_table.values.tobytes()
