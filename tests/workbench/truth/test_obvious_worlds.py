"""Worlds in which it is plain what design must find the truth, and which cannot."""

from __future__ import annotations

from typing import Any

from cranfield.collection.source import source_of
from cranfield.workbench import inventory
from cranfield.workbench.truth.corrections import DESIGN, study_of_worlds, truth_of_worlds
from cranfield.workbench.truth.study import run_truth_study

inventory.load()


def taus(rule: str, systems: dict[str, str]) -> dict[str, float | None]:
    """The mean agreement of every design with the truth, in two worlds of a rule."""
    worlds = {str(seed): source_of(rule.format(seed=seed)) for seed in (1, 2)}
    table: dict[str, Any] = {"relevance": 4, "metrics": ["P@5"], "systems": dict(systems)}
    study = study_of_worlds(table, worlds)
    found = truth_of_worlds(run_truth_study(study, metric="P@5")).by_design()
    return dict(zip(found[DESIGN].to_list(), found["mean_tau"].to_list(), strict=True))


SYSTEMS = {"SVD": "PureSVD(factors=6)", "Average": "AverageRating", "Popularity": "Popularity",
           "Random": "Random"}  # fmt: skip


def test_where_users_rate_what_they_like_and_nothing_else_plain_rankings_win() -> None:
    """What is rated is what is relevant: to be rated in test is as good as to be liked."""
    rule = "simulated(users=150, items=120, ratings=3000, skew=0, mnar=20, seed={seed})"
    found = taus(rule, SYSTEMS)
    assert found["plain"] == 1
    assert max(tau for tau in found.values() if tau is not None) == 1


def test_where_popularity_says_nothing_of_liking_full_rankings_follow_popularity() -> None:
    """What is judged depends on popularity alone; among a user's judged items nothing does."""
    rule = "simulated(users=300, items=120, ratings=6000, skew=3, mnar=0, fame=0, seed={seed})"
    found = taus(rule, SYSTEMS)
    plain, condensed = found["plain"], found["condensed"]
    assert plain is not None
    assert condensed is not None
    assert condensed >= plain + 0.3
