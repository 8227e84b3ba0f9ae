"""An experiment is prepared for the assessment of its biases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bias_cases import experiment
from cranfield.base.errors import OptionError
from cranfield.workbench.bias.case import BiasCase, BiasChoice, bias_case
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.execution.pipeline import Pipeline


def case(choice: BiasChoice | None = None, **changes: Any) -> BiasCase:
    return bias_case(experiment(**changes), Pipeline(), choice)


def test_baselines_join_the_systems() -> None:
    made = case()
    assert made.experiment.names == ("kNN", "SVD", "Random", "Popularity")
    assert (made.random, made.popularity) == ("Random", "Popularity")
    assert made.personalised == ("kNN", "SVD")


def test_baselines_that_are_there_keep_their_names() -> None:
    made = case(systems={"dice": "Random", "hits": "Popularity", "kNN": "user-kNN(k=5)"})
    assert made.experiment.names == ("dice", "hits", "kNN")
    assert (made.random, made.popularity) == ("dice", "hits")


def test_another_system_may_have_the_name_of_a_baseline() -> None:
    made = case(systems={"Random": "user-kNN(k=5)"})
    assert made.random == "Random (added)"
    assert made.personalised == ("Random",)


def test_only_relevant_ratings_are_grades() -> None:
    made = case(BiasChoice(cutoff=3))
    names = [str(metric) for metric in made.experiment.metrics]
    assert names == ["P@3", "nDCG(gain=relevant-rating)@3"]


def test_runs_of_files_are_left_out_and_that_is_said(tmp_path: Any) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("u1\ti1\t1.0\n")
    made = case(runs={"mine": str(file)})
    assert "mine" not in made.experiment.names
    assert any("runs of files" in note for note in made.notes)


def test_runs_of_files_alone_are_refused(tmp_path: Any) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("u1\ti1\t1.0\n")
    with pytest.raises(OptionError, match="not enough"):
        case(systems={}, runs={"mine": str(file)})


def test_the_uniform_split_tests_as_much_as_the_data_allow() -> None:
    made = case(split="random(test_share=0.9)")
    assert made.uniform_share < 0.9
    assert any("cannot be reached" in note for note in made.notes)
    assert Universe(made.protocol_study()).designs  # the lowered share can be split


def test_a_share_that_can_be_reached_is_kept() -> None:
    made = case(split="random-exact(test_share=0.1)")
    assert made.uniform_share == pytest.approx(0.1)
    assert made.notes == ()


def test_samples_and_percentiles_fit_the_number_of_items() -> None:
    made = case(BiasChoice(cutoff=3))
    assert made.choice.sample is not None
    assert made.choice.sample < 20  # of at most 50 items
    assert made.choice.percentiles is not None
    assert made.choice.percentiles >= 2
    wide = case(data="simulated(size=small)", split="random")
    assert wide.choice.percentiles == 7  # at least 3 · 10 of some 220 items in each


def test_protocols_differ_in_split_and_targets_alone() -> None:
    made = case(BiasChoice(cutoff=3, sample=9, percentiles=2))
    designs = Universe(made.protocol_study()).designs
    assert [design.answers["protocol"] for design in designs] == list(made.protocols)
    for design in designs:
        base = replace(made.experiment, metrics=made.experiment.metrics[:1])
        same = replace(base, split=design.experiment.split, targets=design.experiment.targets)
        assert design.experiment == same
    p1r = next(d for d in designs if d.answers["protocol"] == "P1R")
    assert str(p1r.experiment.targets) == "test-items, percentiles(m=2), sampled(n=9)"
