"""Every reproduction runs in its small edition, and none of its claims is dropped."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import OptionError
from cranfield.base.files import json_text
from cranfield.view.page.reproductions import items_page
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study.study import read_study
from cranfield.workbench.reproduction.files import item_of
from cranfield.workbench.reproduction.records import reproduction_schema
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import (
    Panel,
    Reproduction,
    find_reproductions,
    names,
    read_reproduction,
)
from cranfield.workbench.reproduction.running import answered, choose_panel
from cranfield.workbench.store.store import Store

jsonschema = pytest.importorskip("jsonschema")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store"))


LONG = (
    "canamares2020-figure-8", "valcarce2020-figure-1", "valcarce2020-figure-8",
    "valcarce2020-figure-9", "valcarce2020-figure-14",
)  # fmt: skip
"""Those that take seconds are left to the slow suite."""


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow) if each in LONG else each for each in names()],
)
def test_the_small_edition_shows_everything_and_judges_every_claim(name: str, store: Store) -> None:
    made = reproduce(read_reproduction(name), store, small=True)
    assert made.shown
    assert all(len(each.rows) for each in made.shown)
    assert all(each.verdict.total("paper").tested for each in made.judgments)
    if made.reproduction.fault is not None:
        assert all(each.verdict.total("fault").tested for each in made.judgments)
    assert len(made.judgments) == len(made.reproduction.claims) > 0
    record = json.loads(json_text({"items": [made.to_dict()]}))
    jsonschema.Draft202012Validator(reproduction_schema()).validate(record)
    assert items_page([item_of(record["items"][0])])
    for shown, kept in zip(made.shown, record["items"][0]["shows"], strict=True):
        assert list(kept["labels"].values()) == shown.rows.columns


def test_items_are_found_however_they_are_called() -> None:
    found = [find_reproductions("Canamares2020", item) for item in ("Figure 2", "fig2", "figure-2")]
    assert [each.item for (each,) in found] == ["Figure 2"] * 3


def test_an_unknown_paper_or_item_is_told_with_what_there_is() -> None:
    with pytest.raises(OptionError, match=r"There are .*canamares2020"):
        find_reproductions("canamares2021")
    with pytest.raises(OptionError, match='has no "Figure 99"'):
        find_reproductions("canamares2020", "Figure 99")


def test_names_of_files_are_those_of_their_items() -> None:
    root = Path(__file__).parents[3] / "src/cranfield/workbench/reproduction/papers"
    assert {path.stem for path in root.glob("*-*.toml")} == {
        read_reproduction(name).name for name in names()
    }


def test_the_systems_of_valcarce_are_those_that_the_validation_part_chose() -> None:
    place = files("cranfield.recommendation").joinpath("published.toml")
    chosen = tomllib.loads(place.read_text())["ml-1m"]
    made = read_reproduction("valcarce2020-table-3")
    assert made.definition["systems"] == chosen
    for panel in made.panels:
        assert panel.answers.get("systems", {}).items() <= chosen.items()


def test_mf_of_canamares_was_chosen_on_another_seed_than_those_of_its_claims() -> None:
    text = (Path(__file__).parents[3] / "benchmarks/tune_canamares.py").read_text(encoding="utf-8")
    [chosen] = [int(found) for found in re.findall(r'"seed": (\d+)', text)]
    made = [
        each for each in find_reproductions("canamares2020") if "MF" in each.definition["systems"]
    ]
    assert len(made) == 9
    assert all(each.definition["seed"] > chosen for each in made)


def test_a_p_that_is_printed_twice_is_asked_the_same() -> None:
    """Figure 2 of canamares2020 repeats a p of Table 2, with the means that it does not suit."""
    figure, table = map(read_reproduction, ("canamares2020-figure-2", "canamares2020-table-2"))
    [row] = figure.published
    named = [each for each in table.published if each["p"] == row["p"]]
    assert [{**each, "metric": "", "ratio": 0.5} for each in named] == [{**row, "metric": ""}]


def answers_of(made: Reproduction, panel: Panel, small: bool, faulty: bool) -> dict[str, Any]:
    """The answers of a panel, and those of a fault over them."""
    answers = dict(choose_panel(panel, made, small)[1])
    if faulty and made.fault is not None:
        answers |= {**made.fault.answers, **(made.fault.small if small else {})}
    return answers


@pytest.mark.parametrize("name", names())
def test_every_definition_reads_whole_small_and_with_its_fault(name: str) -> None:
    made = read_reproduction(name)
    for panel, small, faulty in itertools.product(made.panels, (False, True), (False, True)):
        table = answered(made, answers_of(made, panel, small, faulty))
        read = read_study(table, name).base if "study" in table else read_table(table, name)
        assert set(made.called) <= {str(metric) for metric in read.metrics}
        if faulty and made.fault is not None:
            assert "as=rec_eval" in " ".join(map(str, (read.aggregation, *read.assess)))


def test_only_what_is_known_is_declared_of_a_reproduction() -> None:
    """A misspelled table would be passed over."""
    known = {
        "paper", "item", "title", "small", "panels", "shows", "claims", "tables", "published",
        "authors", "called", "fault", "later", "differs", "based_on",
    }  # fmt: skip
    folder = files("cranfield.workbench.reproduction").joinpath("papers")
    for place in folder.iterdir():
        given = tomllib.loads(place.read_text(encoding="utf-8"))["reproduction"]
        assert set(given) <= known, place.name
