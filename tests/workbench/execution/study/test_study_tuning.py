"""Tuning in studies: once for all designs that share data, and the budget as an axis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment
from cranfield.workbench.execution import validation
from cranfield.workbench.execution.study.study_tuning import parameters_varied
from cranfield.workbench.results.files import write_results
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.study_results import StudyResults
from experiment_cases import study_of

BASE: dict[str, Any] = {
    "data": "simulated(users=80, items=60, ratings=1500)",
    "split": "per-user(test_share=0.3)",
    "relevance": 4,
    "systems": {"kNN": "user-kNN(k=tune(2..60))", "PureSVD": "PureSVD(factors=tune(1..30))"},
    "metrics": ["nDCG@10"],
    "comparison": {"test": "t"},
    "seed": 1,
    "tuning": {"budget": 3},
}


def study(vary: dict[str, Any], **changes: Any) -> StudyResults:
    return cf.study({**BASE, **changes, "study": {"vary": vary, "draws": 200}})


def test_an_untuned_winner_loses_when_both_are_tuned_and_the_study_says_so() -> None:
    """PureSVD has too many factors by default, and CHI2 little to gain."""
    made = study(
        {"tuning.budget": [1, 12], "cutoff": [10, 20]},
        data="simulated(users=300, items=120, ratings=9000)",
        systems={"CHI2": "CHI2(k=tune(5..200))", "PureSVD": "PureSVD(factors=tune(1..40))"},
        tuning={"budget": 12},
    )
    said = made.conclusion.verdict.sentence
    assert made.conclusion.verdict.badge == "depends on the design"
    assert "CHI2 beats PureSVD with a tuning budget of 1 trial" in said
    assert "PureSVD beats CHI2 with a tuning budget of 12 trials" in said
    assert (
        "Tuning decided it: with their defaults, CHI2 scores more than PureSVD in 2 of 2 designs; "
        "tuned by 12 trials each, PureSVD scores more than CHI2 in 2 of 2 designs." in said
    )


def test_designs_share_trials_unless_data_or_tuning_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    make = validation.Validation.value

    def value(self: Any, *given: Any) -> tuple[float, float]:
        calls.append(given)
        return make(self, *given)

    monkeypatch.setattr(validation.Validation, "value", value)
    varied = {
        "cutoff": [5, 10], "metric": ["P", "nDCG"], "relevance": [3, 4],
        "targets": ["all-items", "test-items"], "undefined": ["zero", "left-out"],
    }  # fmt: skip
    made = study(varied)
    assert len(calls) == 2 * 3  # two systems, three trials
    assert [len(each.designs) for each in made.tuned] == [len(made.designs)] == [32]
    calls.clear()
    made = study({"split.test_share": [0.2, 0.3], "cutoff": [5, 10]})
    assert len(calls) == 2 * 2 * 3
    assert [each.designs for each in made.tuned] == [(2, 3), (0, 1)]


def test_a_study_tunes_by_the_first_metric_of_its_base_whatever_it_varies() -> None:
    made = study({"metric": ["P", "RR"], "cutoff": [5, 10]})
    assert {each.metric for group in made.tuned for each in group.tuned} == {"nDCG@10"}
    alone = cf.run(BASE)
    assert [each.chosen.system for each in made.base.tuned] == [
        each.chosen.system for each in alone.tuned
    ]


def test_the_metric_of_tuning_is_an_axis_of_its_own() -> None:
    made = study({"tuning.metric": ["nDCG@10", "RR"]})
    assert [{each.metric for each in group.tuned} for group in made.tuned] == [{"nDCG@10"}, {"RR"}]


def test_the_budget_of_a_design_is_a_prefix_of_a_larger_one() -> None:
    made = study({"tuning.budget": [1, 2, 5]})
    trials = [[each.trials for each in group.tuned] for group in made.tuned]
    assert [[len(each) for each in group] for group in trials] == [[1, 1], [2, 2], [5, 5]]
    for system in range(2):
        values = [[trial.value for trial in group[system]] for group in trials]
        assert values[0] == values[2][:1]
        assert values[1] == values[2][:2]
    # The design with the budget of an experiment of its own has its value.
    alone = cf.run({**BASE, "tuning": {"budget": 2}}).summary
    of_design = made.to_polars("values").filter(design=2)["value"].to_list()
    assert of_design == [alone.row(name, "nDCG@10").value for name in ("kNN", "PureSVD")]


def test_results_of_a_tuned_study_are_read_back_and_verified(tmp_path: Path) -> None:
    made = study({"tuning.budget": [1, 3]})
    write_results(made, tmp_path / "out")
    assert read_results(tmp_path / "out").tuned == made.tuned
    cf.verify(tmp_path / "out")


def test_to_vary_parameters_on_test_data_is_called_what_it_is() -> None:
    made = study(
        {"systems.kNN.k": [5, 20], "cutoff": [5, 10]},
        systems={"kNN": "user-kNN", "Popularity": "Popularity"},
        tuning=None,
    )
    assert made.conclusion.verdict.sentence.endswith(
        "It varies k of kNN and judges by test data: to choose a value by this study is to tune on "
        "test data. Ranges such as k=tune(10..500) are tuned on training data."
    )
    other = study({"cutoff": [5, 10]})
    assert "test data" not in other.conclusion.verdict.sentence


def test_which_parameters_a_study_varies_is_known() -> None:
    tuned = ["tune(2..9)", "tune(2..30)"]
    together = {"small": {"a": {"systems.kNN": "user-kNN(k=2)"}, "b": {"cutoff": 5}}}
    made = study_of({"vary": {"systems.kNN.k": tuned}, "together": together})
    assert list(parameters_varied(made)) == ["kNN"]


def test_ranges_may_be_one_answer_among_others() -> None:
    made = study(
        {"systems.kNN.k": [5, "tune(2..60)"]},
        systems={"kNN": "user-kNN", "Popularity": "Popularity"},
    )
    (group,) = made.tuned
    assert group.designs == (1,)
    assert [each.settings for each in group.tuned] == [3]


def test_budgets_in_seconds_are_not_varied() -> None:
    with pytest.raises(BadExperiment, match=r"vary\.tuning\.budget: give numbers of trials"):
        study({"tuning.budget": [5, "600 s"]})


def test_each_split_of_a_repeated_base_is_tuned_by_itself() -> None:
    made = cf.study(
        {
            **BASE,
            "tuning": {"budget": 2},
            "study": {"vary": {"cutoff": [5, 10]}, "draws": 0, "repeat": {"split_seeds": 2}},
        }
    )
    assert made.repeats is not None
