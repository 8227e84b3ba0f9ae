"""``cranfield run`` and ``cranfield verify`` as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base import progress
from cranfield.workbench.cli.main import main
from cranfield.workbench.store.store import Store
from experiment_cases import file_of

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRANFIELD_STORE", str(tmp_path / "store"))
    return file_of(tmp_path)


def test_a_run_prints_tables_verdict_and_the_report(file: Path, capsys: Captured) -> None:
    out = file.parent / "out"
    assert main(["run", str(file), "--out", str(out)]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith(
        "1 design: 1 split, 3 fits (0 cached), 3 rankings (0 cached); about "
    )
    assert "nDCG@5" in shown.out
    assert "users + / = / −" in shown.out
    assert shown.out.startswith("All 40 test users enter with 161 test ratings.\n")
    assert "Popularity has the highest nDCG@5" in shown.out
    assert shown.out.endswith(f"report: {out / 'report.html'}\n")
    assert "\x1b" not in shown.out, "no colours off a terminal"
    record = json.loads((out / "results.json").read_text())
    value = record["systems"]["kNN"]["nDCG@5"]["value"]
    assert f"{value:.4f}" in shown.out
    assert main(["run", str(file), "--out", str(out)]) == 0
    assert "(3 cached)" in capsys.readouterr().err


def test_a_run_is_verified_and_a_changed_one_is_not(file: Path, capsys: Captured) -> None:
    out = file.parent / "out"
    assert main(["run", str(file), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["verify", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "verified. Recomputed from scratch, the scores of 40 users by 2 metrics" in shown
    record = json.loads((out / "results.json").read_text())
    record["systems"]["kNN"]["nDCG@5"]["value"] += 1e-9
    (out / "results.json").write_text(json.dumps(record))
    assert main(["verify", str(out)]) == 1
    assert "the recomputed results differ in systems.kNN.nDCG@5.value" in capsys.readouterr().err


def test_verifying_uses_no_store(file: Path, capsys: Captured) -> None:
    out, store = file.parent / "out", file.parent / "store"
    assert main(["run", str(file), "--out", str(out), "--store", "none"]) == 0
    assert main(["verify", str(out)]) == 0
    assert not store.exists()
    assert capsys.readouterr().err.count("cached") == 2


def test_a_study_tells_what_other_splits_and_fits_say(tmp_path: Path, capsys: Captured) -> None:
    asked = {"vary": {"cutoff": [3, 5]}, "draws": 0, "repeat": {"split_seeds": 2, "fit_seeds": 2}}
    main(["run", str(file_of(tmp_path, study=asked)), "--out", str(tmp_path / "out")])
    shown = " ".join(capsys.readouterr().out.split())
    assert "Over 2 random splits of these ratings, with 2 fits each, " in shown
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Does it hold for other splits and fits?" in page
    assert "Over 2 random splits of these ratings" in re.sub("<[^>]*>", "", page)
    methods = (tmp_path / "out" / "methods.txt").read_text(encoding="utf-8")
    assert "repeated over 2 random splits of the ratings with 2 fits" in methods


def test_a_study_prints_its_verdict_and_on_request_the_evidence(
    tmp_path: Path, capsys: Captured
) -> None:
    file = file_of(tmp_path, study={"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 100})
    out = tmp_path / "out"
    arguments = ["run", str(file), "--out", str(out), "--store", str(tmp_path / "store")]
    assert main(arguments) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("4 designs: 1 split, ")
    table, _, after = shown.out.partition("a random ranking")
    assert "nDCG@5" in table
    assert len(after.splitlines()[1:]) <= 15
    assert "NOT ESTABLISHED\nNo difference between" in after
    assert "\nscores more " in after
    assert "\n  · " not in after
    assert main([*arguments[:-3], str(tmp_path / "again"), *arguments[-2:], "--evidence"]) == 0
    assert "\n  · 4 designs were tried over the cut-off (2)" in capsys.readouterr().out
    assert main(["verify", str(out)]) == 0
    assert "and all 4 designs are equal bit for bit" in capsys.readouterr().out


@pytest.mark.parametrize("study", [None, {"vary": {"cutoff": [3, 5]}, "draws": 0}])
def test_without_a_folder_the_same_is_printed_and_nothing_written(
    tmp_path: Path, capsys: Captured, study: dict[str, Any] | None
) -> None:
    changes: dict[str, Any] = {} if study is None else {"study": study}
    file = file_of(tmp_path, **changes)
    assert main(["run", str(file), "--store", "none"]) == 0
    printed = capsys.readouterr().out
    assert list(tmp_path.rglob("*")) == [file]
    out = tmp_path / "out"
    assert main(["run", str(file), "--store", "none", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{printed}\nreport: {out / 'report.html'}\n"


def test_novelty_is_shown_as_it_was_typed(tmp_path: Path, capsys: Captured) -> None:
    file = file_of(tmp_path, metrics=["nDCG@5", "Novelty@5"])
    out = tmp_path / "out"
    assert main(["run", str(file), "--store", "none", "--out", str(out)]) == 0
    assert "Novelty@5\n" in capsys.readouterr().out
    for name in ("report.html", "tables.tex"):
        assert "Novelty@5" in (out / name).read_text(encoding="utf-8")
    assert "EFD@5" in json.loads((out / "results.json").read_text())["systems"]["kNN"]


def test_progress_is_logged_on_request(
    file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    assert main(["run", str(file), "--store", "none"]) == 0
    assert "%" not in capsys.readouterr().err
    assert main(["run", str(file), "--store", "none", "--progress", "log"]) == 0
    lines = capsys.readouterr().err.splitlines()
    logged = [line for line in lines if re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  \w", line)]
    assert logged
    assert all("%" in line and "━" not in line for line in logged)


def test_a_study_without_a_title_is_called_after_its_file(tmp_path: Path) -> None:
    file = file_of(tmp_path, study={"vary": {"cutoff": [3, 5]}, "draws": 0})
    mine = file.rename(tmp_path / "Which cut-off.toml")
    out = tmp_path / "out"
    assert main(["run", str(mine), "--out", str(out)]) == 0
    assert "<h1>Which cut-off</h1>" in (out / "report.html").read_text(encoding="utf-8")
    assert json.loads((out / "results.json").read_text())["title"] == "Which cut-off"
    assert main(["verify", str(out)]) == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ratings.csv", "user,item,rating\n1,2,5\n1,3,4\n"),
        ("ratings.dat", "1::2::5::978300760\n1::3::4::978300761\n"),
        ("u.data", "1\t2\t5\t978300760\n1\t3\t4\t978300761\n"),
        ("likes.csv", "user_id;item_id\nx;y\n"),
        ("mine.inter", "user_id:token\titem_id:token\trating:float\na\tb\t3\n"),
        ("qrels.txt", "1 0 7 5\n2 0 7 4\n"),
    ],
)
def test_ratings_in_the_place_of_a_definition_are_told(
    tmp_path: Path, capsys: Captured, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert main(["run", str(path)]) == 1
    said = capsys.readouterr().err
    assert f"{path}: this looks like ratings, not like the definition of an experiment" in said
    assert f'data = "{path}"' in said


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine.toml", "seed = 1\nrelevance = 4\nsplit\n"),
        ("mine.txt", "seed = 1\nrelevance = 4\nsplit = x\n"),
        ("mine.txt", "title,\n"),
        ("mine.txt", ""),
    ],
)
def test_a_misspelled_definition_is_not_taken_for_ratings(
    tmp_path: Path, capsys: Captured, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert main(["run", str(path)]) == 1
    assert "looks like ratings" not in capsys.readouterr().err


def test_parquet_in_the_place_of_a_definition_is_told(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "ratings.parquet"
    pl.DataFrame({"user": [1], "item": [2], "rating": [5.0]}).write_parquet(path)
    assert main(["run", str(path)]) == 1
    assert "this looks like ratings" in capsys.readouterr().err


def test_a_dry_run_writes_nothing(file: Path, capsys: Captured) -> None:
    before = sorted(file.parent.rglob("*"))
    assert main(["run", str(file), "--dry-run"]) == 0
    assert main(["run", str(file), "--dry-run", "--out", str(file.parent / "out")]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("1 design: 1 split, 3 fits (0 cached), 3 rankings (0 cached)") == 2
    assert shown.err == ""
    assert sorted(file.parent.rglob("*")) == before


def test_answers_are_set_on_the_command_line(file: Path, capsys: Captured) -> None:
    out = file.parent / "out"
    changes = ["--set", "split.test_share=0.2", "--set", "systems.kNN.k=3", "--set", "seed=5"]
    assert main(["run", str(file), *changes, "--out", str(out)]) == 0
    record = json.loads((out / "results.json").read_text())
    assert record["decisions"]["split"] == "per-user(test_share=0.2, repeats=1)"
    assert record["decisions"]["systems"]["kNN"].startswith("user-kNN(k=3, ")
    assert record["seed"] == 5
    assert "report: " in capsys.readouterr().out


def test_the_store_is_the_one_that_is_named(file: Path, tmp_path: Path, capsys: Captured) -> None:
    out, mine = str(tmp_path / "out"), tmp_path / "mine"
    assert main(["run", str(file), "--out", out, "--store", str(mine)]) == 0
    assert Store(mine).sizes()
    assert not (tmp_path / "store").exists()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--charts", "svg"], "--charts: say with --out DIR where charts go"),
        (["--out", "o", "--charts", "bmp"], '--charts: "bmp" is not one of'),
        (["--out", "o", "--set", "x"], '--set "x": give it as PATH=VALUE'),
        (["--out", "o", "--set", "sed=1"], 'Did you mean "seed"?'),
        (["--out", "o", "--set", "split.test_share=2"], "split.test_share: 2 is not a number"),
        (["--dry-run", "--set", "data=nowhere.csv"], "nowhere.csv: there is no such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, arguments: list[str],
    message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(file.parent)
    assert main(["run", str(file), *arguments]) == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert all(line.startswith("cranfield: ") for line in shown.err.splitlines())
    assert not (file.parent / "o").exists()


def test_every_problem_of_a_file_has_a_line(tmp_path: Path, capsys: Captured) -> None:
    file = file_of(tmp_path, relevance="x", ties="x", sed=1)
    assert main(["run", str(file), "--dry-run"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"cranfield: {file}, ") for line in lines)


def test_a_file_in_the_place_of_the_folder_is_told_before_the_work(
    file: Path, capsys: Captured
) -> None:
    assert main(["run", str(file), "--out", str(file)]) == 1
    shown = capsys.readouterr().err
    assert "a file of that name is in the way" in shown
    assert "design" not in shown, "nothing was begun"


def test_hostile_names_cannot_steer_the_terminal(tmp_path: Path, capsys: Captured) -> None:
    names = ("\x1b[31mred\x07", "<script>alert(1)</script>", "a\r\nb", "$x_1$")
    systems = {name: f"user-kNN(k={place + 2})" for place, name in enumerate(names)}
    file = file_of(tmp_path, systems=systems, study={"vary": {"cutoff": [3, 5]}, "draws": 50})
    out = tmp_path / "out"
    assert main(["run", str(file), "--out", str(out), "--store", "none"]) == 0
    shown = capsys.readouterr()
    for text in (shown.out, shown.err):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert "<script>alert(1)</script>" in shown.out
    assert "$x_1$" in shown.out


def test_verifying_what_is_no_folder_of_results_is_told(tmp_path: Path, capsys: Captured) -> None:
    assert main(["verify", str(tmp_path)]) == 1
    assert "results.json" in capsys.readouterr().err


@pytest.mark.long
def test_charts_are_written_on_request(file: Path, capsys: Captured) -> None:
    out = file.parent / "out"
    assert main(["run", str(file), "--out", str(out), "--charts", "svg"]) == 0
    assert list((out / "charts").glob("*.svg"))
    assert main(["verify", str(out)]) == 0
    capsys.readouterr()


def test_an_experiment_of_runs_tells_all_that_evaluate_tells(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("test.csv").write_text("user,item,rating\n1,1,5\n1,2,2\n2,1,1\n2,4,5\n")
    Path("mine.csv").write_text("user,item,score\n1,1,9\n1,77,8\n2,1,9\n2,4,8\n")
    Path("users.csv").write_text("user,sex\n1,f\n2,m\n")
    Path("runs.toml").write_text(
        'split = "given(test=test.csv)"\nrelevance = 4\nmetrics = ["P@2"]\n'
        'by = ["users.csv:sex"]\nruns = { mine = "mine.csv" }\n'
    )
    assert main(["run", "runs.toml", "--out", "out", "--store", "none"]) == 0
    shown = capsys.readouterr().out
    asked = ["--judgments", "test.csv", "--relevance", "4", "-m", "P@2", "--by", "users.csv:sex"]
    assert main(["evaluate", *asked, "--run", "mine=mine.csv"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert [line for line in told if line not in shown.splitlines()] == []
    assert any(line.split() == ["a", "random", "ranking", "–"] for line in told)
    page = Path("out/report.html").read_text()
    assert "77" in next(note for note in told if note.startswith("note: mine: "))
    assert page.count("Neither training ratings nor a catalogue is given") >= 1
    assert "mine: 1 row names 1 item" in page
    assert main(["verify", "out"]) == 0
    capsys.readouterr()
