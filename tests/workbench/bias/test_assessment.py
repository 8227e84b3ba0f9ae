"""The biases of an experiment: figures that belong together, and what is said of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from bias_cases import experiment
from cranfield.base.errors import OptionError
from cranfield.validity.assessment import Assessment, Chart
from cranfield.validity.bias.precision_bounds import PrecisionBounds
from cranfield.workbench.bias import expectations as bias_expectations
from cranfield.workbench.bias.assessment import PARTS, assess_bias
from cranfield.workbench.bias.case import BiasCase, BiasChoice, bias_case, percent
from cranfield.workbench.bias.protocols import advantage, row_of, run_protocols
from cranfield.workbench.bias.sweeps import SweepRun, run_sweep, sweeps
from cranfield.workbench.execution.pipeline import Pipeline

CHOICE = BiasChoice(
    cutoff=3, sample=9, percentiles=2, shares=(1.0, 0.5), sizes=(5, 10), skews=(0.0, 2.0),
    heads=(0.0, 0.2),
)  # fmt: skip


@cache
def parts() -> dict[str, Assessment]:
    made = assess_bias(experiment(), choice=CHOICE)
    return dict(zip(PARTS, made, strict=True))


def test_every_part_says_something_of_its_own() -> None:
    readings = {part.reading for part in parts().values()}
    assert len(readings) == len(PARTS)
    assert all(reading.endswith(".") for reading in readings)


def test_all_figures_can_be_written_as_json() -> None:
    for part in parts().values():
        table = part.to_dict()
        assert table["criterion"].startswith("bias: ")
        assert table["tables"]


def test_the_same_experiment_gives_the_same_figures() -> None:
    again = assess_bias(experiment(), choice=CHOICE, parts=("sparsity",))[0]
    assert again.to_dict() == parts()["sparsity"].to_dict()


def test_an_unknown_part_is_refused_with_a_near_one() -> None:
    wrong: Any = ("sparsety",)
    with pytest.raises(OptionError, match=r'"sparsety" is not a part\. Did you mean "sparsity"'):
        assess_bias(experiment(), choice=CHOICE, parts=wrong)


def test_remaining_bias_is_popularitys_share_of_the_best_distance_from_chance() -> None:
    made = parts()["neutralised"]
    shown = made.shown("values").filter(pl.col("metric") == "P@3")
    values = shown.rows_by_key("protocol", named=True, unique=True)
    for row in made.tables["remaining_bias_by_protocol"].rows(named=True):
        found = values[row["protocol"]]
        best = max(found[name] for name in ("kNN", "SVD", "Random", "Popularity"))
        share = (found["Popularity"] - found["chance"]) / (best - found["chance"])
        assert row["remaining_bias"] == pytest.approx(share)
        assert row["remaining_bias"] <= 1


def test_leads_are_compared_on_the_scale_from_chance_to_the_best() -> None:
    case = bias_case(experiment(), Pipeline(), CHOICE)
    runs = run_protocols(case, Pipeline())
    lead = advantage(case, runs["AR"], runs["UAR"], "SVD", "kNN")
    rows = {name: row_of(case, runs["AR"], name) for name in ("kNN", "SVD")}
    ahead, behind = (rows[name] for name in (lead.first, lead.second))
    assert ahead.value >= behind.value
    span = ahead.best - ahead.random
    assert lead.before == pytest.approx((ahead.value - behind.value) / span)


@pytest.mark.long
def test_the_lead_in_the_reading_is_that_of_the_two_best_systems() -> None:
    made = parts()["neutralised"]
    leads = made.tables["leads"]
    assert set(leads["fate"]) <= {
        "none",
        "lost",
        "reversed",
        "shrunk",
        "unchanged",
        "grown",
        "undefined",
    }
    assert "kNN" in made.reading
    assert "SVD" in made.reading
    assert "Random" not in leads["leader"].to_list()


def test_expectations_stand_beside_what_was_measured() -> None:
    made = parts()["expected"]
    table = made.tables["expected_precision"]
    assert table["random_off"].abs().max() < 3  # type: ignore[operator]
    assert "Random is within 3 standard errors" in made.reading
    bounds = made.tables["one_relevant_bounds"]
    assert bounds["holds"].to_list() == ["yes"] * 4
    assert (bounds["upper_bound"] - bounds["lower_bound"]).to_list() == pytest.approx(
        bounds["width"].to_list()
    )


def test_both_bounds_of_1r_and_u1r_follow_from_the_collection() -> None:
    table = parts()["expected"].tables["one_relevant_bounds_of_collection"]
    assert table["protocol"].to_list() == ["1R", "1R", "U1R", "U1R"]
    assert table["system"].to_list() == ["Random", "Popularity"] * 2
    assert (table["lower_bound"] < table["upper_bound"]).all()
    values = (
        parts()["neutralised"]
        .tables["values"]
        .row(
            by_predicate=(pl.col("protocol") == "U1R")
            & (pl.col("metric") == "P@3")
            & (pl.col("system") == "Popularity"),
            named=True,
        )
    )
    measured = table.row(3, named=True)
    assert measured["measured"] == values["value"]
    assert measured["lower_as_printed"] < measured["upper_as_printed"]


def test_popularity_recommends_the_most_popular_items() -> None:
    table = parts()["tendency"].tables["recommended_items"]
    assert table["system"][0] == "Popularity"
    assert table["mean_popularity"].is_sorted(descending=True)
    ratio = parts()["tendency"].charts[0]
    assert isinstance(ratio, Chart)
    assert 0 <= min(ratio.lines[0].y) <= max(ratio.lines[0].y) <= 1


@cache
def sweep_runs() -> dict[str, SweepRun]:
    case = bias_case(experiment(), Pipeline(), CHOICE)
    return {sweep.name: run_sweep(sweep, Pipeline()) for sweep in sweeps(case)}


def test_every_sweep_has_a_curve_for_each_system_and_its_theory() -> None:
    for part in ("sparsity", "size", "head", "skew"):
        for chart in parts()[part].charts:
            assert isinstance(chart, Chart)
            names = [line.name for line in chart.lines]
            assert names[:4] == ["kNN", "SVD", "Random", "Popularity"]
            theory = ["Random by collection", "Popularity by collection"]
            assert names[4:] == (theory if chart.y_title == "P@3" else [])
            assert all(list(line.x) == sorted(line.x) for line in chart.lines)


def test_sparser_tests_halve_what_chance_finds_in_ar() -> None:
    run = sweep_runs()["test sparsity"]
    assert run.axis("AR") == [0.5, 1.0]
    half, whole = run.expected("AR", "random_by_collection")
    sizes = run.expected("AR", "size")
    assert half * sizes[0] / (whole * sizes[1]) == pytest.approx(0.5, abs=0.1)


def test_target_set_size_is_that_of_the_sample_and_the_relevant_item() -> None:
    run = sweep_runs()["target set size"]
    assert run.axis("1R") == [6, 11]
    assert run.expected("1R", "random") == pytest.approx([1 / 6, 1 / 11])


def test_skew_is_tried_on_data_of_the_users_own_size() -> None:
    run = sweep_runs()["popularity skew"]
    assert run.axis("1R") == [0, 2]
    data = run.sweep.study.base.data
    assert data is not None
    assert repr(data.read()) == "Ratings(40 users, 50 items, 400 ratings)"


def test_popularity_gains_with_the_skew() -> None:
    low, high = sweep_runs()["popularity skew"].values("1R", "Popularity")
    assert low < high


def test_removing_the_head_takes_the_most_from_popularity() -> None:
    run = sweep_runs()["head items removed"]
    whole, less = run.expected("AR", "popularity_by_collection")
    assert less < whole


def test_shares_are_said_in_per_cent() -> None:
    assert percent(0.555) == "56 %"
    assert percent(float("nan")) == "–"
    assert percent(-0.22) == "−22 %"


@pytest.mark.parametrize(
    ("systems", "pair"),
    [
        ({"kNN": "user-kNN(k=5)"}, ("kNN", "Popularity")),
        ({"dice": "Random"}, ("Popularity", "dice")),
    ],
)
def test_with_few_systems_baselines_stand_in(
    systems: dict[str, str], pair: tuple[str, str]
) -> None:
    made = assess_bias(experiment(systems=systems), choice=CHOICE, parts=("neutralised",))[0]
    first = made.reading.partition("Under 1R")[0]
    assert all(name in first for name in pair)


def test_where_nothing_beats_popularity_that_is_said() -> None:
    made = assess_bias(
        experiment(systems={"dice": "Random"}), choice=CHOICE, parts=("neutralised",)
    )
    assert "Nothing is better than Popularity" in made[0].reading


@pytest.mark.long
def test_filters_and_folds_are_those_of_the_experiment() -> None:
    made = assess_bias(
        experiment(filters=["min-ratings(at_least=9)"], split="k-fold(folds=2)"),
        choice=CHOICE,
        parts=("expected",),
    )[0]
    table = made.tables["expected_precision"]
    assert isinstance(table, pl.DataFrame)
    assert np.isfinite(table["relevance_ratio"].to_numpy()).all()


def test_a_value_outside_its_bounds_is_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = PrecisionBounds(3, relevant=10, fewest=5, found=2, most=7)
    whole = bias_expectations.run_bounds

    def run_bounds(case: BiasCase, pipeline: Pipeline) -> dict[str, PrecisionBounds]:
        return {**whole(case, pipeline), "kNN": broken}

    monkeypatch.setattr(bias_expectations, "run_bounds", run_bounds)
    made = assess_bias(experiment(), choice=CHOICE, parts=("expected",))[0]
    assert "outside its bounds by AR for kNN: the measurement is wrong." in made.reading
    assert made.tables["one_relevant_bounds"]["holds"].to_list() == ["no", "yes", "yes", "yes"]


def test_a_baseline_far_from_its_expectation_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bias_expectations, "STANDARD_ERRORS", 0.0)
    made = assess_bias(experiment(), choice=CHOICE, parts=("expected",))[0]
    assert "Random is more than 0.0 standard errors from its expected precision" in made.reading
