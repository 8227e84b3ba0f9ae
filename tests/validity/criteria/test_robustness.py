from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadParameter, MissingFacts, TooFew
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import Hits, in_order
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.aggregations import FlooredGeometricMean, GeometricMean, Mean
from cranfield.scoring.coverage import enter
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.scores import Scores
from cranfield.validity.assessment import Assessment, Chart
from cranfield.validity.criteria.robustness import SIZES, Robustness
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta import thinned_systems as bench
from cranfield.validity.meta.self_agreement import area, mean_of_known, spread_of_known, stands_to
from cranfield.validity.meta.system_values import SystemValues
from thinning_cases import METRICS, POPULARITY, hits_of_systems, locate_all, ratings_of, runs_of

SMALL = Robustness(sizes=(1.0, 0.5, 0.1), samples=3)


TRAIN_COUNTS = np.arange(40)[::-1] % 11
"""Training ratings of 30 items of the test and ten more."""


def evidence(hits: dict[str, Hits], seed: int = 0) -> Evidence:
    return Evidence(hits=hits, metrics=METRICS, popularity=POPULARITY, seed=seed)


def known_evidence(hits: dict[str, Hits]) -> Evidence:
    return replace(evidence(hits), train_counts=TRAIN_COUNTS, n_items=40)


def curves(made: Assessment) -> pl.DataFrame:
    return made.details["curves"]


def areas(made: Assessment, scenario: str, mean: str = "arithmetic") -> list[float]:
    """The area under τ of every metric."""
    table = made.tables["area"]
    return table.filter(pl.col("scenario") == scenario, pl.col("mean") == mean)["value"].to_list()


def test_sizes_go_down_to_five_percent_in_steps_of_five_and_then_to_one() -> None:
    assert len(SIZES) == 21
    assert SIZES[:3] == (1.0, 0.95, 0.9)
    assert SIZES[-3:] == (0.1, 0.05, 0.01)
    assert Robustness().samples == 50


def test_every_order_agrees_with_itself_on_the_full_test_set() -> None:
    full = curves(SMALL.assess(evidence(hits_of_systems()))).filter(pl.col("size") == 1)
    assert full["tau"].to_list() == [1.0] * (5 * 2 * len(METRICS))
    assert (full["topics"] == 12).all()


@pytest.mark.parametrize(
    ("asked", "geometric"),
    [
        (SMALL, GeometricMean(epsilon=0.01)),
        (replace(SMALL, as_="rec_eval"), FlooredGeometricMean(as_="rec_eval")),
    ],
    ids=["epsilon", "rec_eval"],
)
def test_values_on_the_full_test_set_are_those_of_an_evaluation(
    asked: Robustness, geometric: Aggregation
) -> None:
    hits = hits_of_systems()
    names = tuple(map(str, METRICS))
    some = next(iter(hits.values()))
    scores = Scores.from_systems(
        some.topics,
        None,  # type: ignore[arg-type]
        names,
        {name: measure(each, METRICS, popularity=POPULARITY) for name, each in hits.items()},
        {name: each.lengths for name, each in hits.items()},
    )
    values = asked.assess(evidence(hits)).details["values"].filter(pl.col("size") == 1)
    for mean, aggregation in (("arithmetic", Mean()), ("geometric", geometric)):
        for number, metric in enumerate(names):
            row = values.filter(
                (pl.col("mean") == mean)
                & (pl.col("metric") == metric)
                & (pl.col("scenario") == "users")
            )
            for place, system in enumerate(hits):
                expected = aggregation.of_scores(enter(scores, place, number))
                (found,) = row.filter(pl.col("system") == system)["value"]
                assert found == pytest.approx(expected, abs=1e-11)


