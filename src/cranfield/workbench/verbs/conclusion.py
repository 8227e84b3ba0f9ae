"""Verbs of conclusions: whether a difference is real, and whether a metric can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from cranfield.base.errors import OptionError, shown
from cranfield.collection.items import facts_of_items
from cranfield.recommendation.ranking.hits import Hits, TopicLists
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.metric import Metric, cutoff_of
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance import comparison
from cranfield.significance.comparison import Comparison
from cranfield.significance.gate import Gate, gate_of
from cranfield.significance.paired_test import PairedTest
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence, evidence_of_items
from cranfield.validity.meta.p_values import p_values_from_scores
from cranfield.validity.meta.system_values import values_from_scores
from cranfield.workbench import inventory
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.signatures import CompareDecisions, keyword, with_decisions
from cranfield.workbench.verbs.given import option_of, wrong_kind


@with_decisions(CompareDecisions)
def compare(
    scores: Scores | Evaluation | str | Path,
    metrics: Sequence[str] = (),
    **decisions: Unpack[CompareDecisions],
) -> Comparison:
    """Test every pair of systems on the same users, by all metrics unless some are named.

    ``scores`` are those of an evaluation, or a file that ``cranfield evaluate --per-user``
    wrote.

    >>> from cranfield import Ratings, compare, evaluate
    >>> test = {"user": list(range(8)) * 2, "item": [7] * 8 + [9] * 8, "rating": [5] * 8 + [1] * 8}
    >>> good = {"user": test["user"], "item": test["item"], "score": test["rating"]}
    >>> bad = good | {"score": [-score for score in test["rating"]]}
    >>> made = evaluate(Ratings.from_frame(test), {"A": good, "B": bad}, ["RR"], relevance=4)
    >>> pair = compare(made).pair("RR", "A", "B")
    >>> print(pair.difference, pair.p_value, pair.better)  # 2/2⁸: all eight users
    0.5 0.0078125 A
    """
    inventory.load("aggregation", "test", "correction")
    given: dict[str, Any] = dict(decisions)
    seed = given.pop("seed", 0)
    summed = {name: given.pop(name) for name in _OF_SUMMARIES if name in given}
    choice = Compared(**given).choice(SummaryChoice(**summed))
    return comparison.compare(known_scores(scores).by_metrics(metrics), choice, seed=seed)


@with_decisions(CompareDecisions)
def gate(
    scores: Scores | Evaluation | str | Path,
    condition: str,
    metrics: Sequence[str] = (),
    **decisions: Unpack[CompareDecisions],
) -> Gate:
    """Whether one system is significantly below another, by more than is allowed.

    ``condition`` is as in "new < old", "new < old - 0.005" or "new < old - 2 %"; scores,
    metrics and decisions are those of `compare`. ``failed`` says whether it holds by any metric.

    >>> from cranfield import Ratings, evaluate, gate
    >>> test = {"user": list(range(8)) * 2, "item": [7] * 8 + [9] * 8, "rating": [5] * 8 + [1] * 8}
    >>> good = {"user": test["user"], "item": test["item"], "score": test["rating"]}
    >>> bad = good | {"score": [-score for score in test["rating"]]}
    >>> made = evaluate(Ratings.from_frame(test), {"old": good, "new": bad}, ["RR"], relevance=4)
    >>> gate(made, "new < old").failed, gate(made, "new < old - 60 %").failed
    (True, False)
    """
    known, seed = known_scores(scores), decisions.get("seed", 0)
    return gate_of(compare(known, metrics, **decisions), known, condition, seed=seed)


_OF_SUMMARIES = ("aggregation", "coverage", "undefined")


def known_scores(given: Scores | Evaluation | str | Path) -> Scores:
    """The scores of an evaluation or of a file, or those given."""
    if isinstance(given, Evaluation):
        return given.scores
    if isinstance(given, str | Path):
        return read_scores(given)
    if isinstance(given, Scores):
        return given
    raise OptionError(f"{wrong_kind(given)} Scores, an Evaluation or a file of scores.")


Assessable = Evidence | Scores | Evaluation | Mapping[str, Ranked] | str | Path
"""What can be assessed: scores, an evaluation, a file of scores, what systems ranked."""


def assess(
    criterion: str | Criterion,
    given: Assessable,
    metrics: Sequence[str | Metric] | str = (),
    *,
    test: str | PairedTest = "permutation",
    aggregation: str | Aggregation = "mean",
    seed: int = 0,
) -> Assessment:
    """Whether the metrics themselves can be trusted, by one criterion.

    ``given`` are scores (of an evaluation, or a file of them) for correlation,
    discriminative power and stability, and what systems ranked where test sets are
    thinned or targets sampled, which also needs the metrics to score them by. ``test`` is that of
    discriminative power, ``aggregation`` what correlation orders systems by.

    >>> from cranfield import assess, judge, rank, read, split
    >>> parts = split(read("simulated(size=tiny)"), "per-user", seed=1)
    >>> made = rank(parts.train, judge(parts.test, relevance=4), ["Popularity", "Random"])
    >>> found = assess("robustness(samples=3, scenarios=[users])", made, ["P@10", "nDCG@10"])
    >>> found.shown("area").columns
    ['mean', 'metric', 'users']
    """
    chosen: Criterion = option_of("criterion", criterion)
    seed = keyword("seed").check(seed)
    named = [metrics] if isinstance(metrics, str) else metrics
    if isinstance(given, Evidence):
        return chosen.assess(given)
    if isinstance(given, Mapping):
        scored = tuple(option_of("metric", metric) for metric in named)
        return chosen.assess(_evidence_of_lists(given, scored, option_of("test", test), seed))
    scores = known_scores(given).by_metrics(tuple(map(str, named)))
    if chosen.needs_p_values:
        tested = p_values_from_scores(scores, option_of("test", test), seed)
        return chosen.assess(Evidence(p_values=tested))
    if chosen.needs_scores or not chosen.needs_values:
        return chosen.assess(Evidence(scores=scores, seed=seed))
    return chosen.assess(
        Evidence(values=values_from_scores(scores, option_of("aggregation", aggregation)))
    )


def _evidence_of_lists(
    given: Mapping[str, Ranked], metrics: tuple[Metric, ...], test: PairedTest, seed: int
) -> Evidence:
    """What systems ranked, and what is known of the items."""
    known = [each.collection for each in given.values() if each.collection is not None][:1]
    items = evidence_of_items(known) if known else Evidence()
    hits = {name: _with_lists(name, ranked, metrics) for name, ranked in given.items()}
    return replace(items, hits=hits, metrics=metrics, test=test, seed=seed)


def _with_lists(name: str, ranked: Ranked, metrics: tuple[Metric, ...]) -> Hits:
    """The hits of a system, with its lists where a metric looks at all items of them."""
    wanted = [metric for metric in metrics if metric.needs_lists]
    if not wanted or ranked.collection is None:
        return ranked.hits
    for metric in wanted:
        cutoff = cutoff_of(metric)
        asked = ranked.hits.lengths if cutoff is None else np.minimum(ranked.hits.lengths, cutoff)
        if (ranked.run.lengths < asked).any():
            raise OptionError(
                f"{metric}: the lists of {shown(name)} end at rank {ranked.run.lengths.max()}, and "
                f"it looks down to rank {asked.max()}. Give rank a depth of {asked.max()}."
            )
    lists = TopicLists(ranked.run, facts_of_items(ranked.collection.train))
    return replace(ranked.hits, lists=lists)
