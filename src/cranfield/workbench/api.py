"""Every public verb: options may be given by their spelling, data as files or tables."""

from __future__ import annotations

from cranfield.workbench.verbs.collection import (
    describe,
    filter,  # noqa: A004  (the verb of this step; the built-in is not needed here)
    judge,
    read,
    read_split,
    simulate,
    split,
)
from cranfield.workbench.verbs.conclusion import assess, compare, gate
from cranfield.workbench.verbs.evaluation import evaluate, rank, score
from cranfield.workbench.verbs.execution import plan, run, study, study_data_sets, verify
from cranfield.workbench.verbs.review import checklist, compare_results
from cranfield.workbench.verbs.truth import assess_truth, recommend_design

__all__ = [
    "assess", "assess_truth", "checklist", "compare", "compare_results", "describe", "evaluate",
    "filter", "gate", "judge", "plan", "rank", "read", "read_split", "recommend_design", "run",
    "score", "simulate", "split", "study", "study_data_sets", "verify",
]  # fmt: skip
