"""The verdict on a run says who is best, against whom, and no more than that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.collection.topics import UserCounts
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import summarise
from cranfield.significance.comparison import Comparison, compare
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.verdicts import run_verdict
from experiment_cases import experiment_of
from score_cases import U, scores_of

GOOD = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8]
BAD = [0.5, 0.5, 0.4, 0.4, 0.1, 0.4]
MIDDLE = [0.9, 0.2, 0.9, 0.3, 0.9, 0.2]


def results_of(experiment: Experiment, scores: Scores, made: Comparison | None) -> Results:
    """Results of scores by hand; nothing else was found."""
    return Results(
        experiment=experiment, scores=scores, summary=summarise(scores), lists={}, breakdowns=(),
        reports={}, notes=(), target_sets=(), users=UserCounts(6, 6), comparison=made, data={},
        seconds={},
    )  # fmt: skip


def verdict_of(**systems: Any) -> tuple[str, tuple[str, ...]]:
    """The verdict on scores by hand; all systems of the experiment are stand-ins."""
    experiment = experiment_of(systems=dict.fromkeys(systems, "Popularity"), metrics=["P@10"])
    scores = scores_of(systems)
    made = (
        compare(scores, experiment.comparison_choice, seed=1)
        if len(systems) > 1 and not np.isnan(scores.values).all()
        else None
    )
    return run_verdict(results_of(experiment, scores, made))


def test_one_that_beats_all_is_said_to() -> None:
    sentence, evidence = verdict_of(bad=BAD, good=GOOD, worse=[x / 2 for x in BAD])
    assert sentence == (
        "good has the highest P@10, significantly above all 2 others. This is one design: a study "
        "would show whether other decisions reverse it."
    )
    assert [each.partition(" = ")[0] for each in evidence] == [
        "P@10: good − bad", "P@10: good − worse",
    ]  # fmt: skip


def test_evidence_is_of_the_best_minus_the_other_whatever_their_order() -> None:
    _, [one] = verdict_of(bad=BAD, good=GOOD)
    _, [other] = verdict_of(good=GOOD, bad=BAD)
    assert one == other
    difference = (0.4 + 0.3 + 0.3 + 0.5 + 0.5 + 0.4) / 6
    assert one.startswith(f"P@10: good − bad = {difference:+.4f}, 95 % interval +0.3")
    assert one.endswith(" (Holm), 6 users.")
    assert " p = 0." in one


def test_those_that_are_not_beaten_are_named() -> None:
    sentence, _ = verdict_of(good=GOOD, bad=BAD, middle=MIDDLE)
    assert sentence.startswith(
        "good has the highest P@10. It is significantly above bad, but not above middle. This"
    )


def test_with_a_baseline_nothing_is_said_of_pairs_that_were_not_compared() -> None:
    systems = {"good": GOOD, "middle": MIDDLE, "bad": BAD}
    experiment = experiment_of(
        systems=dict.fromkeys(systems, "Popularity"),
        metrics=["P@10"],
        comparison={"test": "t", "baseline": "bad"},
    )
    scores = scores_of(systems)
    made = compare(scores, experiment.comparison_choice)
    sentence, evidence = run_verdict(results_of(experiment, scores, made))
    assert sentence.startswith("good has the highest P@10, significantly above bad.")
    assert "middle" not in sentence
    assert len(evidence) == 1


def test_the_highest_value_alone_is_no_difference() -> None:
    sentence, _ = verdict_of(good=GOOD, middle=MIDDLE)
    assert "good has the highest P@10, but it is significantly above no other system." in sentence


def test_equals_are_not_told_apart() -> None:
    sentence, _ = verdict_of(bad=BAD, one=GOOD, two=GOOD)
    assert sentence.startswith(
        "one and two have the same P@10, the highest. one is significantly above bad. This is"
    )
    sentence, _ = verdict_of(one=GOOD, two=GOOD)
    assert sentence.startswith("one and two have the same P@10, the highest. This is one design")


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([0.5, 0.75], "only reaches 0.6250 by P@10. There is nothing to compare it with."),
        ([U, U], "only has no value by P@10. There is nothing to compare it with."),
    ],
)
def test_one_system_has_nobody_to_be_compared_with(scores: list[float], said: str) -> None:
    assert verdict_of(only=scores) == (said, ())


def test_without_any_value_nobody_is_best() -> None:
    experiment = experiment_of(systems={"a": "Popularity", "b": "Random"}, metrics=["P@10"])
    made = compare(scores_of({"a": GOOD, "b": BAD}), experiment.comparison_choice)
    nothing = scores_of({"a": [U, U], "b": [U, U]})
    found = results_of(experiment, nothing, made)
    assert run_verdict(found) == (
        "No system has a value by P@10.",
        (),
    )
