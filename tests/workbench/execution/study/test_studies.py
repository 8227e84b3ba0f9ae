"""Studying: every design is what a run of its own would find, and conclusions add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import TooFew
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.design_figures import study_test
from cranfield.workbench.execution.study.studies import _two_best, examine, execute_study
from cranfield.workbench.results.study_results import (
    StudyResults,
    fingerprint_of_designs,
)
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores, study_of
from suites import STEPS

STUDIES: Mapping[str, dict[str, Any]] = {
    "crossed": {
        "vary": {
            "metric": ["nDCG", "P", "RBP(p=0.8)"],
            "gain": ["exponential", "binary"],
            "targets": ["all-items", "test-items, one-relevant"],
            "aggregation": ["mean", "geometric-mean", "median", "weighted-mean", "standardised"],
            "coverage": ["full", "forgiving"],
        }
    },
    "one at a time": {
        "way": "one-at-a-time",
        "vary": {
            "seed": [0, 1],
            "split": ["per-user", "k-fold(folds=2)", "leave-out"],
            "relevance": [3, 5],
            "coverage": ["common"],
            "undefined": ["zero"],
            "topics": ["all", "relevant"],
            "least_train": [0, 5],
            "unscored": ["random", "popularity"],
            "ties": ["random", "expected"],
            "judged_share": [0.5],
            "judged_by": ["truth"],
            "systems.kNN.k": [2, 9],
            "filters": [["k-core(k=2)"]],
            "cutoff": [3],
        },
    },
    "tests": {"vary": {"comparison.test": ["permutation(draws=200)", "sign", "wilcoxon"],
                       "seed": [0, 1]}},
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store"))


@pytest.mark.long
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.usefixtures("few_draws")
def test_every_design_is_what_a_run_of_its_own_finds_bit_for_bit(
    name: str, step: int, store: Store
) -> None:
    study = study_of({**STUDIES[name], "draws": 0}, comparison=None)
    universe = Universe(study)
    made = examine(study, universe, Pipeline(Store(None)), None).designs
    pairs = list(combinations(study.base.names, 2))
    assert len(made) == len(universe.designs) > 5
    for place, design in islice(enumerate(universe.designs), 0, None, step):
        asked = design.experiment
        # Where none is asked for, a study tests means by t: it makes thousands of tests.
        asked = replace(asked, comparison=replace(asked.comparison, test=study_test(asked)))
        found = execute(asked, Pipeline(store))
        metric = str(design.metric)
        values = [found.summary.row(system, metric).value for system in asked.names]
        assert made.values[place].tobytes() == np.array(values).tobytes(), design.answers
        assert found.comparison is not None
        p_values = [found.comparison.pair(metric, *pair).p_value for pair in pairs]
        assert made.p_values[place].tobytes() == np.array(p_values).tobytes(), design.answers
        assert made.users[place] == found.comparison.pair(metric, *pairs[0]).users


@pytest.fixture(scope="module")
def found() -> StudyResults:
    return execute_study(
        study_of(
            {
                "vary": {
                    "metric": ["nDCG", "P", "RR"],
                    "cutoff": [2, 5, 10],
                    "relevance": [3, 4],
                    "targets": ["all-items", "test-items"],
                },
                "draws": 300,
            }
        )
    )


def test_the_numbers_of_the_conclusion_are_those_of_the_designs(found: StudyResults) -> None:
    table = found.to_polars()
    assert len(table) == found.conclusion.tried == 3 * 3 * 2 * 2
    table = table[found.designs.firsts.tolist()]
    assert len(table) == found.conclusion.designs
    counts = found.conclusion.pair
    first, second = counts.first, counts.second
    order = sorted((first, second), key=found.designs.systems.index)
    sign = 1 if order == [first, second] else -1
    mine = found.to_polars("pairs").filter(
        "distinct", pl.col("first") == order[0], pl.col("second") == order[1]
    )
    effect, p_value = mine["effect"] * sign, mine["p"]
    significant = p_value < 0.05
    assert counts.wins == (effect > 1e-12).sum()
    assert counts.losses == (effect < -1e-12).sum()
    assert counts.significant_wins == (significant & (effect > 0)).sum()
    assert counts.significant_losses == (significant & (effect < 0)).sum()
    assert counts.designs == counts.wins + counts.losses + counts.ties + counts.undefined
    adjusted = mine["adjusted_p"]
    assert counts.established_wins == ((adjusted <= 0.05) & (effect > 0)).sum()
    assert counts.established_losses == ((adjusted <= 0.05) & (effect < 0)).sum()
    assert "36 designs were tried" in found.conclusion.verdict.evidence[0]
    assert found.conclusion.uncertainty is not None


def test_the_base_is_found_and_is_the_run_of_its_own(found: StudyResults) -> None:
    assert found.designs.base is not None
    values = [found.base.summary.row(name, "nDCG@5").value for name in found.designs.systems]
    assert found.designs.values[found.designs.base].tolist() == values
    reached = dict(zip(found.designs.systems, values, strict=True))
    best, second = sorted(reached, key=lambda name: -reached[name])[:2]
    assert (found.conclusion.pair.first, found.conclusion.pair.second) == (best, second)


def test_the_pair_asked_for_is_the_pair_concluded_on() -> None:
    made = execute_study(
        study_of({"vary": {"cutoff": [3, 5]}, "pair": ["Random", "kNN"], "draws": 99})
    )
    assert (made.conclusion.pair.first, made.conclusion.pair.second) == ("Random", "kNN")
    assert made.conclusion.joint is not None
    adjusted = made.to_polars("pairs").drop_nulls("adjusted_p")
    assert adjusted.select("first", "second").unique().rows() == [("Random", "kNN")]


def test_without_draws_there_is_no_joint_test() -> None:
    made = execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": 0}))
    assert made.conclusion.joint is None
    assert made.to_polars("pairs")["adjusted_p"].is_null().all()


def test_designs_that_coverage_does_not_change_are_counted_once() -> None:
    vary = {"cutoff": [3, 5], "coverage": ["full", "common"]}
    made = execute_study(study_of({"vary": vary, "draws": 99}))
    found = made.conclusion
    assert made.designs.same_as is not None
    assert made.designs.same_as.tolist() == [0, 0, 2, 2]
    assert (found.tried, found.designs, found.pair.designs) == (4, 2, 2)
    assert found.without_effect == ("coverage",)
    assert (
        "The treatment of uncovered users changed nothing: every system covered every user."
        in found.verdict.evidence
    )
    assert made.designs.adjusted is not None
    first, second = made.designs.adjusted[:2]
    assert np.array_equal(first, second, equal_nan=True)


def test_the_test_of_single_designs_makes_no_other_design() -> None:
    vary = {"comparison.test": ["t", "sign"], "cutoff": [3, 5]}
    found = execute_study(study_of({"vary": vary, "draws": 99})).conclusion
    assert (found.tried, found.designs, found.without_effect) == (4, 2, ("comparison.test",))


def test_every_pair_is_tested_jointly_on_request() -> None:
    study: dict[str, Any] = {"vary": {"cutoff": [3, 5], "aggregation": ["mean", "median"]}}
    asked = {**study, "draws": 99}
    made = execute_study(study_of({**asked, "joint_family": "all-pairs"}, comparison=None))
    alone = execute_study(study_of(asked, comparison=None))
    assert made.designs.adjusted is not None
    assert alone.designs.adjusted is not None
    assert not np.isnan(made.designs.adjusted).any()
    assert np.isnan(alone.designs.adjusted).sum() == 4 * 2  # two pairs of three are not asked for
    # the larger family allows for more
    tested = ~np.isnan(alone.designs.adjusted)
    assert (made.designs.adjusted[tested] >= alone.designs.adjusted[tested]).all()
    assert not np.isnan(made.designs.effects).any()


def test_a_study_is_the_same_with_and_without_a_store(tmp_path: Path) -> None:
    study = study_of(
        {
            "vary": {"relevance": [3, 4], "cutoff": [3, 5], "split.test_share": [0.2, 0.4]},
            "draws": 100,
        }
    )
    store = Store(tmp_path)
    alone, first, second = (execute_study(study, Pipeline(each)) for each in (None, store, store))
    for made in (first, second):
        assert fingerprint_of_designs(made.designs) == fingerprint_of_designs(alone.designs)
        assert made.conclusion.to_dict() == alone.conclusion.to_dict()
        assert same_scores(made.base.scores, alone.base.scores)
    assert second.base.seconds.get("fitting") is None


def test_a_metric_that_cannot_be_computed_has_undefined_values_and_spoils_nothing() -> None:
    vary = {"gain": ["rating", "table(gains={1: 1})"], "cutoff": [3, 5]}
    made = execute_study(study_of({"vary": vary, "draws": 50}))
    broken = pl.col("gain").str.starts_with("table")
    alone = execute_study(study_of({"vary": {**vary, "gain": ["rating"]}, "draws": 50}))
    for name, figure in (("values", "value"), ("pairs", "p")):
        table = made.to_polars(name)
        assert table.filter(broken)[figure].is_null().all()
        assert table.filter(~broken)[figure].to_list() == alone.to_polars(name)[figure].to_list()
    assert made.to_polars().filter(broken)["users"].to_list() == [0, 0]


def test_a_study_needs_two_systems() -> None:
    with pytest.raises(TooFew, match="a study needs at least 2 systems"):
        execute_study(study_of({"vary": {"cutoff": [3]}}, systems={"kNN": "user-kNN"}))


def test_a_model_of_the_users_own_takes_part_in_a_study() -> None:
    def by_count(train: Any, users: Any) -> Any:
        return np.tile(train.item_counts.astype(float), (len(users), 1))

    systems = {"mine": by_count, "Popularity": "Popularity", "kNN": "user-kNN(k=5)"}
    made = execute_study(
        study_of({"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 0}, systems=systems)
    )
    assert made.designs.values[:, 0].tobytes() == made.designs.values[:, 1].tobytes()


def study_of_tables(form: Any, **study: Any) -> StudyResults:
    """Of users 1 to 3, "first" has lists for two and "second" for all; user 3 likes nothing."""
    test = {"user": [1, 1, 2, 2, 3], "item": [7, 8, 7, 8, 7], "rating": [5, 2, 4, 5, 1]}
    first = {"user": [1, 3], "item": [7, 7], "score": [1, 1]}
    second = {"user": [1, 2, 3], "item": [8, 7, 8], "score": [1, 1, 1]}
    return execute_study(
        study_of(
            {"draws": 0, **study}, data=None, systems=None, metrics=["P@1"],
            split={"name": "given", "test": form(test)},
            runs={"first": form(first), "second": form(second)},
        )
    )  # fmt: skip


@pytest.mark.parametrize("form", [dict, pl.DataFrame])
def test_the_topics_of_a_design_are_those_that_entered_for_the_first_system(form: Any) -> None:
    made = study_of_tables(form, vary={"coverage": ["full", "forgiving", "common"]})
    assert made.designs.topics is not None
    assert made.designs.topics.tolist() == [2, 1, 1], "users 1 and 2; user 1; user 1"
    assert made.designs.values.tolist() == [[1 / 2, 1 / 2], [1, 1 / 2], [1, 0]]


@pytest.mark.parametrize("form", [dict, pl.DataFrame])
def test_a_study_of_tables_in_memory_changes_what_is_varied_alone(
    form: Any, tmp_path: Path
) -> None:
    """For users 1 and 2, of whom both like item 7 and only user 2 likes item 8."""
    for item in (7, 8):
        (tmp_path / f"{item}.csv").write_text(f"user,item,score\n1,{item},1\n2,{item},1\n")
    files = [str(tmp_path / f"{item}.csv") for item in (7, 8)]
    made = study_of_tables(form, vary={"runs.second": files})
    assert made.designs.values.tolist() == [[1 / 2, 2 / 2], [1 / 2, 1 / 2]]
    assert made.designs.base is None
    # Differences of users 1 and 2: 0 and −1, of deviation √½; then 1 and −1.
    assert made.designs.effects.ravel().tolist() == pytest.approx([-(1 / 2) / 0.5**0.5, 0])


@pytest.mark.parametrize(
    ("changes", "test"),
    [
        ({"comparison": None}, "t"),
        ({"comparison": None, "aggregation": "geometric-mean"}, "permutation(draws=1000)"),
        ({"comparison": None, "aggregation": "median"}, "permutation(draws=1000)"),
        ({"comparison": {"test": "wilcoxon"}}, "wilcoxon"),
    ],
)
def test_a_design_is_tested_as_asked_or_by_what_fits_its_average(
    changes: dict[str, Any], test: str
) -> None:
    """Means by t and not by permutation: a study makes thousands of tests."""
    assert str(study_test(experiment_of(**changes))) == test


def test_a_system_without_a_value_is_none_of_the_two_best() -> None:
    values = {"nowhere": np.nan, "worse": 0.1, "best": 0.3, "good": 0.2}
    base: Any = SimpleNamespace(
        scores=SimpleNamespace(metrics=("P@5",), systems=tuple(values)),
        summary=SimpleNamespace(row=lambda name, _: SimpleNamespace(value=values[name])),
    )
    assert _two_best(base) == ("best", "good")
