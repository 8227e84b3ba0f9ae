"""Verbs of review: what reviewers ask of results, and how results differ."""

from __future__ import annotations

from pathlib import Path

from cranfield.base.errors import OptionError
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.folders import AnyResults, data_sets_beside, read_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.review.checklist import Checklist, make_checklist
from cranfield.workbench.review.comparison import ResultsComparison, compare
from cranfield.workbench.review.questions import ALL
from cranfield.workbench.verbs.given import wrong_kind

Given = Results | StudyResults | ResultsByDataSet | str | Path
"""Results, or the folder that they were written to."""


def checklist(results: Given, venue: str | Path = ALL) -> Checklist:
    """A reviewers' checklist for an offline evaluation, filled in from results or their folder.

    ``venue`` is ``all``, ``tors``, ``recsys`` or ``acm``, or a file in TOML with items and
    answers of your own. Results on several data sets have one checklist; it answers for each
    of them where they differ.

    >>> import cranfield as cf
    >>> results = cf.run({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"],
    ... })
    >>> cf.checklist(results, "acm").items[0].state
    'answered'
    """
    beside = data_sets_beside(results) if isinstance(results, str | Path) else ()
    return make_checklist(_results(results), venue, beside)


def compare_results(*results: Given) -> ResultsComparison:
    """Results side by side: which decisions, data, versions and values differ, and why.

    Each argument is results or their folder, and is compared with the first. Where two results
    diverge, a decision that acts there explains it; otherwise the data, the versions, or
    nothing that is recorded does. Of results on several data sets, those of one name are
    compared, and what holds over all.

    >>> import cranfield as cf
    >>> table = {
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["P@10"],
    ... }
    >>> cf.compare_results(cf.run(table), cf.run({**table, "relevance": 3})).sentence
    '2 of 2 values that both have differ. They part at the judgments, where relevance differs: ...'
    """
    names = [
        str(each) if isinstance(each, str | Path) else f"results {number}"
        for number, each in enumerate(results, start=1)
    ]
    return compare(list(zip(names, map(_results, results), strict=True)))


def _results(given: Given) -> AnyResults:
    """Results, read if they are given by their folder."""
    if isinstance(given, str | Path):
        return read_results(given)
    if isinstance(given, Results | StudyResults | ResultsByDataSet):
        return given
    raise OptionError(f"{wrong_kind(given)} results. Give those of run or study, or their folder.")
