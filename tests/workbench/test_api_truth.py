"""The verb that holds designs against the truth is the command, from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import OptionError
from cranfield.base.files import json_text
from cranfield.workbench.cli.main import main
from experiment_cases import TABLE

BASE: dict[str, Any] = {**TABLE, "data": "simulated(size=tiny)"}
STUDY: dict[str, Any] = {**BASE, "study": {"vary": {"targets": ["all-items", "condensed"]}}}
TOML = """
data = "simulated(size=tiny)"
split = "per-user(test_share=0.3)"
relevance = 4
seed = 1
metrics = ["nDCG@5"]
systems = { kNN = "user-kNN(k=5)", Popularity = "Popularity" }
study.vary.targets = ["all-items", "condensed"]
"""


def recorded(folder: Path, *more: str) -> Any:
    """What the command writes."""
    path, written = folder / "study.toml", folder / "truth.json"
    words = ["assess", "truth", str(path), "--json", str(written), "--store", "none"]
    assert main([*words, *more]) == 0
    return json.loads(written.read_text())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, []),
        ({"worlds": 2, "metric": "P@5"}, ["--worlds", "2", "--metric", "P@5"]),
    ],
)
def test_the_verb_and_the_command_agree(
    given: dict[str, Any], words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "study.toml").write_text(TOML)
    made = cf.assess_truth(tmp_path / "study.toml", **given)
    (part,) = recorded(tmp_path, *words)["parts"]
    assert part == json.loads(json_text(made.to_dict()))


def test_data_that_are_resembled_are_given_as_to_any_verb(tmp_path: Path) -> None:
    ratings = cf.read("simulated(size=tiny)")
    cf.write_ratings(ratings, tmp_path / "ratings.csv")
    by_file = cf.assess_truth(STUDY, like=tmp_path / "ratings.csv", worlds=1)
    by_table = cf.assess_truth(STUDY, like=ratings.to_polars(), worlds=1)
    own = cf.assess_truth({**STUDY, "data": ratings.to_polars()}, like=True, worlds=1)
    assert "simulated_data" in by_file.tables
    for made in (by_table, own):
        assert made.reading == by_file.reading
        assert made.tables["true_values"].equals(by_file.tables["true_values"])


@pytest.mark.parametrize("worlds", [0, -1, True])
def test_a_number_of_worlds_that_is_none_is_refused(worlds: int) -> None:
    with pytest.raises(OptionError, match="worlds"):
        cf.assess_truth(STUDY, worlds=worlds)


def test_what_has_no_truth_or_varies_nothing_is_refused() -> None:
    with pytest.raises(OptionError, match="it varies nothing"):
        cf.assess_truth(BASE)
    with pytest.raises(OptionError, match=r"Leave out --like \(in Python: like\)"):
        cf.assess_truth(STUDY, like=True)
    with pytest.raises(OptionError):
        cf.assess_truth({**STUDY, "data": cf.read("simulated(size=tiny)").to_polars()})
