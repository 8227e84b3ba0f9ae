"""Designs are held against the truth behind the data."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bias_cases import experiment
from cranfield.base.errors import OptionError, TooFew
from cranfield.base.options import parse
from cranfield.collection.simulation.truth import truth_of
from cranfield.collection.source import source_of
from cranfield.validity.assessment import HeatMap
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.truth.assessment import truth_assessment
from cranfield.workbench.truth.study import (
    WORLD,
    TruthResults,
    run_truth_study,
    study_like,
    true_experiment,
)

SYSTEMS = {
    "kNN": "user-kNN(k=5)",
    "Popularity": "Popularity",
    "Random": "Random",
    "oracle": "oracle(source=simulated(size=tiny))",
}


def study(**changes: Any) -> Study:
    base = experiment(systems=SYSTEMS, metrics=["P@5"])
    given: dict[str, Any] = {
        "base": base,
        "vary": {"metric": ("P", "nDCG"), "judged_share": (1.0, 0.5)},
        "together": {
            "protocol": {
                "AR": {"targets": "test-items"},
                "UAR": {"split": "uniform(test_share=0.2)", "targets": "test-items"},
            }
        },
    }
    return Study(**{**given, **changes})


@cache
def results() -> TruthResults:
    return run_truth_study(study(), metric="P@5")


def test_every_design_has_an_agreement_with_the_truth() -> None:
    found = results().truthfulness
    assert len(found.designs) == 8
    assert np.isfinite(found.agreement).all()
    assert (np.abs(found.agreement) <= 1).all()


def test_true_values_are_those_of_all_items_judged_by_the_truth() -> None:
    asked = study()
    designs = Universe(asked).designs
    base = replace(asked.base, judged_by=parse("judged_by", "truth"))
    for place in (0, len(designs) - 1):
        truly = true_experiment(base, designs[place], asked.base.metrics[0])
        assert str(truly.judged_by) == "truth"
        assert truly.split == designs[place].experiment.split
        summary = execute(truly).summary
        values = [summary.row(system, "P@5").value for system in SYSTEMS]
        assert results().truthfulness.truth[place].tolist() == pytest.approx(values)


def test_the_truth_can_be_computed_by_hand() -> None:
    """Random's true precision, from the rule of the source alone."""
    asked = study()
    truth = truth_of(asked.base.data).rating(np.arange(40)) >= 4
    share = truth.mean()
    place = asked.base.names.index("Random")
    assert results().truthfulness.truth[0, place] == pytest.approx(share, abs=0.1)


def test_who_knows_the_truth_is_the_best() -> None:
    found = results().truthfulness
    assert set(found.truth.argmax(axis=1)) == {found.designs.systems.index("oracle")}


def test_values_are_compared_where_the_metric_is_the_true_one() -> None:
    found = results().truthfulness
    metrics = found.designs.decisions["metric"].to_list()
    assert found.comparable.tolist() == [metric == "P" for metric in metrics]
    assert np.isfinite(found.distance[found.comparable]).all()


def test_worlds_repeat_every_design() -> None:
    asked = study(vary={"metric": ("P", "nDCG")}, together={})
    made = run_truth_study(asked, metric="P@5", worlds=2).truthfulness
    assert made.repeats == (WORLD,)
    assert len(made.designs) == 4
    assert made.by_design()["designs"].to_list() == [2, 2]
    assert made.truth[0].tolist() != made.truth[1].tolist()


