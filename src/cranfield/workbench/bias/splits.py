"""Which ratings the splits test: the random one in percentiles, and the uniform one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.base.options import parse
from cranfield.validity.assessment import Assessment, Chart
from cranfield.validity.bias.split_curves import MOST_PLACES, SplitCurve, split_curve
from cranfield.workbench.bias.case import BiasCase, percent
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.pipeline import Pipeline


def assess_splits(case: BiasCase, pipeline: Pipeline) -> Assessment:
    """The ratings of each item and how many are test, by the user's split and the uniform one."""
    split = case.protocols["UAR"]["split"]
    even = replace(case.experiment, split=parse("split", split))
    own, uniform = curve_of(case.data, case), curve_of(pipeline.prepare(even), case)
    m = case.choice.percentiles or 1
    parts = own.percentiles(m)
    return Assessment(
        criterion="bias: which ratings are test",
        reading=f"{_read_uniform(own, uniform)} {_read_percentiles(parts['delta'].to_list())}",
        tables={"percentiles": parts},
        decisions={"split": str(case.experiment.split), "uniform": split, "percentiles": m},
        details={
            "split": own.to_polars(MOST_PLACES),
            "uniform_split": uniform.to_polars(MOST_PLACES),
        },
        charts=(
            _chart("Split of the experiment", own, "ratings", "tested", "expected"),
            _chart("Uniform split", uniform, "ratings", "tested"),
        ),
        words={
            "percentiles": f"{m} popularity percentiles",
            "most_ratings": "most ratings",
            "fewest_ratings": "fewest ratings",
            "test_ratings": "test ratings",
            "delta": "Δ",
        },
    )


def _chart(title: str, curve: SplitCurve, *names: str) -> Chart:
    return Chart(title, "popularity rank", "ratings of the item", curve.lines(*names))


def curve_of(data: PreparedData, case: BiasCase) -> SplitCurve:
    """The split curve of prepared data."""
    tests = [fold.test for fold in data.folds]
    return split_curve(case.ratings, tests, case.experiment.relevance)


def _read_uniform(own: SplitCurve, uniform: SplitCurve) -> str:
    tested = uniform.tested[uniform.tested > 0]
    most, least = float(own.tested.max()), float(own.tested.min())
    return (
        f"The uniform split tests {np.mean(tested):,.4g} ratings of each of {len(tested):,} items "
        f"({percent(uniform.share)} of all ratings); the split of the experiment tests "
        f"{least:,.4g} to {most:,.4g} ({percent(own.share)})."
    )


def _read_percentiles(differences: list[float]) -> str:
    """Δ within percentiles, beside that of all items, which is the last."""
    inside, whole = differences[:-1], differences[-1]
    return (
        f"The most popular item is to have {whole:,.1f} positive test ratings more than the "
        f"least popular one; within a percentile it is {np.mean(inside):,.1f} on average."
    )
