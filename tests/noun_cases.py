"""One of every noun that users see, with names that would do harm where they are not escaped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.statistics.statistics import describe
from cranfield.workbench.api import rank, read, split
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.evaluation import Evaluation
from experiment_cases import experiment_of, study_of
from report_cases import made_assessment

HOSTILE = "<script>alert('1')</script>\"&_%$\x1b[31m"
"""A name that runs on a page, breaks LaTeX and steers a terminal where it is not escaped."""


def hostile_ratings() -> Ratings:
    """Ratings whose users and items have such names."""
    rng = np.random.default_rng(3)
    users, items = np.divmod(rng.choice(400, 150, replace=False), 20)
    return Ratings.from_triples(
        [f"{HOSTILE}{each}" for each in users],
        [f"{HOSTILE}{each}" for each in items],
        rng.integers(1, 6, 150).astype(float),
        rng.integers(10**9, 10**9 + 10**6, 150),
    )


def every_noun() -> dict[str, Any]:
    """Every noun that users see, by its name."""
    ratings = hostile_ratings()
    parts = split(ratings, "per-user(test_share=0.3)", seed=1, validation="random")
    judgments = judge(parts.test, relevance=4)
    ranked = rank(parts.train, judgments, {HOSTILE: "Popularity"}, depth=5)[HOSTILE]
    names = {HOSTILE: "Popularity", "kNN": "user-kNN(k=5)", "Random": "Random"}
    asked = experiment_of(
        title=HOSTILE, systems=names, metrics=["nDCG@5", "P@5", "Gini@5"], by=["activity:2"],
        assess=["correlation"],
    )  # fmt: skip
    results = execute(asked)
    studied = execute_study(
        study_of(
            {"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 100},
            systems={HOSTILE: "Popularity", "kNN": "user-kNN(k=5)"}, title=HOSTILE,
        )
    )  # fmt: skip
    evaluated = {name: value for name, value in vars(results).items() if name in _FIELDS}
    assert results.comparison is not None
    return {
        "Ratings": ratings,
        "Split": parts,
        "Judgments": judgments,
        "Statistics": describe(read("simulated(size=tiny)")),
        "Run": ranked.run,
        "Ranked": ranked,
        "Scores": results.scores,
        "Summary": results.summary,
        "Evaluation": Evaluation(**evaluated),
        "Comparison": results.comparison,
        "Assessment": replace(made_assessment(), criterion=HOSTILE, reading=HOSTILE),
        "Results": results,
        "StudyResults": studied,
        "Experiment": asked,
        "Study": studied.study,
    }


_FIELDS = set(Evaluation.__dataclass_fields__)
