"""Whatever is decided, results can be reviewed: facts read well, and nothing breaks."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.options import options
from cranfield.workbench import inventory
from cranfield.workbench.review.checklist import Checklist
from cranfield.workbench.review.fact import Reviewed
from cranfield.workbench.review.facts.systems import tuning
from experiment_cases import experiment_of, table_of

inventory.load()

_NEEDED = {"per-item-train": "per-item-train(count=1)"}
"""Options with parameters that must be given."""
SPLITS = [_NEEDED.get(name, name) for name in options("split") if name != "given"]
CHANGES: dict[str, dict[str, Any]] = {
    "all-users": {"topics": "all", "least_train": 0},
    "relevant": {"topics": "relevant"},
    "events": {"judged_share": 0.5},
    "truth": {"judged_by": "truth"},
    "random-part": {"judged_by": 'random(file="simulated(size=tiny, mnar=0)")'},
    "condensed": {"targets": "all-items, condensed"},
    "one-relevant": {"targets": "test-items, one-relevant, sampled(n=5)"},
    "ties": {"ties": "expected"},
    "unscored": {"unscored": "merged(by=popularity)"},
    "median": {"aggregation": "median"},
    "geometric": {"aggregation": "geometric-mean"},
    "weighted": {"aggregation": "weighted-mean(by=test)"},
    "forgiving": {"coverage": "forgiving"},
    "undefined": {"relevance": 6},
    "baseline": {"comparison": {"test": "t", "baseline": "kNN"}},
    "items-too": {"comparison": {"random": "users-and-items"}, "metrics": ["P@5"]},
    "groups": {"by": ["activity:2"]},
    "assessed": {"assess": ["correlation"]},
    "beyond": {"metrics": ["P@5", "EPC@5", "Gini@5", "UserPopularity@5"]},
    "filters": {"filters": ["k-core(k=2)", "sample(share=0.9)", "drop-head(share=0.05)"]},
    "scale": {"scale": [0, 10]},
    "one-system": {"systems": {"only": "Popularity"}, "comparison": None},
}


_BAD = re.compile(r"\bnan\b|\bNone\b|  |\.\.|\( | \)|\{\}|, \.|: \.")
"""Signs of a text that lacks something."""


@cache
def made(name: str) -> cf.Results:
    changes = {"split": name} if name in SPLITS else CHANGES[name]
    return cf.run(table_of(**changes))


@cache
def plain() -> cf.Results:
    return cf.run(table_of())


def problems(found: Checklist) -> list[str]:
    """What reads badly in a checklist."""
    wrong = [
        f"{each.name}: {text}"
        for each in found.items
        for text in (each.answer, each.advice)
        if _BAD.search(text)
    ]
    return wrong + [
        f"{each.name}: {each.state} with advice {each.advice!r}"
        for each in found.items
        if (each.state == "answered") == bool(each.advice)
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", [*SPLITS, *CHANGES])
def test_a_checklist_reads_well_whatever_was_decided(name: str) -> None:
    assert problems(cf.checklist(made(name))) == []


@pytest.mark.parametrize("name", [*SPLITS, *CHANGES])
def test_results_that_were_decided_otherwise_are_explained_by_what_differs(name: str) -> None:
    (found,) = cf.compare_results(plain(), made(name)).differences
    assert found.explanation.kind in ("equal", "decisions")
    differing = {each.path for each in found.decisions}
    assert set(found.explanation.causes) <= differing
    if found.values:
        assert found.explanation.kind == "decisions"


@pytest.mark.parametrize("name", SPLITS)
def test_leakage_is_told_by_its_share_or_ruled_out(name: str) -> None:
    item = {each.name: each for each in cf.checklist(made(name)).items}["leakage"]
    leaks = [fold["leakage"] for fold in made(name).data["folds"]]
    ruled_out = all(each is not None and each["overall"] == 0 for each in leaks)
    assert (item.state == "answered") == ruled_out
    assert ruled_out == (name in ("temporal", "rolling"))


@pytest.mark.parametrize("name", [name for name in options("recommender") if name != "oracle"])
def test_every_recommender_is_tuned_by_hand_or_has_nothing_to_tune(name: str) -> None:
    option = options("recommender")[name]
    asked = experiment_of(systems={"first": "Random", "second": name})
    results = replace(plain(), experiment=asked)
    item = tuning(Reviewed(results))
    tunable = bool(vars(option()))
    assert item.state == ("missing" if tunable else "answered")
    assert ("second are defaults of the program." in item.text) == tunable
