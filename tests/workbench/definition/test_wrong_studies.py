"""What is wrong with the table of a study is said before anything is run."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.base.errors import BadExperiment
from cranfield.workbench.definition.study.study import read_study
from cranfield.workbench.definition.study.varied import paths_of
from experiment_cases import table_of

NAMES = ("kNN", "my.model")


def told(study: dict[str, Any], vary: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    table = table_of(systems=dict.fromkeys(NAMES, "Popularity"))
    table["study"] = {**study, "vary": {"seed": [1, 2]} if vary is None else vary}
    try:
        read_study(table)
    except BadExperiment as error:
        return list(error.problems)
    return []


def test_a_study_that_is_right_has_no_problems() -> None:
    right = {"way": "crossed", "share": 0.5, "draws": 0, "pair": ["kNN", "my.model"]}
    assert told(right, {'systems."my.model".k': (1,), "comparison.test": ("t",)}) == []


@pytest.mark.parametrize(
    ("study", "place", "why"),
    [
        ({"wya": "crossed"}, "study.wya", 'study has no decision "wya". Did you mean "way"?'),
        ({"way": "both"}, "study.way", "is not one of crossed, one-at-a-time"),
        ({"share": 0}, "study.share", "0 is not a number above 0 and at most 1"),
        ({"share": True}, "study.share", "true is not a number above 0"),
        ({"draws": 1.5}, "study.draws", "1.5 is not a whole number of at least 0"),
        ({"draws": True}, "study.draws", "true is not a whole number"),
        ({"pair": ["kNN", "kNN"]}, "study.pair", '"kNN" is given twice'),
        ({"pair": ["kNN"]}, "study.pair", "is not a list of 2"),
        ({"way": "one-at-a-time", "share": 0.5}, "study.share", "it is for crossed designs"),
        ({"together": {"seed": {"A": {"ties": "random"}}}}, "study.together.seed", "study.vary"),
        (
            {"together": {"p": {"A": {"seed": 3}}}}, "study.together.p",
            "study.vary.seed answers seed too; only one can",
        ),
        (
            {"together": {"p": {"A": {"ties": "random"}}, "q": {"B": {"ties": "item-id"}}}},
            "study.together.q", "study.together.p answers ties too",
        ),
        ({"together": {"p": {}}}, "study.together", "it is not a table of named answers"),
        (
            {"together": {"p": {"A": {"title": "x"}}}}, "study.together.p.A.title",
            "it decides nothing",
        ),
    ],
)  # fmt: skip
def test_each_problem_has_its_place(study: dict[str, Any], place: str, why: str) -> None:
    [(where, said)] = told(study)
    assert where == place
    assert why in said


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("systems", "all designs compare the same systems"),
        ("systems.nkn.k", 'there is no system "nkn". Did you mean "kNN"?'),
        ("systems.my.model.k", 'there is no system "my"'),
        ("metrics", "a design has one metric"),
        ("comparison.alpha", "only its test is made in every design"),
        ("a..b", "is not a path"),
    ],
)
def test_a_decision_that_cannot_differ_is_refused(path: str, why: str) -> None:
    [(where, said)] = told({}, {path: (1, 2)})
    assert where == f"study.vary.{path}"
    assert why in said


def test_nothing_varied_is_no_study() -> None:
    assert told({}, {}) == [
        ("study.vary", "it must give at least one decision several answers.")
    ]  # fmt: skip


def test_tables_in_tables_are_paths_and_options_are_answers() -> None:
    table = {
        "split": {"test_share": 0.1},
        "systems": {"my.model": {"k": 3}},
        "aggregation": {"name": "median"},
        "a.b": 1,
    }
    assert list(paths_of(table)) == [
        ("split.test_share", 0.1), ('systems."my.model".k', 3),
        ("aggregation", {"name": "median"}), ("a.b", 1),
    ]  # fmt: skip
