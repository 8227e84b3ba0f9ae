"""Which decisions a study can vary, and what is said of others."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.workbench.definition.study.varied import paths_of, problems_of

NAMES = ("kNN", "MF")


def problem(path: str, names: tuple[str, ...] | None = NAMES) -> str | None:
    found = problems_of({path: [1, 2]}, {}, names)
    assert [place for place, _ in found] in ([], [f"study.vary.{path}"])
    return found[0][1] if found else None


@pytest.mark.parametrize(
    "path", ["metric", "cutoff", "split.test_share", "comparison.test", "comparison.test.draws"]
)
def test_decisions_of_a_design_can_vary(path: str) -> None:
    assert problem(path) is None


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("metrics", "`cutoff`"),
        ("systems", "systems.kNN.k"),
        ("runs", "runs.mine"),
        ("title", "decides nothing"),
        ("comparison", "comparison.test"),
        ("comparison.alpha", "comparison.test"),
    ],
)
def test_what_holds_for_all_designs_is_told_with_what_can_vary(path: str, instead: str) -> None:
    assert instead in str(problem(path))


@pytest.mark.parametrize("path", ["systems.kNN.k", "runs.MF"])
def test_parameters_of_a_system_that_is_there_can_vary(path: str) -> None:
    assert problem(path) is None


def test_a_system_that_is_not_there_is_told_with_the_near_name() -> None:
    assert problem("systems.kNM.k") == 'there is no system "kNM". Did you mean "kNN"?'


def test_any_system_may_be_named_where_none_is_known_yet() -> None:
    assert problem("systems.kNM.k", None) is None


def test_a_path_that_cannot_be_read_is_told() -> None:
    assert problem("split..test_share") is not None


@pytest.mark.parametrize(
    "together", [3, ["AR"], {"protocol": {}}, {"protocol": "AR"}, {"protocol": {"AR": "x"}}]
)
def test_answers_that_go_together_are_named(together: Any) -> None:
    [(place, said)] = problems_of({}, together, NAMES)
    assert place == "study.together"
    assert "protocol.AR" in said


def test_a_factor_has_a_name_of_its_own() -> None:
    together = {"cutoff": {"AR": {"targets": "all"}}}
    [(place, _)] = problems_of({"cutoff": [5, 10]}, together, NAMES)
    assert place == "study.together.cutoff"


def test_wrong_paths_of_answers_are_told_by_their_place() -> None:
    together = {"protocol": {"AR": {"title": "x", "targets": "all"}}}
    [(place, _)] = problems_of({}, together, NAMES)
    assert place == "study.together.protocol.AR.title"


def test_a_decision_is_answered_by_one_factor() -> None:
    together = {"protocol": {"AR": {"targets": "all"}, "1R": {"targets": "test-items"}}}
    [(place, said)] = problems_of({"targets": ["all"]}, together, NAMES)
    assert place == "study.together.protocol"
    assert said == "study.vary.targets answers targets too; only one can."


def test_two_factors_of_answers_do_not_share_a_decision() -> None:
    together = {"a": {"x": {"split.test_share": 0.1}}, "b": {"y": {"split": {"test_share": 0.2}}}}
    [(place, said)] = problems_of({}, together, NAMES)
    assert place == "study.together.b"
    assert said.startswith("study.together.a answers split.test_share too")


def test_tables_in_tables_are_paths() -> None:
    table = {"split": {"test_share": 0.1, "by": {"user": 2}}, "cutoff": 5}
    assert dict(paths_of(table)) == {"split.test_share": 0.1, "split.by.user": 2, "cutoff": 5}


@pytest.mark.parametrize("whole", [{"name": "nDCG", "cutoff": 3}, {"source": "ml-100k"}])
def test_a_table_that_is_an_option_or_data_stays_whole(whole: dict[str, Any]) -> None:
    assert list(paths_of({"metric": whole})) == [("metric", whole)]
