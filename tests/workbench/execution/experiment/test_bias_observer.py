"""Biases that the run of any experiment shows: popularity of lists, 1R between its bounds."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.base.options import parse
from cranfield.collection.judgments import judge
from cranfield.collection.split import split
from cranfield.collection.target_choice import parse_targets
from cranfield.validity.bias.precision_bounds import bounds_of_one_relevant, precision_bounds
from cranfield.workbench.api import rank, read, run

TABLE: dict[str, Any] = {
    "data": "simulated(size=tiny)",
    "split": "per-user(test_share=0.4)",
    "relevance": 4,
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=5)", "Random": "Random"},
    "metrics": ["P@5"],
    "seed": 1,
}


@pytest.mark.parametrize("cutoff", [1, 3, 10])
@pytest.mark.parametrize("sample", ["sampled(n=20)", "all-nonrelevant"])
def test_bounds_from_1r_alone_are_those_from_ar_and_1r(cutoff: int, sample: str) -> None:
    parts = split(read("simulated(size=tiny)"), parse("split", "per-user(test_share=0.4)"), 1)
    judgments = judge(parts.test, 4)
    for system in ("Popularity", "user-kNN(k=3)", "Random"):
        together, apart = (
            rank(parts.train, judgments, [system], parse_targets(f"{one}, {sample}"), seed=1)
            for one in ("all-relevant", "one-relevant")
        )
        expected = precision_bounds(together[system].hits, apart[system].hits, cutoff)
        assert bounds_of_one_relevant(apart[system].hits, cutoff) == expected


def test_a_run_with_one_list_per_user_tells_who_recommends_what_is_popular() -> None:
    (made,) = run(TABLE).assessments
    assert made.criterion == "bias: who recommends what is popular"
    (table,) = made.tables.values()
    assert table["system"].to_list()[0] == "Popularity"
    assert table["mean_popularity"].is_sorted(descending=True)


def test_a_run_in_1r_is_checked_against_its_bounds() -> None:
    targets = "test-items, one-relevant, sampled(n=20)"
    (made,) = run({**TABLE, "targets": targets}).assessments
    assert made.criterion == "bias: 1R between its bounds"
    assert made.reading.startswith("1R precision at 10 is between the bounds")
    (table,) = made.tables.values()
    assert table["holds"].to_list() == ["yes"] * 3


def test_samples_drawn_for_each_item_have_no_bounds() -> None:
    targets = "test-items, one-relevant, sampled(n=20, per=relevant)"
    assert run({**TABLE, "targets": targets}).assessments == ()
