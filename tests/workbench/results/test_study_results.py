"""What a study says of its pair, and the table of its designs."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import TooFew, UnknownParameter
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.study_results import (
    StudyResults,
    fingerprint_of_designs,
    read_designs,
)
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
    assert table.columns == ["cutoff", "relevance", "values", "pairs", "users", "distinct"]
    assert table["users"].to_list() == designs.users.tolist()
    for row, values in zip(table["values"], designs.values, strict=True):
        reached = zip(designs.systems, values.tolist(), strict=True)
        assert row.to_list() == [{"system": system, "value": value} for system, value in reached]
    for row, effects, p_values in zip(
        table["pairs"], designs.effects, designs.p_values, strict=True
    ):
        named = [(designs.systems[one], designs.systems[two]) for one, two in designs.pairs]
        assert [(each["first"], each["second"]) for each in row] == named
        assert [each["effect"] for each in row] == effects.tolist()
        assert [each["p"] for each in row] == p_values.tolist()
        assert [each["adjusted_p"] for each in row] == [None] * 3


def test_values_and_pairs_have_tables_of_their_own() -> None:
    made = found({"cutoff": [3, 5], "relevance": [3, 4]})
    values, pairs = made.to_polars("values"), made.to_polars("pairs")
    assert values.columns == [
        "design", "cutoff", "relevance", "users", "distinct", "system", "value",
    ]  # fmt: skip
    assert values["value"].to_list() == made.designs.values.ravel().tolist()
    assert values["design"].to_list() == [place for place in (1, 2, 3, 4) for _ in range(3)]
    assert pairs["p"].to_list() == made.designs.p_values.ravel().tolist()
    assert pairs.filter(pl.col("design") == 3)["cutoff"].to_list() == [5.0] * 3
    with pytest.raises(UnknownParameter, match=r'no table "vales".*Did you mean "values"'):
        made.to_polars("vales")


def test_a_decision_about_users_stands_beside_their_number() -> None:
    made = found({"least_train": [1, 5]})
    table = made.to_polars()
    assert table["least_train"].to_list() == [1, 5]
    assert table["users"].to_list() == made.designs.users.tolist()


def test_a_decision_is_not_hidden_by_the_number_of_users() -> None:
    made = found({}, together={"users": {"some": {"least_train": 5}, "all": {"least_train": 1}}})
    table = made.to_polars()
    assert table["decision_users"].to_list() == ["some", "all"]
    assert table["users"].to_list() == made.designs.users.tolist()


@pytest.mark.parametrize("name", ["users", "values", "decision_users", "p", "way"])
def test_decisions_of_any_name_are_read_back(name: str) -> None:
    made = found({}, together={name: {"some": {"least_train": 5}, "all": {"least_train": 1}}})
    read = read_designs(made.to_polars(), made.to_dict()["design_facts"], made.base.evaluated.names)
    assert read.decisions.equals(made.designs.decisions)
    assert fingerprint_of_designs(read) == fingerprint_of_designs(made.designs)


def test_a_study_needs_two_systems() -> None:
    with pytest.raises(TooFew, match="systems"):
        execute_study(study_of({"vary": {"seed": [1, 2]}}, systems={"one": "Popularity"}))
