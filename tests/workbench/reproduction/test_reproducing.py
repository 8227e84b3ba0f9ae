"""Reproductions: how claims are judged, panels chosen, and all of it written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield
from cranfield.base.errors import OptionError
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.reproduction import reproducing, reproduction
from cranfield.workbench.reproduction.files import figures_held, item_of, write_reproduced
from cranfield.workbench.reproduction.records import frame_of
from cranfield.workbench.reproduction.reproducing import Reproduced, Shown, judge_claim, reproduce
from cranfield.workbench.reproduction.reproduction import (
    Claim,
    Panel,
    Reproduction,
    Show,
    find_reproductions,
    fold_item,
    names,
    read_reproduction,
)
from cranfield.workbench.store.store import Store
from experiment_cases import TABLE

CLAIM = Claim("More is more.", "SELECT panel, value, value > 1 AS holds FROM figures")


def figures(*rows: tuple[str, float | None]) -> dict[str, pl.DataFrame]:
    return {"figures": pl.DataFrame(rows, schema=["panel", "value"], orient="row")}


@pytest.mark.parametrize(
    ("values", "state", "held", "tested"),
    [
        ([2.0, 3.0], "holds", 2, 2),
        ([2.0, 1.0, 3.0], "holds in part", 2, 3),
        ([1.0, 0.0], "does not hold here", 0, 2),
        ([2.0, None], "holds", 1, 1),
        ([None], "cannot be tested here", 0, 0),
    ],
)
def test_a_claim_is_judged_by_its_rows(
    values: list[float | None], state: str, held: int, tested: int
) -> None:
    made = judge_claim(CLAIM, figures(*(("ours", value) for value in values)))
    assert (made.state, made.held, made.tested) == (state, held, tested)
    assert len(made.figures) == len(values)


def test_data_that_stand_in_for_the_papers_do_not_count() -> None:
    frames = figures(("ours", 2.0), ("other", 0.0), ("other", 5.0))
    made = judge_claim(CLAIM, frames, ["other"])
    assert (made.state, made.held, made.tested) == ("holds", 1, 1)
    assert (made.held_elsewhere, made.tested_elsewhere) == (1, 2)
    assert figures_held(made) == "1 of 1; on stand-ins 1 of 2"
    only = judge_claim(CLAIM, figures(("other", 2.0)), ["other"])
    assert only.state == "cannot be tested here"


def made_of(**changes: Any) -> Reproduction:
    given: dict[str, Any] = {
        "paper": "someone1999",
        "item": "Table 1",
        "title": "What is popular",
        "definition": {**TABLE, "metrics": ["P@5"]},
        "panels": (Panel("", {}),),
        "small": {"relevance": 3},
        "shows": (Show("Values | all", "SELECT system, value FROM figures ORDER BY system"),),
        "claims": (Claim("Nobody is above 1.", "SELECT value, value <= 1 AS holds FROM figures"),),
        "published": ({"system": "kNN", "value": 0.25},),
    }
    return Reproduction(**{**given, **changes})


def test_positive_ratings_and_the_split_can_be_asked_for() -> None:
    positives = Show("Positive", "SELECT SUM(ratings) AS liked FROM positives")
    tested = Show("Split", "SELECT SUM(ratings) AS ratings, SUM(tested) AS tested FROM split")
    made = reproduce(made_of(shows=(positives, tested), small={}), Store(None))
    ratings = cranfield.read("simulated(size=tiny)")
    experiment = read_table(made.reproduction.definition)
    parts = cranfield.split(ratings, experiment.split, seed=experiment.seed)
    liked, split = (each.rows.row(0) for each in made.shown)
    assert liked == (int((ratings.values >= experiment.relevance).sum()),)
    assert split == (len(ratings), len(parts.test))


def test_the_popularity_of_all_data_of_a_study_can_be_asked_for() -> None:
    show = Show(
        "Top",
        """
        SELECT "data.alpha" AS alpha, MAX(ratings) AS top, SUM(ratings) AS ratings
        FROM popularity_by_data GROUP BY "data.alpha" ORDER BY alpha
    """,
    )
    source = "power-law(users=30, items=20, ratings=200)"
    study = {"draws": 0, "vary": {"data.alpha": [0.0, 1.5], "metric": ["P", "Recall"]}}
    definition = {**TABLE, "data": source, "metrics": ["P@5"], "study": study}
    claim = Claim("Nobody is above 1.", "SELECT value, value <= 1 AS holds FROM figures")
    made = reproduce(made_of(definition=definition, shows=(show,), claims=(claim,)), Store(None))
    flat, steep = made.shown[0].rows.rows()
    assert flat == (0.0, 10, 200)
    assert steep[1] > 10
    assert steep[2] == 200


def test_a_small_edition_takes_its_own_answers() -> None:
    made = reproduce(made_of(), Store(None), small=True)
    assert made.small
    assert made.data == {"": "simulated(size=tiny)"}
    [shown] = made.shown
    assert shown.rows["system"].to_list() == ["Popularity", "Random", "kNN"]
    [judgment] = made.judgments
    assert (judgment.state, judgment.tested) == ("holds", 3)
    assert json.loads(json.dumps(made.to_dict()))["claims"][0]["held"] == 3


def test_a_stand_in_takes_the_place_of_data_that_are_not_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reproducing, "is_at_hand", lambda source: source != "absent")
    panel = Panel("Paper", {"data": "absent"}, {"data": "simulated(size=tiny)"}, "Simulated")
    other = Panel("Other", {"data": {"source": "simulated(size=tiny)"}, "relevance": 3})
    chosen = [reproducing._chosen(each, made_of(), small=False) for each in (panel, other)]
    assert chosen[0] == ("Simulated", {"data": "simulated(size=tiny)"}, True)
    assert chosen[1] == ("Other", dict(other.answers), False)
    assert reproducing._source(chosen[1][1], made_of()) == "simulated(size=tiny)"


def test_lines_of_several_panels_have_a_picture_each() -> None:
    rows = pl.DataFrame({"x": [1, 1], "y": [2, 3], "s": ["a", "a"], "panel": ["P", "Q"]})
    show = Show("Curves", "", "lines", "x", "y")
    found = reproducing._shown(show, rows)
    assert [each.show.title for each in found] == ["Curves, P", "Curves, Q"]
    assert all("panel" not in each.rows.columns for each in found)
    assert [each.show.title for each in reproducing._shown(Show("T", ""), rows)] == ["T"]


def test_what_was_made_is_written_whole(tmp_path: Path) -> None:
    made = reproduce(made_of(differs="It  differs\nin a word."), Store(None), small=True)
    write_reproduced([made], tmp_path / "out")
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == ["reproduction.html", "reproduction.json", "reproduction.md"]
    text = (tmp_path / "out" / "reproduction.md").read_text()
    assert text.startswith("1 claim of 1 table or figure: 1 holds.\n")
    assert "| someone1999, Table 1 | Nobody is above 1. | holds (3 of 3) |" in text
    assert "\nIt differs in a word.\n" in text
    record = json.loads((tmp_path / "out" / "reproduction.json").read_text())
    shown = record["items"][0]["shows"][0]
    assert shown["rows"][0]["system"] == "Popularity"
    assert shown["labels"]["system"] == "system"
    assert frame_of(shown, "rows").equals(made.shown[0].rows)


def test_an_item_names_its_data_and_stand_ins() -> None:
    shown = (Shown(Show("T", ""), pl.DataFrame({"value": [1.0]})),)
    made = Reproduced(made_of(), shown, (), {"A": "ml-1m", "B": "x.csv"}, ("B",), False, 1.0)
    item = item_of(made)
    assert item.name == "someone1999-table-1"
    assert item.data == "A: ml-1m, B: x.csv"
    assert item.notes == ("B: the paper's data are not available.",)


def test_items_are_in_the_order_of_the_papers() -> None:
    found = names()
    assert found == sorted(found, key=reproduction._in_order)
    assert found.index("bellogin2017-figure-5") + 1 == found.index("bellogin2017-figure-5-right")
    kinds = [name for name in found if name.startswith("canamares2020")]
    assert kinds[0] == "canamares2020-table-1"
    assert kinds.index("canamares2020-figure-1") > kinds.index("canamares2020-table-4")


def test_the_thesis_is_run_as_the_article_is() -> None:
    """Figures 4.1 to 4.7 are Figures 2 to 8 of bellogin2017, apart from what is said of them."""
    every = {each.name: each for each in find_reproductions()}
    thesis = [each for each in every.values() if each.paper == "bellogin2012"]
    assert len(thesis) == 9
    for each in thesis:
        number, _, side = each.item.removeprefix("Figure 4.").partition(" ")
        name = f"bellogin2017-figure-{int(number) + 1}{'-right' if side else ''}"
        article = every[name]
        assert each.definition == article.definition
        assert (each.shows, each.claims) == (article.shows, article.claims)
        assert "§4." in each.title


def test_order_does_not_depend_on_the_file_system() -> None:
    some = ["p-figure-5-right", "p-figure-10", "p-figure-5", "p-table-2", "a-figure-1"]
    for given in (some, some[::-1]):
        assert sorted(given, key=reproduction._in_order) == [
            "a-figure-1", "p-table-2", "p-figure-5", "p-figure-5-right", "p-figure-10",
        ]  # fmt: skip


def test_what_files_share_is_below_what_they_say_themselves() -> None:
    for name in names():
        made = read_reproduction(name)
        assert made.name == name
        assert fold_item(made.item) == name.partition("-")[2]
        assert "reproduction" not in made.definition


@pytest.mark.parametrize("item", ["Table 2", "table2", "tab2", "TABLE-2", "tab 2"])
def test_an_item_is_found_however_it_is_called(item: str) -> None:
    [found] = find_reproductions("Canamares2020", item)
    assert found.item == "Table 2"


def test_a_near_name_is_offered() -> None:
    with pytest.raises(OptionError, match=r'Did you mean "canamares2020"\? There are bellogin2012'):
        find_reproductions("canamares2000")
    with pytest.raises(OptionError, match=r'has no "Table 22".*Did you mean "Table 2"'):
        find_reproductions("canamares2020", "Table 22")


def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("it was begun")

    monkeypatch.setattr("cranfield.workbench.cli.reproduce.reproduce", never)
    (tmp_path / "file").write_text("in the way")
    assert main(["reproduce", "canamares2020", "Table 2", "--out", str(tmp_path / "file")]) == 1
    assert "a file of that name is in the way" in capsys.readouterr().err