def test_real_data_have_no_truth(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("user,item,rating\n1,1,5\n2,1,4\n")
    asked = study(base=replace(study().base, data=source_of(file)))
    with pytest.raises(OptionError, match="the truth behind these ratings is not known"):
        run_truth_study(asked)


def test_one_system_has_no_order() -> None:
    alone = experiment(systems={"Random": "Random"})
    with pytest.raises(TooFew):
        run_truth_study(study(base=alone))


def test_there_is_only_one_world_of_what_has_no_seed() -> None:
    class Fixed:
        def read(self) -> Any:
            return source_of("simulated(size=tiny)").read()

        def truth(self) -> Any:
            return truth_of(source_of("simulated(size=tiny)"))

        def simulate(self) -> Any:
            raise AssertionError

    asked = study(base=replace(study().base, data=Fixed()))
    with pytest.raises(OptionError, match="only one world"):
        run_truth_study(asked, worlds=2)


def test_a_complete_block_of_ratings_is_a_truth_as_well(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    taste, trait = rng.normal(size=(60, 2)), rng.normal(size=(25, 2))
    values = 4 * taste @ trait.T + rng.normal(size=(60, 25))
    rows = [f"{u},{i},{values[u, i]:.2f}" for u in range(60) for i in range(25)]
    file = tmp_path / "all.csv"
    file.write_text("\n".join(["user,item,rating", *rows]) + "\n")
    source = source_of(f'block(source="{file}", density=0.4, skew=1)')
    systems = {"SVD": "PureSVD(factors=2)", "Random": "Random"}
    base = replace(experiment(systems=systems, metrics=["P@5"]), data=source, relevance=2.0)
    made = run_truth_study(Study(base=base, vary={"metric": ("P", "RR")}), metric="P@5")
    share = (values.round(2) >= 2).mean()
    assert made.truthfulness.truth[0, 1] == pytest.approx(share, abs=0.1)
    assert made.truthfulness.truth[0, 0] > made.truthfulness.truth[0, 1]


def test_a_study_can_be_held_on_data_like_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    ratings = source_of("power-law(users=60, items=40, ratings=600)").read()
    ratings.to_polars().write_csv(file)
    asked = study(
        base=replace(study().base, data=source_of(file)),
        vary={"metric": ("P", "nDCG"), "data.alpha": (0, 1), "data.mnar": (0.0, 3.5)},
    )
    made, like = study_like(asked)
    assert set(made.vary) == {"metric", "data.mnar"}
    assert made.base.data is not None
    assert repr(made.base.data.read()) == "Ratings(60 users, 40 items, 600 ratings)"
    assert made.base.relevance == like.relevance
    assert like.gini_items[1] == pytest.approx(like.gini_items[0], abs=0.05)
    other, _ = study_like(asked, source_of(file))
    assert other.base.data == made.base.data


def test_data_that_are_known_need_nothing_like_them() -> None:
    with pytest.raises(OptionError, match="known already"):
        study_like(study())


def test_the_assessment_ranks_decisions_and_names_a_design() -> None:
    made = truth_assessment(results())
    ranked = made.tables["decisions"]
    assert ranked["share"].is_sorted(descending=True)
    assert "Nearest to the truth is metric" in made.reading
    assert made.tables["true_values"]["system"][0] == "oracle"
    assert made.to_dict()["decisions"]["true_metric"] == "P@5"
    drawn = made.charts[0]
    assert isinstance(drawn, HeatMap)
    assert len(drawn.values) == len(drawn.rows)
    assert all(-1 <= value <= 1 for row in drawn.values for value in row)


def test_one_varied_decision_is_drawn_by_itself() -> None:
    made = truth_assessment(run_truth_study(study(vary={"metric": ("P", "RR")}, together={})))
    drawn = made.charts[0]
    assert isinstance(drawn, HeatMap)
    assert drawn.columns == ("all",)
    assert drawn.rows == ("P", "RR")


def test_designs_that_order_nothing_are_left_out_and_counted() -> None:
    """A gain that is no share of the whole does not suit RBP."""
    asked = study(vary={"metric": ("P", "RBP(p=0.8)"), "gain": ("rating",)}, together={})
    made = truth_assessment(run_truth_study(asked, metric="P@5"))
    assert "1 of 2 designs were left out, as they order no systems." in made.notes
    assert "Nearest to the truth is metric P" in made.reading
