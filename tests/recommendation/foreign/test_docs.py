"""The page on recommendation names every form of model, with a test that holds it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from cranfield.recommendation.adapter import BATCH
from cranfield.recommendation.foreign.form import FormName
from cranfield.recommendation.foreign.recognition import FORMS
from model_pages import ROOT, models_table, recbole_script

ASKED = {"in batches", "for each user alone", "for targets only", "for any users"}


def test_every_form_is_in_the_table() -> None:
    assert {row[0] for row in models_table()} == set(get_args(FormName)) - {"auto"}


@pytest.mark.parametrize("row", models_table(), ids=lambda row: row[3].rpartition("::")[2])
def test_a_row_names_a_test_and_says_how_the_model_is_asked(row: list[str]) -> None:
    form, _, asked, held_by = row
    file, _, name = held_by.partition("::")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
    assert asked in ASKED
    if form in FORMS:
        assert (asked == "in batches") == FORMS[form].together
        assert (asked == "for targets only") == (form == "surprise")


def test_the_page_says_how_large_a_batch_is() -> None:
    text = (ROOT / "docs" / "3-recommendation.md").read_text(encoding="utf-8")
    assert f"Users are asked for {BATCH} at a time: codes 0 to {BATCH - 1}" in text


STAND_IN = {
    "quick_start.py": """
from types import SimpleNamespace


class Users(list):
    def split(self, size):
        return [Users(self[at : at + size]) for at in range(0, len(self), size)]


class Data:
    uid_field, iid_field = "user", "item"

    def id2token(self, field, ids):
        if field == "user":
            return [f"u{each}" for each in ids]
        return [[f"i{each}" for each in row] for row in ids]


def load_data_and_model(model_file):
    assert model_file == "BPR.pth"
    return {"device": "cpu"}, "model", Data(), None, None, SimpleNamespace(uid_list=Users([1, 2]))
""",
    "utils/case_study.py": """
class Rows(list):
    def cpu(self):
        return self

    def tolist(self):
        return list(self)


def full_sort_topk(batch, model, test, k, device):
    assert (model, k, device) == ("model", 100, "cpu")
    values = [0.5, float("-inf")]  # the user has rated all others
    return Rows([values for _ in batch]), Rows([[user, 9] for user in batch])
""",
}


def test_the_script_for_recbole_is_short_and_writes_a_run(tmp_path: Path) -> None:
    script = recbole_script()
    assert len([line for line in script.splitlines() if line.strip()]) <= 15
    for name, text in STAND_IN.items():
        path = tmp_path / "recbole" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ran: Any = subprocess.run(
        [sys.executable, "-c", script, "BPR.pth", "bpr.tsv"], cwd=tmp_path, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "bpr.tsv").read_text() == "u1\ti1\t0.5\nu2\ti2\t0.5\n"
