"""What commands say: of one thing in the singular, of two of one name that there are two."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.workbench.cli.main import main
from experiment_cases import file_of

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of one design, and a definition in YAML."""
    place = tmp_path_factory.mktemp("words")
    systems = {"my.model": "user-kNN(k=5)", "naïve 日本": "Popularity"}
    study = {"vary": {"seed": [0]}, "draws": 0}
    file_of(place, "study.toml", systems=systems, metrics=["P@5"], study=study)
    return place


def test_one_metric_and_one_design_are_verified_in_the_singular(
    folder: Path, capsys: Captured
) -> None:
    out = str(folder / "out")
    assert main(["run", str(folder / "study.toml"), "--out", out, "--store", "none"]) == 0
    capsys.readouterr()
    assert main(["verify", out]) == 0
    assert "users by 1 metric and 1 design are equal bit for bit" in capsys.readouterr().out


def test_names_with_dots_are_set_on_the_command_line(folder: Path, capsys: Captured) -> None:
    run = ["run", str(folder / "study.toml"), "--dry-run", "--store", "none", "--set"]
    assert main([*run, 'systems."my.model".k=7']) == 0
    assert capsys.readouterr().out.startswith("1 design: 1 split, ")
    assert main([*run, 'systems."my.model".x=7']) == 1
    assert 'systems."my.model".x: user-kNN has no parameter "x"' in capsys.readouterr().err
    assert main([*run, "systems.my.model.k=7"]) == 1
    assert 'stands in quotes: systems."my.model".k.' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--system", "a=Popularity", "--system", "a=Random"], '--system: two are called "a"'),
        (["--parts", "neutralised", "--plot", "a.svg"], "--plot: neutralised cannot be drawn"),
        (["--set", "seed=3"], "--set changes the experiment of a file, and no file was given"),
    ],
)
def test_nothing_that_was_asked_for_is_passed_over(
    arguments: list[str], said: str, capsys: Captured
) -> None:
    data = ["--data", "simulated(size=tiny)", "--relevance", "4"]
    assert main(["assess", "bias", *data, *arguments, "--store", "none"]) == 1
    assert said in capsys.readouterr().err


def test_a_seed_beside_a_file_is_not_passed_over(folder: Path, capsys: Captured) -> None:
    assert main(["assess", "bias", str(folder / "study.toml"), "--seed", "3"]) == 1
    assert "give the seed as --set seed=3 with a file" in capsys.readouterr().err


def test_scores_by_an_unknown_metric_are_said_to_be_missing(folder: Path, capsys: Captured) -> None:
    scores = folder / "out" / "scores.parquet"
    if not scores.is_file():
        file = file_of(folder, "one.toml", metrics=["P@5"])
        assert main(["run", str(file), "--out", str(folder / "out"), "--store", "none"]) == 0
    assert main(["compare", str(scores), "-m", "P@6"]) == 1
    said = capsys.readouterr().err
    assert 'there are no scores by "P@6". Did you mean "P@5"? There are those by P@5.' in said


def test_the_same_system_twice_in_yaml_is_refused(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("systems:\n  a: Popularity\n  a: Random\n")
    assert main(["run", str(path), "--dry-run"]) == 1
    assert 'a.yaml: "a" is there twice (at line 3, column 3).' in capsys.readouterr().err
