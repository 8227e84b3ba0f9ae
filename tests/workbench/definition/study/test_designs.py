"""The designs of a study: which answer counts, how it is shown, and who is to blame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadExperiment
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import read_study
from experiment_cases import study_of, table_of, write_ratings

DOTTED = {"my.model": "user-kNN(k=5)", "Popularity": "Popularity"}


def designs_of(study: dict[str, Any], **changes: Any) -> Universe:
    return Universe(study_of(study, **changes))


def test_a_system_with_dots_in_its_name_can_be_varied() -> None:
    found = designs_of({"vary": {"systems": {"my.model": {"k": [3, 4]}}}}, systems=DOTTED)
    assert [str(each.experiment.systems["my.model"]) for each in found.designs] == [
        "user-kNN(k=3)", "user-kNN(k=4)",
    ]  # fmt: skip
    assert found.decisions().columns == ['systems."my.model".k']


def test_what_a_study_writes_of_such_a_system_is_read_again() -> None:
    study = study_of({"vary": {'systems."my.model".k': [3, 4]}}, systems=DOTTED)
    again = read_study(study.to_table())
    assert again == study
    assert len(Universe(again).designs) == 2


def test_parameters_are_set_after_the_decisions_they_belong_to() -> None:
    study = {
        "vary": {"split.test_share": [0.3, 0.5]},
        "together": {"protocol": {"A": {"split": "random"}, "B": {"split": "per-user"}}},
    }
    assert [str(each.experiment.split) for each in designs_of(study).designs] == [
        "random(test_share=0.3)", "per-user(test_share=0.3)",
        "random(test_share=0.5)", "per-user(test_share=0.5)",
    ]  # fmt: skip


def test_truth_values_are_shown_as_files_write_them() -> None:
    found = designs_of({"vary": {"systems.kNN.binarised": [False, True]}}, relevance=4)
    assert found.decisions().rows() == [("false",), ("true",)]
    assert found.base == 0


def test_a_decision_that_does_not_apply_to_a_metric_is_told_apart() -> None:
    found = designs_of({"vary": {"metric": ["P", "RBP(p=0.8)"], "gain": ["binary", "exponential"]}})
    assert found.decisions().rows() == [
        ("P", None), ("RBP(p=0.8)", "binary"), ("RBP(p=0.8)", "exponential"),
    ]  # fmt: skip


def test_designs_that_differ_after_the_scores_share_their_rankings() -> None:
    study = {"vary": {"coverage": ["full", "common"], "aggregation": ["mean", "median"]}}
    assert len({id(each.cell) for each in designs_of(study).designs}) == 1
    other = designs_of({"vary": {"relevance": [3, 4]}}).designs
    assert other[0].cell != other[1].cell


@settings(deadline=None, max_examples=8)
@given(st.integers(1, 4), st.integers(1, 3), st.floats(0.05, 1))
def test_a_share_of_the_cross_is_tried(cutoffs: int, relevances: int, share: float) -> None:
    vary = {"cutoff": list(range(1, cutoffs + 1)), "relevance": list(range(1, relevances + 1))}
    whole = designs_of({"vary": vary}).decisions().rows()
    some = designs_of({"vary": vary, "share": share}).decisions().rows()
    assert len(whole) == cutoffs * relevances
    assert len(some) == max(1, round(share * len(whole)))
    assert [row for row in whole if row in some] == some


def test_all_wrong_answers_are_told_at_once_and_where_they_stand() -> None:
    table = table_of() | {
        "study": {
            "vary": {"cutoff": [0, 5, "x"], "split.shar": [0.2], "relevance": ["much"]},
            "together": {"protocol": {"A": {"targets": "nowhere"}, "B": {"ties": "item-id"}}},
        }
    }
    with pytest.raises(BadExperiment) as caught:
        Universe(read_study(table, "study.toml")).designs  # noqa: B018
    told = str(caught.value).splitlines()
    assert all(line.startswith("study.toml, study.") for line in told)
    assert {line.partition(": ")[0].removeprefix("study.toml, ") for line in told} == {
        "study.vary.split.shar", "study.vary.relevance", "study.together.protocol.A.targets",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({"cutoff": [0]}, "study.vary.cutoff: 0 is not a whole number from 1 to 2147483647"),
        ({"metric": ["P", "Q"]}, 'study.vary.metric: no metric is called "Q"'),
        ({"gain": ["big"]}, 'study.vary.gain: no gain is called "big"'),
        ({"metric": ["RBP(0.8)"]}, "study.vary.metric: .*name its parameters"),
        ({"nothing": [1]}, "study.vary.nothing: experiment has no decision"),
        ({"seed.x": [1]}, "study.vary.seed.x: seed: it has no part x"),
    ],
)
def test_a_wrong_answer_is_blamed(vary: dict[str, Any], message: str) -> None:
    with pytest.raises(BadExperiment, match=message):
        designs_of({"vary": vary}).designs  # noqa: B018


def test_files_beside_a_study_are_found_again_wherever_it_is_written(tmp_path: Path) -> None:
    rows: list[tuple[Any, Any, float]] = [(u, i, 4 + u % 2) for u in range(6) for i in range(6)]
    write_ratings(tmp_path / "mine.csv", rows)
    study = {
        "vary": {"systems.kNN.k": [3, 4]},
        "together": {
            "t": {
                "A": {"data": {"source": "mine.csv", "duplicates": "last"}},
                "B": {"data": "mine.csv"},
            }
        },
    }
    made = read_study(table_of() | {"study": study}, "study.toml", tmp_path)
    found = str(tmp_path / "mine.csv")
    assert made.together["t"] == {
        "A": {"data": {"source": found, "duplicates": "last"}},
        "B": {"data": found},
    }
    alone = {"vary": {"data": ["mine.csv", "simulated(size=tiny)"]}}
    varied = read_study(table_of() | {"study": alone}, "study.toml", tmp_path)
    assert varied.vary["data"] == (found, "simulated(size=tiny)")
    again = read_study(made.to_table(), "out/experiment.toml", tmp_path / "out")
    assert (again.vary, again.together) == (made.vary, made.together)
    assert len(Universe(again).designs) == 4
