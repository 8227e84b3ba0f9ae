"""The files of checklists: those that ship are sound, and one of the user's is read or refused."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment, BadParameter, MissingFile
from cranfield.workbench.review.facts import FACTS
from cranfield.workbench.review.questions import read_questions, venues
from experiment_cases import table_of

OWN = """
title = "Our workshop"
extends = "acm"
items = ["tuning"]

[[item]]
name = "ethics"
asks = "Who may be harmed?"
do = "Say who."

[[item]]
name = "cost"
topic = "Material"
asks = "What did it cost?"
facts = ["compute"]
sources = ["us"]

[sources]
us = "Our own rules"

[answers]
archive = "https://doi.org/10.5281/zenodo.1"
ethics = "Nobody."
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def shipped(name: str) -> dict[str, object]:
    place = files("cranfield.workbench.review").joinpath("checklists", f"{name}.toml")
    return tomllib.loads(place.read_text(encoding="utf-8"))


def test_every_item_that_ships_is_sound() -> None:
    table = shipped("items")
    items, sources = table["items"], table["sources"]
    assert isinstance(items, list)
    assert isinstance(sources, dict)
    names = [each["name"] for each in items]
    assert len(set(names)) == len(names)
    for each in items:
        assert each["asks"].endswith("?"), each
        assert each.get("facts") or each.get("do"), each
        assert set(each.get("facts", ())) <= set(FACTS), each
        assert each["sources"], each
        assert set(each["sources"]) <= set(sources), each
    assert {key for each in items for key in each["sources"]} == set(sources)


def test_every_fact_is_asked_for_and_every_item_is_on_the_list_of_all() -> None:
    every = read_questions("all").items
    assert {fact for each in every for fact in each.facts} == set(FACTS)
    items = shipped("items")["items"]
    assert isinstance(items, list)
    assert [each["name"] for each in items] == [each.name for each in every]


@pytest.mark.parametrize("venue", venues())
def test_lists_that_ship_name_no_item_twice_and_cite_who_asks(venue: str) -> None:
    table, read = shipped(venue), read_questions(venue)
    assert [each.name for each in read.items] == table["items"]
    assert venue == "all" or read.source in read.sources


def test_a_file_extends_a_venue_with_items_and_answers(tmp_path: Path) -> None:
    made = cf.checklist(cf.run(table_of()), written(tmp_path, OWN))
    found = {each.name: each for each in made.items}
    acm = [each.name for each in read_questions("acm").items]
    assert list(found) == [*acm, "tuning", "ethics", "cost"]
    assert made.title == "Our workshop"
    assert found["archive"].state == "answered"
    assert found["archive"].by_authors
    assert found["archive"].answer == "https://doi.org/10.5281/zenodo.1"
    assert found["archive"].advice == ""
    assert (found["ethics"].topic, found["ethics"].state) == ("Further", "answered")
    assert found["cost"].answer.endswith(" s.")
    assert not found["licence"].by_authors
    assert made.sources["us"] == "Our own rules"


def test_authors_answer_what_results_answer_in_part(tmp_path: Path) -> None:
    text = 'title = "X"\nitems = ["tuning"]\n[answers]\ntuning = "By grid search on validation."'
    (item,) = cf.checklist(cf.run(table_of()), written(tmp_path, text)).items
    assert item.state == "answered"
    assert item.answer.startswith("By grid search on validation. Nothing is recorded")
    assert item.advice == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", 'items: at least one is needed, such as ["data"'),
        ("items = ['dta']", 'items: there is no item "dta". Did you mean "data"?'),
        ("items = [3]", "items: there is no item 3."),
        ("items = 'all'", 'items: there is no item "all".'),
        ("itms = ['data']", 'itms: a checklist has no such key. Did you mean "items"?'),
        ("extends = 'sigir'", 'extends: "sigir" is not one of acm, all, recsys, tors.'),
        ("title = 3\nitems = ['data']", "title: 3 is not text."),
        ("item = 3", "item: it is not a list of tables: write [[item]]."),
        ("[[item]]\nname = 'x'", "item[0].asks: it is needed."),
        ("[[item]]\nname = 'x'\nasks = 'y?'", "item[0].do: say what to do, as no fact answers it."),
        ("[[item]]\nname = 'x'\nasks = 'y?'\nfacts = ['splt']",
         'item[0].facts: there is no fact "splt". Did you mean "split"?'),
        ("[[item]]\nname = 'x'\nasks = 'y?'\nfacts = 'split'",
         'item[0].facts: "split" is not a list.'),
        ("[[item]]\nname = 'x'\nasks = 'y?'\ndo = 'z'\nwhy = 'w'",
         "item[0].why: an item has no such key."),
        ("items = ['data']\n[answers]\ntuning = 'x'", "answers.tuning: it has no such item."),
        ("items = ['data']\n[answers]\ndata = 3", "answers: it is not a table of texts."),
        ("items = [", "mine.toml: "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadExperiment) as caught:
        read_questions(written(tmp_path, text))
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_all_problems_are_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadExperiment) as caught:
        read_questions(written(tmp_path, "items = ['dta']\nextends = 'x'\ntitle = 1"))
    assert str(caught.value).count("mine.toml") == 3


def test_a_venue_that_there_is_not_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match='"sigir" is not one of acm, all, recsys, tors, or a'):
        read_questions("sigir")
    with pytest.raises(BadParameter, match='Did you mean "tors"'):
        read_questions("tor")
    with pytest.raises(MissingFile, match=r"mine\.toml"):
        read_questions(tmp_path / "mine.toml")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadExperiment, match=r"mine\.toml"):
        read_questions(tmp_path / "mine.toml")
