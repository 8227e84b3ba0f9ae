"""Runs whose users are scattered over files read as they do when they are in memory."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import UnreadableFile
from cranfield.base.files import temporary_folder
from cranfield.base.ids import Ids
from cranfield.recommendation.runs import scattered
from cranfield.recommendation.runs import source as source_module
from cranfield.recommendation.runs.files import open_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.source import OpenRun, blocks_of_users, open_lists

USERS, ITEMS = Ids(pl.Series(np.arange(40))), Ids(pl.Series(np.arange(25)))
NAMES = Ids(pl.Series([f"u{user:02}" for user in range(40)]))


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Limits so low that some hundred rows are many, and a folder for temporary files."""
    for name, rows in (("_ROWS_OF_PART", 60), ("_ROWS_AT_ONCE", 37), ("_CHUNK", 10)):
        monkeypatch.setattr(scattered, name, rows)
    for name, rows in (("_MANY_ROWS", 50), ("ROWS_AT_ONCE", 30), ("_FEW_ROWS", 3)):
        monkeypatch.setattr(source_module, name, rows)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def table(ids: Ids, *, ordered: bool = False) -> pl.DataFrame:
    """Lists of ten items for all users but one, with ties, and one user nobody knows."""
    rng = np.random.default_rng(3)
    users = np.repeat(np.delete(np.arange(40), 17), 10)
    items = np.concatenate([rng.permutation(25)[:10] for _ in range(39)])
    frame = pl.DataFrame({"user": ids.take(users), "item": items})
    frame = frame.with_columns(score=pl.Series(rng.integers(0, 4, len(frame)) / 4))
    stranger = pl.DataFrame({"user": ["99"], "item": [1], "score": [0.5]})
    stranger = stranger.with_columns(pl.col("user").cast(ids.values.dtype))
    whole = pl.concat([frame, stranger])
    return whole if ordered else whole[rng.permutation(len(whole))]


def write_parts(frame: pl.DataFrame, folder: Path) -> Path:
    folder.mkdir()
    for number in range(3):
        part = frame[number * 131 : (number + 1) * 131]
        part.write_parquet(folder / f"part-{number}.parquet", row_group_size=10)
    return folder


def by_blocks(run: OpenRun) -> list[Any]:
    """All lists and what was odd, read some users at a time."""
    rules, found = RunRules(unknown_users="drop"), []
    blocks = blocks_of_users([run])
    readings = [run.read(block, train=None, rules=rules) for block in blocks]
    for made in readings:
        lists = made.run
        for at, user in enumerate(lists.topics.users.tolist()):
            rows = slice(lists.offsets[at], lists.offsets[at + 1])
            if rows.start < rows.stop:
                found.append((user, lists.items[rows].tolist(), lists.predictions[rows].tolist()))
    assert len(blocks) > 1 or run.coded is not None
    report = run.report([each.report for each in readings], rules)
    return [sorted(found), report.rows, report.lists, report.unknown_users]


@pytest.mark.parametrize("ids", [USERS, NAMES], ids=["numbers", "text"])
def test_scattered_users_read_as_from_memory(ids: Ids, little: Path, tmp_path: Path) -> None:
    frame = table(ids)
    held = by_blocks(open_lists(open_run(frame), ids, ITEMS))
    run = open_lists(open_run(write_parts(frame, tmp_path / "run")), ids, ITEMS)
    assert run.source.by_user is not None
    assert len(run.source.by_user.starts) == 7
    assert by_blocks(run) == held
    del run
    gc.collect()
    assert not list(little.iterdir())


def test_users_that_stand_together_are_read_where_they_are(little: Path, tmp_path: Path) -> None:
    frame = table(USERS, ordered=True)
    held = by_blocks(open_lists(open_run(frame), USERS, ITEMS))
    run = open_lists(open_run(write_parts(frame, tmp_path / "run")), USERS, ITEMS)
    assert run.source.by_user is None
    assert by_blocks(run) == held
    assert not list(little.iterdir())


def test_a_few_rows_are_never_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "_FEW_ROWS", 3)
    run = open_lists(open_run(write_parts(table(USERS), tmp_path / "run")), USERS, ITEMS)
    assert run.source.by_user is None


def test_no_space_for_temporary_files_is_said(
    little: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    source = open_run(write_parts(table(USERS), tmp_path / "run"))
    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(UnreadableFile, match=r"No space left.*\$TMPDIR"):
        open_lists(source, USERS, ITEMS)
    assert not list(little.iterdir())


def test_files_of_a_killed_process_are_removed_and_those_of_a_live_one_stay(
    little: Path, tmp_path: Path
) -> None:
    program = """
import os, signal
from cranfield.base.files import temporary_folder
(temporary_folder() / "0-00000000.parquet").write_text("half")
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "TMPDIR": str(little)}
    killed = subprocess.run([sys.executable, "-c", program], check=False, env=environment)
    assert killed.returncode == -signal.SIGKILL
    assert [[file.name for file in left.iterdir()] for left in little.iterdir()] == [
        ["0-00000000.parquet"]
    ]
    (left,) = little.iterdir()
    live = temporary_folder()
    assert not left.exists()
    run = open_lists(open_run(write_parts(table(USERS), tmp_path / "run")), USERS, ITEMS)
    assert run.source.by_user is not None
    assert set(little.iterdir()) == {live, run.source.by_user.folder}
    live.rmdir()
