"""The script of the docs writes what a model of RecBole recommends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model_pages import recbole_script

pytest.importorskip("recbole.quick_start", reason="RecBole is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

TRAIN = """
from recbole.quick_start import run_recbole

run_recbole(
    model="BPR",
    dataset="small",
    config_dict={
        "data_path": ".", "epochs": 2, "embedding_size": 4, "show_progress": False,
        "use_gpu": False, "state": "ERROR", "train_batch_size": 512,
        "load_col": {"inter": ["user_id", "item_id"]},
    },
)
"""
ASK = """
import json, sys
from recbole.quick_start import load_data_and_model
from recbole.utils.case_study import full_sort_scores

config, model, dataset, train, _, test = load_data_and_model(model_file=sys.argv[1])
scores = full_sort_scores(test.uid_list, model, test, device="cpu").tolist()
users = dataset.id2token("user_id", test.uid_list).tolist()
items = dataset.field2id_token["item_id"].tolist()
json.dump([users, items, [[max(x, -1e38) for x in row] for row in scores]], sys.stdout)
"""


def python(text: str, *arguments: str, folder: Path) -> str:
    environment = {**os.environ, "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD": "1"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text, *arguments], cwd=folder, check=True,
        capture_output=True, text=True, env=environment,
    )  # fmt: skip
    return ran.stdout


def test_the_run_holds_the_best_items_of_each_user_with_their_scores(tmp_path: Path) -> None:
    import json

    rng = np.random.default_rng(3)
    rows = [f"u{u}\ti{i}\n" for u, i in zip(*np.nonzero(rng.random((40, 130)) < 0.3), strict=True)]
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "small.inter").write_text(
        "user_id:token\titem_id:token\n" + "".join(rows)
    )
    python(TRAIN, folder=tmp_path)
    checkpoint = str(next((tmp_path / "saved").glob("*.pth")))
    python(recbole_script(), checkpoint, "bpr.tsv", folder=tmp_path)
    users, items, scores = json.loads(python(ASK, checkpoint, folder=tmp_path).splitlines()[-1])
    run: dict[str, list[Any]] = {}
    for line in (tmp_path / "bpr.tsv").read_text().splitlines():
        user, item, score = line.split("\t")
        run.setdefault(user, []).append((item, float(score)))
    assert set(run) == set(users)
    for user, row in zip(users, scores, strict=True):
        best = sorted(range(len(row)), key=lambda at: -row[at])
        wanted = [items[at] for at in best if row[at] > -1e30][:100]
        assert [item for item, _ in run[user]] == wanted
        values = dict(zip(items, row, strict=True))
        assert [score for _, score in run[user]] == pytest.approx([values[i] for i in wanted])
