"""The examples for other tools run, where the tool is installed: Hydra, DVC, Snakemake."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.yaml_files import yaml_table

EXAMPLES = Path(__file__).parent.parent / "examples"
Run = Callable[..., subprocess.CompletedProcess[str]]


def needs(library: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(library) is None, reason=f"{library} is not installed")


def copied(tool: str, folder: Path) -> Path:
    """A copy of the example of a tool."""
    return Path(shutil.copytree(EXAMPLES / tool, folder / tool))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a module of Python in a folder, with the command ``cranfield`` of this Python."""
    commands = tmp_path / "commands"
    commands.mkdir()
    command = commands / "cranfield"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cranfield "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(commands), str(Path(sys.executable).parent), os.environ["PATH"]])
    store = str(tmp_path / "store")
    given = {**os.environ, "PATH": path, "CRANFIELD_STORE": store, "DVC_NO_ANALYTICS": "1"}

    def started(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, *words], cwd=folder, env=given, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        done.stdout += done.stderr
        return done

    return started


def test_the_definitions_of_examples_are_read(tmp_path: Path) -> None:
    read_definition(EXAMPLES / "snakemake" / "experiment.toml")
    folder = copied("dvc", tmp_path)
    (folder / "ratings.csv").write_text("user,item,rating\n1,2,5\n")
    read_definition(folder / "experiment.toml")
    conf = EXAMPLES / "hydra" / "conf"
    table = yaml_table((conf / "experiment.yaml").read_text(encoding="utf-8"))
    assert table.pop("defaults") == [{"systems": "neighbours"}, "_self_"]
    for systems in (conf / "systems").iterdir():
        read_table({**table, "systems": yaml_table(systems.read_text(encoding="utf-8"))})


def test_the_commands_of_the_pipeline_pass_the_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As DVC would run them one by one."""
    monkeypatch.chdir(copied("dvc", tmp_path))
    kept = ["--filter", "k-core(k=3)", "--out", "ratings.csv"]
    assert main(["filter", "simulated(size=small)", *kept]) == 0
    assert main(["run", "experiment.toml", "--out", "results", "--store", "none"]) == 0
    gate = ["compare", "results/scores.parquet", "--metric", "nDCG@10", "--test", "t"]
    assert main([*gate, "--fail-if", "new < old - 5 %"]) == 0
    assert '--fail-if "new < old - 5 %": nDCG@10: ' in capsys.readouterr().err


@pytest.mark.slow
@needs("hydra")
def test_hydra_composes_overrides_and_sweeps(tmp_path: Path, run: Run) -> None:
    folder = copied("hydra", tmp_path)
    done = run(folder, "evaluate.py", "seed=5", "systems=factors", "hydra.run.dir=one")
    assert done.returncode == 0, done.stdout
    record = json.loads((folder / "one" / "results" / "results.json").read_text())
    assert record["seed"] == 5
    assert set(record["systems"]) == {"WRMF", "Popularity"}
    done = run(folder, "evaluate.py", "--multirun", "systems.kNN.k=5,20", "hydra.sweep.dir=many")
    assert done.returncode == 0, done.stdout
    found = sorted((folder / "many").glob("*/results/results.json"))
    spelled = [json.loads(each.read_text())["decisions"]["systems"]["kNN"] for each in found]
    assert ["k=5" in spelled[0], "k=20" in spelled[1]] == [True, True]


@pytest.mark.slow
@needs("dvc")
def test_dvc_repeats_what_is_stale_and_stops_at_the_gate(tmp_path: Path, run: Run) -> None:
    folder = copied("dvc", tmp_path)
    assert run(folder, "-m", "dvc", "init", "--no-scm", "--quiet").returncode == 0
    done = run(folder, "-m", "dvc", "repro")
    assert done.returncode == 0, done.stdout
    assert (folder / "results" / "report.html").exists()
    assert json.loads((folder / "gate.json").read_text())["gates"][0]["failed"] is False
    assert "up to date" in run(folder, "-m", "dvc", "repro").stdout
    definition = folder / "experiment.toml"
    text = definition.read_text().replace('new = "user-kNN(k=20)"', 'new = "Random"')
    definition.write_text(text)
    done = run(folder, "-m", "dvc", "repro")
    assert done.returncode != 0
    assert "exited with 4" in done.stdout


@pytest.mark.slow
@needs("snakemake")
def test_snakemake_runs_every_seed_once(tmp_path: Path, run: Run) -> None:
    folder = copied("snakemake", tmp_path)
    done = run(folder, "-m", "snakemake", "--cores", "1")
    assert done.returncode == 0, done.stdout
    table = pl.read_csv(folder / "seeds.csv")
    assert table["seed"].unique().sort().to_list() == [1, 2, 3]
    assert len(table) == 3 * 2
    assert "Nothing to be done" in run(folder, "-m", "snakemake", "--cores", "1").stdout
