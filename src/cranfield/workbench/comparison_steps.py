"""Comparison as a plain function: options may be given by their spelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cranfield.base import options
from cranfield.base.errors import OptionError, near, shown
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.significance import comparison
from cranfield.significance.comparison import Comparison, ComparisonChoice
from cranfield.significance.correction import Correction
from cranfield.significance.paired_test import PairedTest
from cranfield.workbench import inventory
from cranfield.workbench.execution.evaluation import Evaluation

_KINDS = ("aggregation", "test", "correction")


def compare(
    scores: Scores | Evaluation | str | Path,
    metrics: Sequence[str] = (),
    *,
    test: str | PairedTest = "permutation",
    correction: str | Correction = "holm",
    seed: int = 0,
    **decisions: Any,
) -> Comparison:
    """Test every pair of systems on the same users, by all metrics unless some are named.

    ``scores`` are those of an evaluation, or a file that ``cranfield evaluate --per-user``
    wrote. ``decisions`` are those of `ComparisonChoice`, spelled as on the command line:
    aggregation, coverage, undefined, family, alpha, power, rope, subsets.

    >>> from cranfield import Ratings, compare, evaluate
    >>> test = {"user": list(range(8)) * 2, "item": [7] * 8 + [9] * 8, "rating": [5] * 8 + [1] * 8}
    >>> good = {"user": test["user"], "item": test["item"], "score": test["rating"]}
    >>> bad = good | {"score": [-score for score in test["rating"]]}
    >>> made = evaluate(Ratings.from_frame(test), {"A": good, "B": bad}, ["RR"], relevance=4)
    >>> pair = compare(made).pair("RR", "A", "B")
    >>> print(pair.difference, pair.p_value, pair.better)  # 2/2⁸: all eight users
    0.5 0.0078125 A
    """
    inventory.load(*_KINDS)
    given = {"test": test, "correction": correction, **decisions}
    chosen: dict[str, Any] = {
        name: options.parse(name, value) if name in _KINDS and isinstance(value, str) else value
        for name, value in given.items()
    }
    given_scores = by_metrics(known_scores(scores), metrics)
    return comparison.compare(given_scores, ComparisonChoice(**chosen), seed=seed)


def known_scores(given: Scores | Evaluation | str | Path) -> Scores:
    """The scores of an evaluation or of a file, or those given."""
    if isinstance(given, Evaluation):
        return given.scores
    return given if isinstance(given, Scores) else read_scores(given)


def by_metrics(scores: Scores, names: Sequence[str]) -> Scores:
    """The scores by some metrics, by all unless they are named."""
    asked = dict.fromkeys(names or scores.metrics)
    for name in asked:
        if name not in scores.metrics:
            raise OptionError(
                f"there are no scores by {shown(name)}.{near(name, scores.metrics)} "
                f"There are those by {', '.join(scores.metrics)}."
            )
    chosen = [scores.metric_number(name) for name in asked]
    metrics = tuple(scores.metrics[number] for number in chosen)
    return replace(scores, metrics=metrics, values=scores.values[:, chosen])
