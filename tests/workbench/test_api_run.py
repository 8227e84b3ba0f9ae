"""Experiments and studies as Python starts them, and what is said of the wrong one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment, OptionError
from cranfield.workbench.definition.reading import read_table
from experiment_cases import file_of, same_scores, study_of, table_of

STUDY = {"vary": {"cutoff": [3, 5]}, "draws": 0}


def test_a_table_a_file_and_an_object_are_the_same_experiment(tmp_path: Path) -> None:
    table = table_of(metrics=["P@5"])
    path = file_of(tmp_path, metrics=["P@5"])
    made = [cf.run(given) for given in (table, str(path), read_table(table))]
    assert all(same_scores(made[0].scores, each.scores) for each in made[1:])


@pytest.mark.parametrize("way", ["table", "object", "file"])
def test_a_study_is_not_run_as_an_experiment(tmp_path: Path, way: str) -> None:
    given: dict[str, Any] = {
        "table": table_of() | {"study": STUDY},
        "object": study_of(STUDY),
        "file": file_of(tmp_path, study=STUDY),
    }
    with pytest.raises(OptionError, match=r"it defines a study\. Use cranfield\.study") as caught:
        cf.run(given[way])
    name = str(given["file"]) if way == "file" else "definition"
    assert str(caught.value).startswith(f"{name}: ")


def test_an_experiment_is_not_run_as_a_study(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"it varies nothing\. Use cranfield\.run"):
        cf.study(file_of(tmp_path))
    for given in (read_table(table_of()), table_of()):
        with pytest.raises(OptionError, match=r"^definition: it varies nothing"):
            cf.study(given)  # type: ignore[arg-type]
    with pytest.raises(BadExperiment, match="at least one decision several answers"):
        cf.study(table_of() | {"study": {}})


def test_what_is_computed_is_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    cf.run(table_of(metrics=["P@5"]), store=tmp_path / "kept")
    assert list((tmp_path / "kept").rglob("*.entry"))
