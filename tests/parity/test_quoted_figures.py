"""Exposure and groups as Elliot and WarpRec compute them, by figures that their own code gave.

Elliot is not published as a package, and WarpRec needs a pipeline of its own. The figures are
what the classes of Elliot's evaluation (commit fc27efed, with its `Relevance` and `Popularity`)
and of WarpRec 2.2.8 return for the lists and ratings of `group_world`, at a relevance of 4.
"""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import cranfield as cf
from cranfield.workbench.results.evaluation import Evaluation
from parity.group_world import (
    ITEM_CLUSTERS,
    LISTS,
    RELEVANCE,
    TEST,
    TRAIN,
    USER_CLUSTERS,
    Pairs,
)

FIGURES = {
    "APLT": 0.5077777777777778,
    "ACLT": 2.3,
    "PopREO": 0.22702278083267874,
    "PopRSP": 0.05609654394270156,
    "Gini": 0.7452380952380953,
    "SEntropy": 4.49201223475854,
    "REO": 0.5019028518621289,
    "RSP": 0.0990114457639682,
    "ItemMADranking": 0.45515873015873015,
    "ItemMADrating": 1.1669841269841272,
    "UserMADranking": 0.07156215236183461,
    "UserMADrating": 0.2336111111111112,
}
"""What Elliot's classes gave."""

BY = "by=label(column=cluster)"
OF_RUNS = {
    "PopREO": "REO@5",
    "PopRSP": "RSP@5",
    "REO": f"REO({BY})@5",
    "RSP": f"RSP({BY})@5",
    "Gini": "Gini(as=elliot)@5",
    "SEntropy": "Entropy(as=elliot)@5",
    "ItemMADranking": f"ItemMAD({BY})@5",
    "ItemMADrating": f"ItemMAD({BY}, of=ratings)@5",
}
PER_LIST = {"APLT": "APLT@5", "ACLT": "ACLT@5"}
OF_GROUPS = {"UserMADranking": "nDCG(as=elliot)@5", "UserMADrating": "MeanPrediction@5"}


def rows(pairs: Pairs, column: str) -> pl.DataFrame:
    found = [(u, i, value) for u, items in pairs.items() for i, value in items.items()]
    return pl.DataFrame(found, schema=["user", "item", column], orient="row")


def evaluated(metrics: list[str], **decisions: Any) -> Evaluation:
    lists = {user: dict(one) for user, one in LISTS.items()}
    labels = pl.DataFrame({"item": list(ITEM_CLUSTERS), "cluster": list(ITEM_CLUSTERS.values())})
    return cf.evaluate(
        rows(TEST, "rating"), {"A": rows(lists, "score")}, metrics, relevance=RELEVANCE,
        train=rows(TRAIN, "rating"), item_labels=labels, **decisions,
    )  # fmt: skip


WARPREC = {
    "REO": (f"REO({BY})@3", 0.7854259014129639),
    "RSP": (f"RSP({BY})@3", 0.12303648644006854),
    "PopREO": ("REO@3", 0.1949508786201477),
    "PopRSP": ("RSP@3", 0.04817894473671913),
    "Gini": ("Gini(as=warprec)@3", 0.3055555522441864),
    "ShannonEntropy": ("Entropy(as=warprec)@3", 3.0774388313293457),
}
"""What WarpRec's classes gave, in single precision."""


@pytest.fixture(scope="module")
def made() -> Evaluation:
    """What all users are shown, whoever they are."""
    metrics = [*PER_LIST.values(), *OF_RUNS.values(), *(ours for ours, _ in WARPREC.values())]
    return evaluated(metrics, topics="all", catalogue=list(ITEM_CLUSTERS))


@pytest.mark.parametrize(("theirs", "ours"), OF_RUNS.items())
def test_values_of_all_lists_are_those_of_elliot(made: Evaluation, theirs: str, ours: str) -> None:
    assert made.lists["A"][ours] == pytest.approx(FIGURES[theirs], rel=1e-12)


@pytest.mark.parametrize(("theirs", "ours"), PER_LIST.items())
def test_values_of_each_list_are_those_of_elliot(made: Evaluation, theirs: str, ours: str) -> None:
    assert made.summary.row("A", ours).value == pytest.approx(FIGURES[theirs], rel=1e-12)


@pytest.mark.parametrize(("theirs", "ours"), OF_GROUPS.items())
def test_differences_between_groups_of_users_are_those_of_elliot(theirs: str, ours: str) -> None:
    """Of users with a relevant item: Elliot leaves out all others."""
    users = {"user": list(USER_CLUSTERS), "cluster": list(map(str, USER_CLUSTERS.values()))}
    grouping: Any = {"kind": "attribute", "table": users, "column": "cluster"}
    (found,) = evaluated([ours], topics="relevant", by=[grouping]).group_spreads["cluster"]
    assert found.mad == pytest.approx(FIGURES[theirs], rel=1e-12)


def test_forms_of_our_own_differ_where_it_is_said() -> None:
    plain = evaluated(["Gini@5", "Entropy@5"], topics="all", catalogue=list(ITEM_CLUSTERS))
    size, values = len(ITEM_CLUSTERS), plain.lists["A"]
    assert 1 - values["Gini@5"] * size / (size - 1) == pytest.approx(FIGURES["Gini"], rel=1e-12)
    assert values["Entropy@5"] != pytest.approx(FIGURES["SEntropy"], abs=1e-4)


@pytest.mark.parametrize("theirs", WARPREC)
def test_values_of_all_lists_are_those_of_warprec(made: Evaluation, theirs: str) -> None:
    ours, figure = WARPREC[theirs]
    assert made.lists["A"][ours] == pytest.approx(figure, abs=1e-6)


@pytest.mark.parametrize(("ours", "figure"), [("APLT@3", 0.5), ("ACLT@3", 1.5)])
def test_warprec_averages_over_users_with_a_relevant_item(ours: str, figure: float) -> None:
    relevant, every = (evaluated([ours], topics=topics) for topics in ("relevant", "all"))
    assert relevant.summary.row("A", ours).value == pytest.approx(figure)
    assert every.summary.row("A", ours).value != pytest.approx(figure)