def test_the_fault_of_rec_eval_changes_geometric_means_of_rr_alone() -> None:
    """The others differ as a floor does from an epsilon; all arithmetic means stay."""
    hits = hits_of_systems()
    asked = Robustness(sizes=(0.5,), samples=2, undefined="zero", scenarios=("ratings",))
    plain, faulty = (
        each.assess(evidence(hits)).details["values"]
        for each in (replace(asked, epsilon=1e-5), replace(asked, as_="rec_eval"))
    )
    keys = plain.select("mean", "metric", "system", "size")
    assert keys.equals(faulty.select(keys.columns))
    moved = keys.filter((plain["value"] - faulty["value"]).abs() > 0.05)
    assert set(moved["mean"]) == {"geometric"}
    assert set(moved["metric"]) == {"RR"}
    assert (faulty.filter(pl.col("metric") == "RR")["value"] <= 1).all()


def test_what_rec_eval_floors_has_no_epsilon() -> None:
    with pytest.raises(BadParameter, match="add nothing"):
        Robustness(as_="rec_eval", epsilon=0.5)
    assert str(parse("criterion", "robustness(as=rec_eval)")) == "robustness(as=rec_eval)"


def test_the_seed_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    hits = hits_of_systems()
    made = curves(SMALL.assess(evidence(hits, seed=4)))
    for threads, rows in (("1", 1_000_000), ("3", 1_000_000), ("2", 1)):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        monkeypatch.setattr(bench, "_ROWS_AT_ONCE", rows)
        assert curves(SMALL.assess(evidence(hits, seed=4))).equals(made, null_equal=True)
    other = curves(SMALL.assess(evidence(hits, seed=5)))
    assert not other.equals(made, null_equal=True)


def test_systems_in_another_order_change_nothing() -> None:
    hits = hits_of_systems()
    turned = dict(reversed(hits.items()))
    one, two = (curves(SMALL.assess(evidence(each)))["tau"] for each in (hits, turned))
    assert np.allclose(one, two, equal_nan=True)


def test_what_is_not_drawn_needs_one_sample() -> None:
    made = curves(SMALL.assess(evidence(hits_of_systems())))
    spread = made.filter(pl.col("scenario") == "popular-items")["spread"]
    assert spread.is_nan().all()
    drawn = made.filter((pl.col("scenario") == "ratings") & (pl.col("undefined") < 2))["spread"]
    assert not drawn.is_nan().any()


def test_a_system_that_is_always_right_stays_ahead_of_one_that_never_is() -> None:
    hits = hits_of_systems(2)
    first = hits["s1"]
    best = np.concatenate(
        [np.argsort(np.argsort(-part, kind="stable")) + 1 for part in _parts(first)]
    )
    good = _ranked(first, best)
    bad = _ranked(first, np.zeros_like(best))
    made = Robustness(sizes=(0.5,), samples=4, scenarios=("ratings", "users")).assess(
        Evidence(hits={"good": good, "bad": bad}, metrics=METRICS[:4])
    )
    assert (curves(made)["tau"] == 1).all()
    assert areas(made, "ratings") == [1.0] * 4


def _parts(hits: Hits) -> list[np.ndarray]:
    return np.split(hits.ratings, hits.offsets[1:-1])


def _ranked(hits: Hits, ranks: np.ndarray) -> Hits:
    placed = ranks.astype(np.int32)
    return in_order(replace(hits, ranks=placed, first=placed, last=placed))


def test_tied_systems_have_no_order_to_keep_and_it_is_said() -> None:
    hits = hits_of_systems(1)["s0"]
    made = SMALL.assess(evidence({"one": hits, "two": hits}))
    assert curves(made)["tau"].is_nan().all()
    assert areas(made, "ratings") == [0.0] * len(METRICS)
    assert "undefined" in made.notes[0]
    assert made.to_dict()["details"]["curves"][0]["tau"] is None


