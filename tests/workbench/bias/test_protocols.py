"""What is left of the popularity bias, from values by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from cranfield.validity.assessment import side_by_side
from cranfield.workbench.bias import protocols as bias_protocols
from cranfield.workbench.bias.case import BiasCase
from cranfield.workbench.bias.protocols import ProtocolRun


def case_of(*names: str, popularity: str = "Popularity") -> BiasCase:
    made: Any = SimpleNamespace(
        experiment=SimpleNamespace(names=names, metrics=("P@3",)),
        popularity=popularity,
        random="Random",
        precision="P@3",
    )
    case: BiasCase = made
    return case


def run_of(by_chance: float, /, **values: float) -> ProtocolRun:
    def row(system: str, _: str) -> Any:
        return SimpleNamespace(value=values[system], random=by_chance)

    summary: Any = SimpleNamespace(row=row)
    made: Any = SimpleNamespace(results=SimpleNamespace(summary=summary))
    run: ProtocolRun = made
    return run


def remaining(case: BiasCase, **runs: ProtocolRun) -> pl.DataFrame:
    return bias_protocols._remaining(case, runs)


def test_remaining_bias_is_a_share_of_the_best_distance() -> None:
    case = case_of("kNN", "Popularity")
    table = remaining(
        case,
        AR=run_of(0.1, kNN=0.5, Popularity=0.3),
        UAR=run_of(0.1, kNN=0.5, Popularity=0.1),
        P1R=run_of(0.5, kNN=0.4, Popularity=0.3),
    )
    # (0.3 − 0.1)/(0.5 − 0.1), 0/(0.5 − 0.1), and no distance where nothing beats chance
    assert table["remaining_bias"].to_list()[:2] == pytest.approx([0.5, 0.0])
    assert table["best_system"].to_list() == ["kNN"] * 3
    sentence = bias_protocols._remaining_sentence(case, table)
    assert sentence == (
        "Popularity covers a share of the best system's distance from chance: 50 % under AR, "
        "0 % under UAR. The share is smallest under UAR. "
        "Under P1R, no system is better than chance."
    )


def test_nothing_better_than_popularity_is_said() -> None:
    case = case_of("kNN", "Popularity")
    table = remaining(case, AR=run_of(0.1, kNN=0.2, Popularity=0.3))
    said = bias_protocols._remaining_sentence(case, table)
    assert said.startswith("Nothing is better than Popularity")


@pytest.mark.parametrize("name", ["chance", "protocol", "best system"])
def test_a_system_called_like_a_column_has_one_of_its_own(name: str) -> None:
    case = case_of("kNN", name, "Random", popularity=name)
    run = run_of(0.1, **{"kNN": 0.5, name: 0.3, "Random": 0.1})
    table = remaining(case, AR=run)
    assert table["popularity"].to_list() == [0.3]
    assert table["protocol"].to_list() == ["AR"]
    values = bias_protocols._values(case, {"AR": run})
    assert values["protocol"].unique().to_list() == ["AR"]
    shown = side_by_side(values, "system")
    assert shown["chance"].to_list() == [0.1]
    assert shown[f"{name} (system)" if name in values.columns else name].to_list() == [0.3]
    assert sorted(shown.row(0)[3:]) == [0.1, 0.3, 0.5]
