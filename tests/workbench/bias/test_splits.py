"""Which ratings are test: the assessment is of the experiment's split and of the uniform one."""

from __future__ import annotations

import numpy as np

from bias_cases import experiment
from cranfield.validity.assessment import Chart
from cranfield.workbench.bias.case import BiasChoice, bias_case
from cranfield.workbench.bias.splits import assess_splits
from cranfield.workbench.execution.pipeline import Pipeline

CASE = bias_case(experiment(), Pipeline(), BiasChoice(cutoff=3, sample=9, percentiles=2))
MADE = assess_splits(CASE, Pipeline())


def test_the_split_is_that_of_the_experiment() -> None:
    table = MADE.details["split"]
    [fold] = CASE.data.folds
    assert table["ratings"].sum() == len(CASE.ratings)
    assert table["tested"].sum() == len(fold.test)
    assert sorted(table["tested"].to_list())[-1] == fold.test.item_counts.max()


def test_the_uniform_split_tests_the_same_number_of_each_item() -> None:
    tested = MADE.details["uniform_split"]["tested"].to_numpy()
    first = int(np.count_nonzero(tested))
    assert (tested[:first] == tested[0]).all()
    assert not tested[first:].any()
    said = f"The uniform split tests {tested[0]:g} ratings of each of {first} items"
    assert MADE.reading.startswith(said)


def test_both_splits_are_drawn_over_popularity() -> None:
    names = []
    for chart in MADE.charts:
        assert isinstance(chart, Chart)
        assert chart.x_title == "popularity rank"
        names.append([line.name for line in chart.lines])
    assert names == [
        ["ratings", "test ratings", "expected test ratings"], ["ratings", "test ratings"],
    ]  # fmt: skip


def test_percentiles_are_those_of_the_case() -> None:
    table = MADE.tables["percentiles"]
    assert table["percentile"].to_list() == ["1", "2", "all"]
    inside, whole = table["delta"].to_list()[:-1], table["delta"].to_list()[-1]
    assert f"have {whole:,.1f} positive test ratings more" in MADE.reading
    assert f"it is {np.mean(inside):,.1f} on average" in MADE.reading
