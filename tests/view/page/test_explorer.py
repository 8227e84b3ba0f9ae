"""The explorer's data: all designs, to the last digit."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.validity.study.designs import Designs
from cranfield.view.page import explorer
from cranfield.view.page.explorer import explorer_data, explorer_section
from page_reader import read_page
from report_cases import ANSWERS, made_designs


def unpacked(packed: dict[str, str]) -> npt.NDArray[Any]:
    return np.frombuffer(b64decode(packed["data"]), dtype=f"<{packed['type']}")


def test_all_figures_of_all_designs_are_there() -> None:
    designs = made_designs()
    data = explorer_data(designs)
    assert unpacked(data["values"]).tolist() == designs.values.ravel().tolist()
    assert unpacked(data["p"]).tolist() == designs.p_values.ravel().tolist()
    assert designs.adjusted is not None
    assert unpacked(data["adjusted"]).tolist() == designs.adjusted.ravel().tolist()
    assert unpacked(data["users"]).tolist() == designs.users.tolist()
    assert (data["base"], data["alpha"], data["designs"]) == (0, 0.05, len(designs))


def test_codes_tell_the_answers_of_every_design() -> None:
    designs = made_designs()
    data = explorer_data(designs)
    codes = unpacked(data["codes"]).reshape(len(designs.factors), len(designs))
    for factor, row in zip(data["factors"], codes, strict=True):
        read = [None if code < 0 else factor["answers"][code] for code in row]
        given = designs.decisions[factor["name"]].to_list()
        assert read == [
            None if answer is None else f"{answer:g}" if isinstance(answer, float) else answer
            for answer in given
        ]


def test_undefined_values_stay_undefined() -> None:
    nothing = np.array([[np.nan, 0.5]])
    designs = Designs(
        pl.DataFrame({"targets": ["full"]}), ("a", "b"), nothing, np.array([[np.nan]]),
        np.array([[np.nan]]), np.array([3]),
    )  # fmt: skip
    data = explorer_data(designs)
    assert np.isnan(unpacked(data["p"])).all()
    assert data["adjusted"] is None


def test_very_many_numbers_take_half_the_room(monkeypatch: object) -> None:
    designs = made_designs()
    assert explorer_data(designs)["p"]["type"] == "f8"
    assert designs.p_values.size <= explorer._EXACT
    big = np.zeros(explorer._EXACT + 1)
    assert explorer._floats(big)["type"] == "f4"


def test_every_decision_has_a_labelled_choice_of_its_answers() -> None:
    page = read_page(explorer_section(made_designs()).render())
    labels = {label.attributes["for"]: label.text for label in page.all("label")}
    assert list(labels.values()) == list(ANSWERS)
    assert {select.attributes["id"] for select in page.all("select")} == set(labels)
    options = [option.text for option in page.all("option")]
    assert options[:3] == ["0.1", "0.2", "0.4"]


def test_without_a_base_there_is_no_way_back_to_it() -> None:
    designs = made_designs()
    without = Designs(
        designs.decisions, designs.systems, designs.values, designs.effects, designs.p_values,
        designs.users,
    )  # fmt: skip
    assert 'id="to-base"' in explorer_section(designs).render()
    assert 'id="to-base"' not in explorer_section(without).render()


def test_one_system_has_no_pair_to_lead_with() -> None:
    alone = explorer_data(made_designs(("only",)))
    assert (alone["leading"], alone["pairs"]) == ([], [])


def test_the_leading_pair_is_that_of_the_base_the_better_first() -> None:
    designs = made_designs()
    assert designs.base is not None
    first, second = explorer_data(designs)["leading"]
    ranks = designs.ranks[designs.base]
    assert ranks[first] <= ranks[second] <= np.delete(ranks, [first, second]).min()


def test_tables_have_places_for_the_script_to_fill() -> None:
    page = read_page(explorer_section(made_designs()).render())
    bodies = [each.attributes["id"] for each in page.all("tbody")]
    assert bodies == ["values", "pairs"]
    assert page.all("caption")[1].attributes["id"] == "pairs-caption"
    assert all(not each.text for each in page.all("tbody"))
    assert page.rows("Systems under this design") == [
        ["rank", "system", "value", "", "in the base"],
    ]  # fmt: skip


def test_every_decision_has_a_labelled_choice_with_all_answers() -> None:
    designs = made_designs()
    page = read_page(explorer_section(designs).render())
    labels = {each.attributes["for"]: each.text for each in page.all("label")}
    choices = [each.attributes["id"] for each in page.all("select")]
    assert [labels[name] for name in choices] == list(designs.factors)
    options = [each.text for each in page.all("option")]
    assert options[:3] == ["0.1", "0.2", "0.4"]
    assert len(options) == sum(map(len, ANSWERS.values()))


def test_a_study_without_a_base_has_no_button_for_it() -> None:
    based, free = made_designs(), replace(made_designs(), base=None)
    names = [
        [each.attributes["id"] for each in read_page(explorer_section(made).render()).all("button")]
        for made in (based, free)
    ]
    assert names == [["to-base", "to-any"], ["to-any"]]