def test_the_reading_names_the_most_and_the_least_robust_metric() -> None:
    given = SystemValues(
        ("a", "b", "c"),
        ("steady", "shaky"),
        (1.0, 0.5, 0.1),
        np.array([[[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]], [[2, 1, 3], [3, 2, 1]]], float),
    )
    made = Robustness().assess(Evidence(values=given))
    # steady: 1, 1, 1/3 → (0.5·1 + 0.4·2/3)/0.9; shaky: 1, −1, −1 → (0 − 0.4)/0.9
    assert areas(made, "as given", "as given") == pytest.approx(
        [(0.5 + 0.4 * 2 / 3) / 0.9, -0.4 / 0.9]
    )
    assert made.reading == (
        "steady keeps τ ≥ 0.9 down to 50 % of the judgments (area 0.85), "
        "shaky is below τ = 0.9 already at 50 % of the judgments (area −0.44)."
    )
    (chart,) = made.charts
    assert isinstance(chart, Chart)
    assert [line.name for line in chart.lines] == ["steady", "shaky"]
    cut = Robustness(sizes=(0.5,)).assess(Evidence(values=given))
    assert cut.decisions["sizes"] == [1.0, 0.5]


def test_areas_and_limits_by_hand() -> None:
    assert area([1.0, 0.0], np.array([1.0, np.nan])) == 0.5
    assert area([0.3], np.array([0.7])) == 0.7
    sizes = [1.0, 0.5, 0.2, 0.1]
    assert stands_to(sizes, np.array([1, 0.95, 0.8, 0.99])) == 0.5
    assert stands_to(sizes, np.array([1, 1, 1, 0.9])) == 0.1
    assert np.isnan(stands_to(sizes, np.array([np.nan, 1, 1, 1])))


def test_means_and_spreads_leave_out_the_unknown() -> None:
    values = np.array([[1.0, np.nan], [np.nan, np.nan], [2.0, np.nan]])
    assert mean_of_known(values)[0] == 1.5
    assert np.isnan(mean_of_known(values)[1])
    assert spread_of_known(values)[0] == pytest.approx(np.std([1, 2], ddof=1))
    assert np.isnan(spread_of_known(values)[1])


