from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from polars.exceptions import ComputeError

from cranfield.base.errors import OutputError
from cranfield.base.files import (
    fingerprint,
    refuse_unwritable,
    write_json,
    writing,
)
from cranfield.base.folders import writing_folder


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def fill_disk(*args: object, **kwargs: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fail_halfway(
    place: AbstractContextManager[Path], name: str, problem: type[BaseException]
) -> None:
    with place as aside:
        (aside / name).write_text("half")
        raise problem


def test_fingerprints_are_the_same_for_ever() -> None:
    """Recorded splits are verified against these; a change of them is a change of format."""
    assert fingerprint() == "cae66941d9efbd404e4d88758ea67670"
    assert fingerprint("a") == "f795ce9a6b8cd13351212e35a69df857"
    assert fingerprint(np.array([1, 2, 3], dtype=np.int64)) == "a531f15b86b4af1e0169b8397931935a"
    assert (
        fingerprint("é", b"x", np.array([[1.5]]), np.array([True]))
        == "402511656d1045369ae66da417d8b15b"
    )


def test_fingerprints_do_not_depend_on_how_memory_holds_the_values() -> None:
    array = np.arange(6, dtype=np.int64)
    assert fingerprint(array.astype(">i8")) == fingerprint(array)
    assert fingerprint(np.repeat(array, 2)[::2]) == fingerprint(array)
    assert fingerprint(np.asfortranarray(array.reshape(2, 3))) == fingerprint(array.reshape(2, 3))


def test_different_content_has_different_fingerprints() -> None:
    contents: list[tuple[Any, ...]] = [
        (),
        ("",),
        ("", ""),
        ("ab",),
        ("a", "b"),
        (np.array([1, 2]),),
        (np.array([1]), np.array([2])),
        (np.array([1, 2], dtype=np.int32),),
        (np.array([[1, 2]]),),
        (np.array([2, 1]),),
        (np.array([1.0, 2.0]),),
        (np.array([], dtype=np.int64),),
        (np.array([], dtype=np.float64),),
        (np.array(["a"]),),
        (np.array(["2020"], dtype="M8[s]"),),
        (np.array(1),),
    ]
    assert len({fingerprint(*parts) for parts in contents}) == len(contents)


def test_a_file_takes_its_place_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.txt"
    with writing(target) as aside:
        aside.write_text("whole")
        assert not target.exists()
        assert aside.parent == target.parent
    assert target.read_text() == "whole"
    assert listed(tmp_path) == ["new", "new/file.txt"]


@pytest.mark.parametrize("problem", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_behind_when_the_work_fails(
    tmp_path: Path, problem: type[BaseException]
) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text("old")
    for target in (kept, tmp_path / "a" / "b" / "c.txt"):
        with pytest.raises(problem):
            fail_halfway(writing(target), "", problem)
    with pytest.raises(problem):
        fail_halfway(writing_folder(tmp_path / "d" / "e"), "x", problem)
    assert listed(tmp_path) == ["kept.txt"]
    assert kept.read_text() == "old"


def test_a_full_disk_is_told_in_words_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    monkeypatch.setattr(Path, "write_text", fill_disk)
    with pytest.raises(OutputError) as caught:
        write_json(target, {"a": 1})
    assert str(caught.value) == (
        f"{target}: cannot be written (No space left on device). Nothing was left behind."
    )
    assert target.read_bytes() == b"old"
    assert listed(tmp_path) == ["file.txt"]


def test_a_failure_of_the_last_step_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    monkeypatch.setattr(Path, "replace", fill_disk)
    with pytest.raises(OutputError), writing(target) as aside:
        aside.write_text("new")
    assert target.read_text() == "old"
    assert listed(tmp_path) == ["file.txt"]


def test_a_file_in_the_way_of_a_folder_is_told(tmp_path: Path) -> None:
    obstacle = tmp_path / "file"
    obstacle.write_text("x")
    with pytest.raises(OutputError, match="cannot be written"), writing(obstacle / "y" / "z.txt"):
        pytest.fail("nothing can be written there")
    with (
        pytest.raises(OutputError, match="a file of that name is in the way"),
        writing_folder(obstacle),
    ):
        pytest.fail("nothing can be written there")
    assert listed(tmp_path) == ["file"]


def test_a_folder_in_the_way_of_a_file_is_told_before_the_work(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match="a folder of that name is in the way"),
        writing(tmp_path),
    ):
        pytest.fail("nothing can be written there")


def test_a_folder_without_permission_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with (
        pytest.raises(OutputError, match="no permission to write there"),
        writing(tmp_path / "sub" / "x"),
    ):
        pytest.fail("nothing can be written there")
    assert listed(tmp_path) == []


def test_names_of_any_length_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("n" * 255)
    with writing(target) as aside:
        aside.write_text("x")
    assert target.read_text() == "x"


def test_a_new_folder_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "out"
    with writing_folder(target) as aside:
        (aside / "a.txt").write_text("a")
        (aside / "sub").mkdir()
        (aside / "sub" / "b.txt").write_text("b")
        assert not target.exists()
    assert listed(target) == ["a.txt", "sub", "sub/b.txt"]
    assert listed(tmp_path / "deep") == ["out", "out/a.txt", "out/sub", "out/sub/b.txt"]


def test_an_old_folder_loses_what_is_replaced_and_keeps_the_rest(tmp_path: Path) -> None:
    target = tmp_path / "out"
    for name in ("fold-1/train.txt", "fold-2/train.txt", "notes.md", "split.json", "sub/mine"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text("old")
    (target / "fold-3").symlink_to(target / "sub")
    with writing_folder(target, replaces=["fold-*", "split.json"]) as aside:
        (aside / "fold-1").mkdir()
        (aside / "fold-1" / "train.txt").write_text("new")
        (aside / "sub").mkdir()
        (aside / "sub" / "ours").write_text("new")
    assert listed(target) == [
        "fold-1",
        "fold-1/train.txt",
        "notes.md",
        "sub",
        "sub/mine",
        "sub/ours",
    ]
    assert (target / "fold-1" / "train.txt").read_text() == "new"
    assert listed(tmp_path) == ["out", *(f"out/{name}" for name in listed(target))]


def test_an_old_folder_is_untouched_when_the_work_fails(tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        fail_halfway(writing_folder(tmp_path, replaces=["*"]), "split.json", KeyboardInterrupt)
    assert (tmp_path / "split.json").read_text() == "old"


def test_the_current_folder_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    with writing_folder(".") as aside:
        (aside / "a.txt").write_text("a")
    with writing("b.txt") as aside:
        aside.write_text("b")
    assert listed(tmp_path) == ["here", "here/a.txt", "here/b.txt"]


def test_json_is_indented_in_the_order_given_and_ends_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"z": 1, "a": ["é"]})
    assert path.read_text("utf-8") == '{\n  "z": 1,\n  "a": [\n    "é"\n  ]\n}\n'
    assert json.loads(path.read_bytes()) == {"z": 1, "a": ["é"]}


def test_a_table_that_cannot_be_written_is_an_output_error(tmp_path: Path) -> None:
    target = tmp_path / "table.parquet"
    with pytest.raises(OutputError, match="No space left"), writing(target):
        raise ComputeError("parquet: No space left on device (os error 28)")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_made_at_the_same_moment_is_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    exists = Path.exists

    def not_yet(path: Path) -> bool:
        """Whether it exists; and then the other process makes it."""
        found = exists(path)
        if path == out and not found:
            out.mkdir()
            (out / "a.txt").write_text("theirs")
        return found

    with writing_folder(out, replaces=("a.txt",)) as aside:
        (aside / "a.txt").write_text("mine")
        monkeypatch.setattr(Path, "exists", not_yet)
    monkeypatch.undo()
    assert (out / "a.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_interrupt_waits_until_all_files_are_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def interrupted(path: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return replace(path, target)

    (tmp_path / "out").mkdir()
    # A process in the background may have been told to ignore interrupts.
    found = signal.signal(signal.SIGINT, signal.default_int_handler)

    def write() -> None:
        with writing_folder(tmp_path / "out") as aside:
            for name in "abc":
                (aside / name).write_text(name)
            monkeypatch.setattr(Path, "replace", interrupted)

    try:
        with pytest.raises(KeyboardInterrupt):
            write()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, found)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a", "b", "c"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_is_filled_from_a_thread_too(tmp_path: Path) -> None:
    def write() -> None:
        with writing_folder(tmp_path / "out") as aside:
            (aside / "a").write_text("a")

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    assert (tmp_path / "out" / "a").read_text() == "a"


def test_what_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    refuse_unwritable(tmp_path / "new" / "deep")
    refuse_unwritable(tmp_path)
    with pytest.raises(OutputError, match="a file of that name is in the way"):
        refuse_unwritable(tmp_path / "file")
    with pytest.raises(OutputError, match="file is a file, not a folder"):
        refuse_unwritable(tmp_path / "file" / "below")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be asked for there")
@pytest.mark.parametrize("folders", [False, True])
def test_what_a_killed_process_left_goes_away_with_the_next_file(
    tmp_path: Path, folders: bool
) -> None:
    context = "writing_folder" if folders else "writing"
    program = f"""
import os, signal
from cranfield.base.{"folders" if folders else "files"} import {context}
with {context}({str(tmp_path / "out")!r}) as aside:
    {"(aside / 'half').write_text('half')" if folders else "aside.write_text('half')"}
    os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert any(name.endswith(".part") for name in listed(tmp_path))
    write_json(tmp_path / "note.json", {})
    assert listed(tmp_path) == ["note.json"]


def test_what_others_are_writing_stays(tmp_path: Path) -> None:
    with writing(tmp_path / "one.txt") as one:
        one.write_text("one")
        elsewhere = tmp_path / re.sub(r"-\w{8}-\d+-", "-0a1b2c3d-4194304-", one.name)
        elsewhere.write_text("of another machine")
        unlike = tmp_path / ".cranfield-notes.part"
        unlike.write_text("of the user")
        write_json(tmp_path / "two.json", {})
        assert one.exists()
        assert elsewhere.exists()
        assert unlike.exists()
    assert (tmp_path / "one.txt").read_text() == "one"
