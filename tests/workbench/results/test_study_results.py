"""What a study says of its pair, and the table of its designs."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.base.errors import TooFew
from cranfield.workbench.execution.studies import execute_study
from cranfield.workbench.results.study_results import StudyResults
from experiment_cases import study_of


def found(vary: dict[str, Any], **study: Any) -> StudyResults:
    return execute_study(study_of({"vary": vary, "draws": 0, **study}, metrics=["P@5"]))


@pytest.mark.parametrize(
    ("vary", "pair", "said"),
    [
        ({"cutoff": [3, 5]}, None, "is the base's two best"),
        ({"cutoff": [3, 4]}, None, "is the base's two best"),
        ({"cutoff": [3, 4]}, ["Random", "kNN"], "is the pair asked for"),
        ({"cutoff": [3, 5]}, ["Random", "kNN"], "is the pair asked for"),
    ],
)
def test_a_pair_is_said_to_be_asked_for_only_if_it_was(
    vary: dict[str, Any], pair: list[str] | None, said: str
) -> None:
    made = found(vary, **({"pair": pair} if pair else {}))
    conclusion = made.conclusion
    assert said in conclusion.verdict.evidence[0]
    reported = f"{conclusion.pair.first} and {conclusion.pair.second}"
    assert f"the pair reported, {reported}, is" in conclusion.verdict.evidence[0]
    if pair:
        assert [conclusion.pair.first, conclusion.pair.second] == pair
    else:
        values = {name: made.base.summary.row(name, "P@5").value for name in made.study.base.names}
        assert reported == " and ".join(sorted(values, key=lambda name: -values[name])[:2])


def test_the_table_has_a_row_per_design_with_its_figures() -> None:
    made = found({"cutoff": [3, 5], "relevance": [3, 4]})
    table, designs = made.to_polars(), made.designs
    assert table.columns[:5] == [
        "cutoff",
        "relevance",
        *(f"value {s}" for s in designs.systems[:3]),
    ]
    assert table["value kNN"].to_list() == designs.values[:, 2].tolist()
    assert table["p Popularity – kNN"].to_list() == designs.p_values[:, 1].tolist()
    assert table["users"].to_list() == designs.users.tolist()


def test_a_decision_about_users_stands_beside_their_number() -> None:
    made = found({"least_train": [1, 5]})
    table = made.to_polars()
    assert table["least_train"].to_list() == [1, 5]
    assert table["users"].to_list() == made.designs.users.tolist()


def test_a_decision_is_not_hidden_by_the_number_of_users() -> None:
    made = found({}, together={"users": {"some": {"least_train": 5}, "all": {"least_train": 1}}})
    table = made.to_polars()
    assert table["users"].to_list() == ["some", "all"]
    assert table["number of users"].to_list() == made.designs.users.tolist()


def test_a_study_needs_two_systems() -> None:
    with pytest.raises(TooFew, match="systems"):
        execute_study(study_of({"vary": {"seed": [1, 2]}}, systems={"one": "Popularity"}))