def test_too_little_is_refused() -> None:
    one = hits_of_systems(1)
    with pytest.raises(TooFew, match="robustness needs at least 2 systems; here 1"):
        SMALL.assess(evidence(one))
    with pytest.raises(MissingFacts, match="runs and judgments"):
        SMALL.assess(Evidence())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("robustness(samples=0)", "samples: 0 is not a whole number from 1 to 10000"),
        ("robustness(samples=20000)", "from 1 to 10000"),
        ("robustness(sizes=[0])", "sizes[0]: 0 is not a number above 0"),
        ("robustness(sizes=[1.5])", "at most 1"),
        ("robustness(sizes=[])", "a list of at least one"),
        ("robustness(scenarios=[books])", 'not one of ratings, items, "popular-items"'),
        ("robustness(epsilon=0)", "above 0"),
        ("robustness(popular_by=views)", "not one of test, train"),
        ("robustness(of=items)", "not one of test-items, all-items"),
        ("robustness(nested=perhaps)", "not one of true, false"),
    ],
)
def test_parameters_out_of_range_are_refused(text: str, problem: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse("criterion", text)
    assert problem.replace('"', "") in str(caught.value).replace('"', "")


@pytest.mark.parametrize(
    "text", ["robustness(samples=3, sizes=[1.0, 0.5])", "correlation(agreement=tau-ap)"]
)
def test_criteria_are_spelled_as_they_are_read(text: str) -> None:
    assert parse("criterion", str(parse("criterion", text))) == parse("criterion", text)


def test_every_scenario_has_words_for_its_reading() -> None:
    made = SMALL.assess(evidence(hits_of_systems()))
    assert made.reading.count(";") == 4
    assert made.reading.endswith(").")
    for words in ("ratings", "items", "popular", "users", "large"):
        assert words in made.reading


def test_users_without_a_relevant_item_left_out_or_zero_change_values_and_no_order() -> None:
    hits = hits_of_systems()
    left_out, zero = (
        Robustness(sizes=(1.0, 0.1), samples=3, undefined=each).assess(evidence(hits))
        for each in ("left-out", "zero")
    )
    assert curves(left_out)["tau"].equals(curves(zero)["tau"])
    assert (curves(zero)["topics"] >= curves(left_out)["topics"]).all()
    lower = curves(zero)["value"] < curves(left_out)["value"]
    assert lower.any()
    assert not (curves(zero)["value"] > curves(left_out)["value"] + 1e-12).any()


def test_the_stratified_scenario_is_asked_for_by_name_and_keeps_every_user() -> None:
    assert "ratings-by-user" not in Robustness().scenarios
    asked = Robustness(scenarios=("ratings-by-user", "ratings"), sizes=(1.0, 0.01), samples=4)
    made = asked.assess(evidence(hits_of_systems()))
    # P@5 is defined where a relevant item is left: every user has a judgment, but not that
    assert made.shown("area").columns == ["mean", "metric", "ratings-by-user", "ratings"]
    assert "of each user's ratings" in made.reading
    zero = replace(asked, undefined="zero").assess(evidence(hits_of_systems()))
    left = curves(zero).filter((pl.col("scenario") == "ratings-by-user") & (pl.col("size") < 1))
    assert (left["topics"] == 12).all()


@pytest.mark.parametrize(
    ("changes", "scenarios"),
    [
        ({"popular_by": "train"}, {"popular-items"}),
        ({"of": "all-items"}, {"items", "popular-items"}),
        ({"nested": False}, {"ratings", "items", "users"}),
    ],
)
def test_each_way_to_thin_changes_the_scenarios_that_it_is_about(
    changes: dict[str, Any], scenarios: set[str]
) -> None:
    asked = Robustness(sizes=(0.6, 0.3), samples=3)
    known = known_evidence(hits_of_systems())
    one, two = (each.assess(known).details["values"] for each in (asked, replace(asked, **changes)))
    different = {
        scenario
        for scenario in asked.scenarios
        if not one.filter(pl.col("scenario") == scenario).equals(
            two.filter(pl.col("scenario") == scenario)
        )
    }
    assert different == scenarios
    made = replace(asked, **changes).assess(known)
    for name, value in changes.items():
        assert made.decisions[name] == value


def test_values_without_the_most_trained_items_are_those_of_the_other_judgments() -> None:
    """Shares of all items, popular by training: the slow way, from the ratings themselves."""
    runs, test = runs_of(3), ratings_of()
    asked = Robustness(
        scenarios=("popular-items",), sizes=(1.0, 0.7), popular_by="train", of="all-items"
    )
    made = asked.assess(known_evidence(locate_all(runs, test)))
    order = sorted(range(40), key=lambda item: (TRAIN_COUNTS[item], item))
    staying = set(order[: round(0.7 * 40)])
    fewer = test.take(np.array([item in staying for item in test.items.tolist()]))
    values = made.details["values"].filter((pl.col("size") < 1) & (pl.col("mean") == "arithmetic"))
    for name, hits in locate_all(runs, fewer).items():
        scores = measure(hits, METRICS, popularity=POPULARITY).copy()
        scores[:, hits.lengths == 0] *= 0.0
        mine = values.filter(pl.col("system") == name)["value"].to_list()
        assert mine == pytest.approx(np.nanmean(scores, axis=1).tolist())


@pytest.mark.parametrize(
    ("text", "scenario", "problem"),
    [
        ("robustness(popular_by=train)", "popular-items", "needs the training ratings of items"),
        ("robustness(of=all-items)", "items", "needs a catalogue"),
        ("robustness(of=all-items)", "popular-items", "needs a catalogue"),
    ],
)
def test_what_is_not_known_of_items_is_asked_for(text: str, scenario: Any, problem: str) -> None:
    asked: Any = replace(parse("criterion", text), sizes=(1.0, 0.5), samples=1)
    with pytest.raises(MissingFacts, match=problem):
        replace(asked, scenarios=(scenario,)).assess(evidence(hits_of_systems()))
    replace(asked, scenarios=("users",)).assess(evidence(hits_of_systems()))
